package postgres_test

import (
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"serein.app/services/identity/internal/oidcop"
)

func TestARequestIsReadAsItWasWritten(t *testing.T) {
	t.Parallel()
	h := setup(t)
	age := int32(60)
	want := oidcop.Request{
		ID: newID(), ClientID: "gateway", RedirectURI: "https://app.test/", Scopes: []string{"openid", "profile"}, State: "state",
		Nonce: "nonce", CodeChallenge: "challenge", Prompt: []string{"login"}, MaxAge: &age, LoginHint: "amara", HintUID: "u1",
		Browser: []byte("browser"), CreatedAt: now, ExpiresAt: now.Add(oidcop.RequestLife),
	}
	require.NoError(t, h.SaveRequest(t.Context(), want))
	got, err := h.Request(t.Context(), want.ID, now)
	require.NoError(t, err)
	got.CreatedAt, got.ExpiresAt = got.CreatedAt.UTC(), got.ExpiresAt.UTC()
	require.Equal(t, want, got)
	_, err = h.Request(t.Context(), want.ID, want.ExpiresAt)
	require.ErrorIs(t, err, oidcop.ErrNotFound, "at its end it is over")
	_, err = h.Request(t.Context(), newID(), now)
	require.ErrorIs(t, err, oidcop.ErrNotFound)
}

func TestACodeIsGivenOnceAndOnlyToWhoHasSignedIn(t *testing.T) {
	t.Parallel()
	h := setup(t)
	s, r := h.session(h.member("amara")), h.request()
	code := []byte("code")
	require.ErrorIs(t, h.SaveCode(t.Context(), r.ID, code, now.Add(time.Minute)), oidcop.ErrNotFound, "nobody has signed in")
	require.NoError(t, h.Complete(t.Context(), r.ID, s, now))
	require.NoError(t, h.Complete(t.Context(), r.ID, s, now), "until there is a code another may sign in")
	require.NoError(t, h.SaveCode(t.Context(), r.ID, code, now.Add(time.Minute)))
	require.ErrorIs(t, h.SaveCode(t.Context(), r.ID, []byte("second"), now.Add(time.Minute)), oidcop.ErrNotFound)
	require.ErrorIs(t, h.Complete(t.Context(), r.ID, s, now), oidcop.ErrNotFound, "with a code nobody else may")
	found, err := h.RequestByCode(t.Context(), code)
	require.NoError(t, err)
	require.Equal(t, s.UID, *found.UID)
	require.Equal(t, s.SID, *found.SID)
	require.False(t, found.Exchanged)
	_, err = h.RequestByCode(t.Context(), []byte("second"))
	require.ErrorIs(t, err, oidcop.ErrNotFound)
}

func TestARequestWaitsForACodeOnlyBeforeItIsCompleted(t *testing.T) {
	t.Parallel()
	h := setup(t)
	uid := h.member("amara")
	r, over, done := h.request(), h.request(), h.request()
	require.NoError(t, h.SetPending(t.Context(), r.ID, uid, now))
	found, err := h.Request(t.Context(), r.ID, now)
	require.NoError(t, err)
	require.Equal(t, uid, *found.PendingUID)
	require.False(t, found.Done())
	require.ErrorIs(t, h.SetPending(t.Context(), over.ID, uid, over.ExpiresAt), oidcop.ErrNotFound)
	require.NoError(t, h.Complete(t.Context(), done.ID, h.session(uid), now))
	require.ErrorIs(t, h.SetPending(t.Context(), done.ID, uid, now), oidcop.ErrNotFound)
}

func TestACodeIsExchangedOnceHoweverManyTry(t *testing.T) {
	t.Parallel()
	h := setup(t)
	s, r := h.session(h.member("amara")), h.request()
	require.NoError(t, h.Complete(t.Context(), r.ID, s, now))
	require.NoError(t, h.SaveCode(t.Context(), r.ID, []byte("code"), now.Add(oidcop.CodeLife)))
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
	found, err := h.RequestByCode(t.Context(), []byte("code"))
	require.NoError(t, err, "a used code is still recognised")
	require.True(t, found.Exchanged)
	require.NotNil(t, found.GrantID)
}

func TestACodeThatIsTooOldIsNotExchanged(t *testing.T) {
	t.Parallel()
	h := setup(t)
	s, r := h.session(h.member("amara")), h.request()
	require.NoError(t, h.Complete(t.Context(), r.ID, s, now))
	require.NoError(t, h.SaveCode(t.Context(), r.ID, []byte("code"), now.Add(oidcop.CodeLife)))
	g := oidcop.Grant{ID: newID(), UID: s.UID, ClientID: "gateway", SID: s.SID, Scopes: []string{}, AuthTime: now, CreatedAt: now, ExpiresAt: now.Add(time.Hour)}
	require.ErrorIs(t, h.Exchange(t.Context(), r.ID, g, []byte("r"), now.Add(oidcop.CodeLife)), oidcop.ErrReused)
	require.Zero(t, h.count(`SELECT count(*) FROM grants`))
}
