package password

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"serein.app/services/identity/internal/account"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestHash(t *testing.T) {
	t.Parallel()
	h := New(OWASP, 2, time.Minute)

	t.Run("it proves its own password and no other, and never looks the same", func(t *testing.T) {
		t.Parallel()
		one, err := h.Hash(t.Context(), "three unrelated pebbles")
		require.NoError(t, err)
		two, err := h.Hash(t.Context(), "three unrelated pebbles")
		require.NoError(t, err)
		require.NotEqual(t, one, two)
		require.True(t, strings.HasPrefix(one, "$argon2id$v=19$m=19456,t=2,p=1$"), one)
		for password, want := range map[string]bool{"three unrelated pebbles": true, "three unrelated pebble": false, "": false} {
			match, stale, err := h.Verify(t.Context(), password, one)
			require.NoError(t, err)
			require.Equal(t, want, match)
			require.False(t, stale)
		}
	})

	t.Run("a hash made with older parameters still proves, and says that it is old", func(t *testing.T) {
		t.Parallel()
		old, err := New(Parameters{Memory: 64, Passes: 1, Lanes: 1}, 1, time.Minute).Hash(t.Context(), "pebbles")
		require.NoError(t, err)
		match, stale, err := h.Verify(t.Context(), "pebbles", old)
		require.NoError(t, err)
		require.True(t, match)
		require.True(t, stale)
	})

	t.Run("a damaged or monstrous hash is an error, not a match and not a flood", func(t *testing.T) {
		t.Parallel()
		good, err := h.Hash(t.Context(), "x")
		require.NoError(t, err)
		for _, phc := range []string{
			"", "$", strings.Replace(good, "argon2id", "argon2i", 1), strings.Replace(good, "m=19456", "m=4294967295", 1),
			strings.Replace(good, "t=2", "t=0", 1), strings.Replace(good, "p=1", "p=0", 1), good[:len(good)-40], good + "$",
		} {
			match, _, err := h.Verify(t.Context(), "x", phc)
			require.Error(t, err, phc)
			require.False(t, match)
		}
	})

	t.Run("wasting matches nothing", func(t *testing.T) {
		t.Parallel()
		require.NoError(t, h.VerifyDummy(t.Context(), "anything"))
	})
}

func TestAFloodWaitsAndIsThenRefused(t *testing.T) {
	t.Parallel()
	h := New(Parameters{Memory: 64, Passes: 1, Lanes: 1}, 1, 10*time.Millisecond)
	h.slots <- struct{}{} // somebody is hashing
	var group sync.WaitGroup
	for range 20 {
		group.Go(func() {
			_, err := h.Hash(t.Context(), "x")
			require.ErrorIs(t, err, account.ErrTooManyRequests)
		})
	}
	group.Wait()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := New(OWASP, 0, time.Minute).Hash(ctx, "x")
	require.ErrorIs(t, err, context.Canceled)
	<-h.slots
	_, err = h.Hash(t.Context(), "x")
	require.NoError(t, err)
}

func TestWhoeverGivesUpWaitingHoldsNoSlot(t *testing.T) {
	t.Parallel()
	h := New(Parameters{Memory: 64, Passes: 1, Lanes: 1}, 1, time.Minute)
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	h.slots <- struct{}{} // the only slot is taken
	_, err := h.Hash(gone, "three unrelated pebbles")
	require.ErrorIs(t, err, context.Canceled)
	require.ErrorIs(t, h.VerifyDummy(gone, "three unrelated pebbles"), context.Canceled)
	<-h.slots
	_, err = h.Hash(t.Context(), "three unrelated pebbles")
	require.NoError(t, err, "the slot is free again")
	require.Empty(t, h.slots)
}
