package identity_test

import (
	"context"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"serein.app/services/identity/internal/account"
	"serein.app/services/platform/errs"
	"serein.app/services/testkit"
)

// countingStore counts what is looked up.
type countingStore struct {
	account.Store
	lookups int
}

func (s *countingStore) ByUID(ctx context.Context, uid uuid.UUID) (account.Account, error) {
	s.lookups++
	return s.Store.ByUID(ctx, uid)
}

func (s *countingStore) Consents(ctx context.Context, uid uuid.UUID) ([]account.Consent, error) {
	s.lookups++
	return s.Store.Consents(ctx, uid)
}

func TestAProfileIsItsMembersAndAdmins(t *testing.T) {
	t.Parallel()
	b := setup(t)
	amara, other := b.member("amara"), b.insertMember(t)
	store := &countingStore{Store: b.store}
	accounts := account.New(account.Config{Store: store, Throttle: b.store, Codes: b.codes, Now: b.clock.Now, NewID: newID, Log: testkit.Logger(t)})
	own, admin := account.Viewer{UID: amara.UID.String()}, account.Viewer{UID: amara.UID.String(), Admin: true}

	for _, uid := range []string{"", amara.UID.String(), strings.ToUpper(amara.UID.String())} {
		p, err := accounts.Profile(t.Context(), own, uid)
		require.NoError(t, err)
		require.Equal(t, "amara", p.Username)
		require.Len(t, p.ReferralCode, 10)
		require.Len(t, p.Consents, 2)
	}

	store.lookups = 0
	var answers []string
	for _, uid := range []string{other.String(), newID().String(), "nobody", strings.Repeat("x", 64)} {
		_, err := accounts.Profile(t.Context(), own, uid)
		require.ErrorIs(t, err, account.ErrUserNotFound)
		answers = append(answers, err.Error()+errs.From(err).Public)
	}
	for _, said := range answers {
		require.Equal(t, answers[0], said, "another's uid answers exactly as one that does not exist")
	}
	require.Zero(t, store.lookups, "after the same work: none")

	p, err := accounts.Profile(t.Context(), admin, other.String())
	require.NoError(t, err)
	require.Equal(t, other, p.UID)
	_, err = accounts.Profile(t.Context(), admin, newID().String())
	require.ErrorIs(t, err, account.ErrUserNotFound)
	for _, nobody := range []account.Viewer{{}, {UID: "x"}} {
		_, err = accounts.Profile(t.Context(), nobody, "")
		require.ErrorIs(t, err, account.ErrUserNotFound)
	}
}

func TestReferralCodesDifferAndSayNothingOfTheMember(t *testing.T) {
	t.Parallel()
	b := setup(t)
	one, two := b.member("amara"), b.member("nils")
	require.NotEqual(t, one.ReferralCode, two.ReferralCode)
	for _, code := range []string{one.ReferralCode, two.ReferralCode} {
		require.Regexp(t, `^[A-Z2-7]{10}$`, code)
	}
}
