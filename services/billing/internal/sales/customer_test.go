package sales_test

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"serein.app/services/billing/internal/providertest"
	"serein.app/services/billing/internal/sales"
)

// contact is what the provider knows of a member.
func (h *harness) contact(uid uuid.UUID) [2]string {
	c := h.provider.Contact(uid.String())
	return [2]string{c.Email, c.Name}
}

func TestTheProvidersCustomerFollowsTheMember(t *testing.T) {
	t.Parallel()
	h := setup(t)
	uid := newMember()
	h.buys(t, uid, "tote", "")
	name := h.contact(uid)[1]
	change := func(c sales.CustomerChange, after time.Duration) {
		c.UID, c.At = uid, begin.Add(after)
		require.NoError(t, h.ChangeCustomer(t.Context(), c))
	}
	change(sales.CustomerChange{Email: "new@example.com"}, time.Hour)
	require.Equal(t, [2]string{"new@example.com", name}, h.contact(uid))
	change(sales.CustomerChange{Name: "Amara Lake"}, time.Minute)
	require.Equal(t, [2]string{"new@example.com", "Amara Lake"}, h.contact(uid), "an address that is later keeps no name back")

	change(sales.CustomerChange{Email: "old@example.com"}, time.Minute)
	change(sales.CustomerChange{Name: "Amara"}, time.Second)
	require.Equal(t, [2]string{"new@example.com", "Amara Lake"}, h.contact(uid), "what comes late overtakes nothing")

	told := h.provider.Calls("UpdateCustomer")
	change(sales.CustomerChange{Email: "new@example.com"}, time.Hour)
	require.Equal(t, told, h.provider.Calls("UpdateCustomer"), "and billing sends the same change to the provider once")
}

func TestAChangeThatTheProviderDoesNotHearIsToldAgain(t *testing.T) {
	t.Parallel()
	h := setup(t)
	uid := newMember()
	h.buys(t, uid, "tote", "")
	before := h.contact(uid)
	c := sales.CustomerChange{UID: uid, Email: "new@example.com", At: begin}
	h.provider.Fail("UpdateCustomer", providertest.Away)
	require.ErrorIs(t, h.ChangeCustomer(t.Context(), c), sales.ErrProviderUnavailable)
	require.Equal(t, before, h.contact(uid))
	require.NoError(t, h.ChangeCustomer(t.Context(), c))
	require.Equal(t, "new@example.com", h.contact(uid)[0])
}

func TestAMemberWithoutACustomerChangesNothingAtTheProvider(t *testing.T) {
	t.Parallel()
	h := setup(t)
	never, gone := newMember(), newMember()
	h.buys(t, gone, "tote", "")
	h.provider.Delete(gone.String())
	for _, uid := range []uuid.UUID{never, gone} {
		require.NoError(t, h.ChangeCustomer(t.Context(), sales.CustomerChange{UID: uid, Email: "new@example.com", At: begin}))
	}
}
