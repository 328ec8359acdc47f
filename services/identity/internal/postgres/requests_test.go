package postgres_test

import (
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"serein.app/services/identity/internal/oidcop"
)

func TestAnAnsweredRequestIsReadByItsCodeAsItWasWritten(t *testing.T) {
	t.Parallel()
	h := setup(t)
	want := h.answered(h.session(h.member("amara")), "code")
	got, member, err := h.RequestByCode(t.Context(), []byte("code"))
	require.NoError(t, err)
	require.Equal(t, now.Add(oidcop.CodeLife), got.ExpiresAt.UTC(), "it lives as long as its code")
	got.ExpiresAt, got.CreatedAt, *got.AuthTime = want.ExpiresAt, got.CreatedAt.UTC(), got.AuthTime.UTC()
	require.Equal(t, want, got)
	require.Equal(t, *want.UID, member.UID)
	require.Equal(t, "amara", member.Username)
	require.True(t, member.Confirmed)
	_, _, err = h.RequestByCode(t.Context(), []byte("second"))
	require.ErrorIs(t, err, oidcop.ErrNotFound)
}

func TestARequestIsAnsweredOnce(t *testing.T) {
	t.Parallel()
	h := setup(t)
	r := h.answered(h.session(h.member("amara")), "code")
	other := h.session(h.member("nils"))
	r.UID, r.SID = &other.UID, &other.SID
	require.ErrorIs(t, h.SaveAnswered(t.Context(), r, []byte("second"), now.Add(oidcop.CodeLife)), oidcop.ErrNotFound)
	_, _, err := h.RequestByCode(t.Context(), []byte("second"))
	require.ErrorIs(t, err, oidcop.ErrNotFound)
}

func TestACodeIsExchangedOnceHoweverManyTry(t *testing.T) {
	t.Parallel()
	h := setup(t)
	s := h.session(h.member("amara"))
	r := h.answered(s, "code")
	var exchanged atomic.Int32
	var group sync.WaitGroup
	for i := range 8 {
		group.Go(func() {
			g := oidcop.Grant{ID: newID(), UID: s.UID, ClientID: "gateway", SID: s.SID, Scopes: []string{}, AuthTime: now, CreatedAt: now, ExpiresAt: now.Add(time.Hour)}
			if h.Exchange(t.Context(), r.ID, g, []byte{byte(i)}, now) == nil {
				exchanged.Add(1)
			}
		})
	}
	group.Wait()
	require.EqualValues(t, 1, exchanged.Load())
	require.Equal(t, 1, h.count(`SELECT count(*) FROM grants`), "those that lost leave nothing")
	require.Equal(t, 1, h.count(`SELECT count(*) FROM refresh_tokens`))
	found, _, err := h.RequestByCode(t.Context(), []byte("code"))
	require.NoError(t, err, "a used code is still recognised")
	require.True(t, found.Exchanged)
	require.NotNil(t, found.GrantID)
}

func TestACodeThatIsTooOldIsNotExchanged(t *testing.T) {
	t.Parallel()
	h := setup(t)
	s := h.session(h.member("amara"))
	r := h.answered(s, "code")
	g := oidcop.Grant{ID: newID(), UID: s.UID, ClientID: "gateway", SID: s.SID, Scopes: []string{}, AuthTime: now, CreatedAt: now, ExpiresAt: now.Add(time.Hour)}
	require.ErrorIs(t, h.Exchange(t.Context(), r.ID, g, []byte("r"), now.Add(oidcop.CodeLife)), oidcop.ErrReused)
	require.Zero(t, h.count(`SELECT count(*) FROM grants`))
}
