package postgres_test

import (
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"serein.app/services/identity/internal/oidcop"
)

func TestARefreshTokenIsReplacedUnderItsLock(t *testing.T) {
	t.Parallel()
	first, second, third := []byte("first"), []byte("second"), []byte("third")
	begin := func(t *testing.T) (*harness, oidcop.Grant) {
		t.Helper()
		h := setup(t)
		return h, h.grant(h.session(h.member("amara")), "first")
	}
	live := func(t *testing.T, h *harness, g oidcop.Grant) bool {
		t.Helper()
		_, err := h.LiveGrant(t.Context(), g.ID, now)
		return err == nil
	}

	t.Run("by the next, which finds the same grant", func(t *testing.T) {
		t.Parallel()
		h, g := begin(t)
		require.NoError(t, h.rotate(first, second, now))
		for _, token := range [][]byte{first, second} {
			found, err := h.GrantByRefreshToken(t.Context(), token)
			require.NoError(t, err)
			require.Equal(t, g.ID, found.ID)
		}
		_, err := h.GrantByRefreshToken(t.Context(), third)
		require.ErrorIs(t, err, oidcop.ErrNotFound)
	})

	t.Run("within the grace by the same successor, until that is used", func(t *testing.T) {
		t.Parallel()
		h, g := begin(t)
		for range 3 {
			require.NoError(t, h.rotate(first, second, now.Add(oidcop.RefreshGrace)))
		}
		require.Equal(t, 2, h.count(`SELECT count(*) FROM refresh_tokens`))
		require.NoError(t, h.rotate(second, third, now.Add(oidcop.RefreshGrace)))
		require.True(t, live(t, h, g))
		require.ErrorIs(t, h.rotate(first, second, now.Add(oidcop.RefreshGrace)), oidcop.ErrReused)
		require.False(t, live(t, h, g))
	})

	t.Run("by no other successor", func(t *testing.T) {
		t.Parallel()
		h, g := begin(t)
		require.NoError(t, h.rotate(first, second, now))
		require.ErrorIs(t, h.rotate(first, third, now), oidcop.ErrReused)
		require.False(t, live(t, h, g))
	})

	t.Run("by a successor of the secret before, which stands", func(t *testing.T) {
		t.Parallel()
		h, g := begin(t)
		require.NoError(t, h.rotate(first, second, now))
		stands, err := h.Rotate(t.Context(), first, [][]byte{third, second}, now)
		require.NoError(t, err)
		require.Equal(t, 1, stands)
		require.True(t, live(t, h, g))
		require.Equal(t, 2, h.count(`SELECT count(*) FROM refresh_tokens`))
	})

	t.Run("not after the grace", func(t *testing.T) {
		t.Parallel()
		h, g := begin(t)
		require.NoError(t, h.rotate(first, second, now))
		require.ErrorIs(t, h.rotate(first, second, now.Add(oidcop.RefreshGrace+time.Microsecond)), oidcop.ErrReused)
		require.False(t, live(t, h, g))
		require.ErrorIs(t, h.rotate(second, third, now), oidcop.ErrNotFound)
	})

	t.Run("not when its life or its grant's is over, which is no reuse", func(t *testing.T) {
		t.Parallel()
		h, g := begin(t)
		require.ErrorIs(t, h.rotate(first, second, now.Add(oidcop.RefreshLife)), oidcop.ErrNotFound)
		require.True(t, live(t, h, g))
		require.ErrorIs(t, h.rotate([]byte("unknown"), second, now), oidcop.ErrNotFound)
		require.NoError(t, h.RevokeGrant(t.Context(), g.ID, now))
		require.ErrorIs(t, h.rotate(first, second, now), oidcop.ErrNotFound)
		require.Equal(t, 1, h.count(`SELECT count(*) FROM refresh_tokens`), "and nothing was given out")
	})

	t.Run("for many at once by one", func(t *testing.T) {
		t.Parallel()
		h, _ := begin(t)
		var group sync.WaitGroup
		var given atomic.Int32
		for range 8 {
			group.Go(func() {
				if h.rotate(first, second, now) == nil {
					given.Add(1)
				}
			})
		}
		group.Wait()
		require.EqualValues(t, 8, given.Load())
		require.Equal(t, 1, h.count(`SELECT count(*) FROM refresh_tokens WHERE used_at IS NULL`))
	})
}

func TestGrantsEnd(t *testing.T) {
	t.Parallel()

	t.Run("with their session, and no other's", func(t *testing.T) {
		t.Parallel()
		h := setup(t)
		uid := h.member("amara")
		one, two := h.session(uid), h.session(uid)
		mine, also, other := h.grant(one, "a"), h.grant(one, "b"), h.grant(two, "c")
		require.NoError(t, h.EndSession(t.Context(), one.SID, now))
		for _, g := range []oidcop.Grant{mine, also} {
			_, err := h.LiveGrant(t.Context(), g.ID, now)
			require.ErrorIs(t, err, oidcop.ErrNotFound)
		}
		_, err := h.LiveGrant(t.Context(), other.ID, now)
		require.NoError(t, err)
		_, err = h.Session(t.Context(), one.CookieHash, now)
		require.ErrorIs(t, err, oidcop.ErrNotFound)
		require.NoError(t, h.EndSession(t.Context(), one.SID, now), "ending it again is no fault")
	})

	t.Run("by revocation, at the moment it was first revoked", func(t *testing.T) {
		t.Parallel()
		h := setup(t)
		g := h.grant(h.session(h.member("amara")), "a")
		require.NoError(t, h.RevokeGrant(t.Context(), g.ID, now))
		require.NoError(t, h.RevokeGrant(t.Context(), g.ID, now.Add(time.Hour)))
		require.Equal(t, 1, h.count(`SELECT count(*) FROM grants WHERE revoked_at = $1`, now))
	})

	t.Run("after their life", func(t *testing.T) {
		t.Parallel()
		h := setup(t)
		g := h.grant(h.session(h.member("amara")), "a")
		_, err := h.LiveGrant(t.Context(), g.ID, g.ExpiresAt.Add(-time.Microsecond))
		require.NoError(t, err)
		_, err = h.LiveGrant(t.Context(), g.ID, g.ExpiresAt)
		require.ErrorIs(t, err, oidcop.ErrNotFound)
	})
}

func TestASessionIsFoundByItsCookieUntilItsEnd(t *testing.T) {
	t.Parallel()
	h := setup(t)
	s := h.session(h.member("amara"))
	found, err := h.Session(t.Context(), s.CookieHash, s.ExpiresAt.Add(-time.Microsecond))
	require.NoError(t, err)
	require.Equal(t, s.SID, found.SID)
	require.Equal(t, s.UID, found.UID)
	_, err = h.Session(t.Context(), s.CookieHash, s.ExpiresAt)
	require.ErrorIs(t, err, oidcop.ErrNotFound)
	_, err = h.Session(t.Context(), []byte("another"), now)
	require.ErrorIs(t, err, oidcop.ErrNotFound)
}
