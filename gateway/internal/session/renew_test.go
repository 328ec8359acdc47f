package session_test

import (
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"serein.app/gateway/internal/session"
)

func TestWhatChangedAtTheProviderIsAskedForAtOnce(t *testing.T) {
	t.Parallel()
	b := setup(t)
	id := b.signIn(t)
	b.provider.renew = func(int, string) (session.Grant, error) {
		g := b.grant("refresh-1")
		g.Member.GivenName = "Amara"
		return g, nil
	}
	require.NoError(t, b.here.Renew(t.Context(), id), "long before its end")
	for _, replica := range []*session.Sessions{b.here, b.there} {
		got, err := replica.Check(t.Context(), id)
		require.NoError(t, err)
		require.Equal(t, "Amara", got.Member.GivenName)
	}
	renewed, _ := b.provider.counts()
	require.Equal(t, 1, renewed)

	require.ErrorIs(t, b.here.Renew(t.Context(), "junk"), session.ErrNone)
	require.ErrorIs(t, b.here.Renew(t.Context(), session.NewID()), session.ErrNone, "nobody's")
}

func TestASessionOutlivesARenewalThatAProviderWhoIsAwayDoesNotAnswer(t *testing.T) {
	t.Parallel()
	b := setup(t)
	id := b.signIn(t)
	b.provider.renew = func(int, string) (session.Grant, error) { return session.Grant{}, errors.New("away") }
	require.ErrorIs(t, b.here.Renew(t.Context(), id), session.ErrUnsure)
	_, err := b.here.Check(t.Context(), id)
	require.NoError(t, err)
	require.NoError(t, b.there.Renew(t.Context(), id), "it was asked a moment ago, and is left alone")
	renewed, _ := b.provider.counts()
	require.Equal(t, 1, renewed)

	b.provider.renew = func(int, string) (session.Grant, error) { return b.grant("refresh-2"), nil }
	b.redis.FastForward(10 * time.Second)
	require.NoError(t, b.there.Renew(t.Context(), id))
}

func TestARenewalThatIsRefusedEndsTheSessionWhenItIsAskedForAtOnceToo(t *testing.T) {
	t.Parallel()
	b := setup(t)
	id := b.signIn(t)
	b.provider.renew = func(int, string) (session.Grant, error) { return session.Grant{}, session.ErrRefused }
	require.ErrorIs(t, b.here.Renew(t.Context(), id), session.ErrNone)
	_, err := b.there.Check(t.Context(), id)
	require.ErrorIs(t, err, session.ErrNone)
	require.ErrorIs(t, b.here.Renew(t.Context(), id), session.ErrNone, "and there is none to ask for")
}

func TestARenewalWaitsForNoOtherAndDoesNotComeTwice(t *testing.T) {
	t.Parallel()
	b := setup(t)
	id := b.signIn(t)
	asked, answer := make(chan struct{}), make(chan struct{})
	b.provider.renew = func(int, string) (session.Grant, error) {
		close(asked)
		<-answer
		return b.grant("refresh-1"), nil
	}
	done := make(chan error, 1)
	go func() { done <- b.here.Renew(t.Context(), id) }()
	<-asked
	require.NoError(t, b.there.Renew(t.Context(), id), "one is on its way")
	close(answer)
	require.NoError(t, <-done)
	renewed, _ := b.provider.counts()
	require.Equal(t, 1, renewed)
}

func TestASignOutWhileARenewalIsAskedForStaysASignOut(t *testing.T) {
	t.Parallel()
	b := setup(t)
	id := b.signIn(t)
	b.provider.renew = func(int, string) (session.Grant, error) {
		require.NoError(t, b.there.End(t.Context(), id))
		return b.grant("refresh-1"), nil
	}
	require.ErrorIs(t, b.here.Renew(t.Context(), id), session.ErrNone)
	_, err := b.there.Check(t.Context(), id)
	require.ErrorIs(t, err, session.ErrNone)
	_, revoked := b.provider.counts()
	require.Contains(t, revoked, "refresh-1", "what the provider gave is given back")
}
