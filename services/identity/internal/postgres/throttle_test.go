package postgres_test

import (
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"serein.app/services/identity/internal/account"
)

// bucket says in Go what the statement does in SQL.
type bucket struct {
	count                   int
	windowEnds, blockedUnto time.Time
}

func (b *bucket) spend(l account.Limit, at time.Time) bool {
	if at.Before(b.blockedUnto) {
		return false
	}
	fresh := !at.Before(b.windowEnds)
	if fresh {
		b.count = 0
	}
	b.count++
	b.blockedUnto = at
	if b.count >= l.Free {
		pause := l.Delay
		for range min(20, b.count-l.Free) {
			pause = min(l.MaxDelay, pause*2)
		}
		b.blockedUnto = at.Add(min(l.MaxDelay, pause))
	}
	if ends := at.Add(l.MaxDelay); fresh {
		b.windowEnds = at.Add(l.Window)
	} else if ends.After(b.windowEnds) {
		b.windowEnds = ends
	}
	return true
}

func TestAttemptsAreCountedAsTheirLimitSays(t *testing.T) {
	t.Parallel()
	h := setup(t)
	rapid.Check(t, func(r *rapid.T) {
		key, at, model := []byte(uuid.NewString()), now, &bucket{windowEnds: now, blockedUnto: now}
		limit := account.Limit{
			Free: rapid.IntRange(1, 5).Draw(r, "free"), Window: time.Duration(rapid.IntRange(1, 120).Draw(r, "window")) * time.Second,
			Delay: time.Duration(rapid.IntRange(1, 30).Draw(r, "delay")) * time.Second,
		}
		limit.MaxDelay = limit.Delay * time.Duration(rapid.IntRange(1, 8).Draw(r, "max"))
		for range rapid.IntRange(1, 25).Draw(r, "attempts") {
			at = at.Add(time.Duration(rapid.IntRange(0, 40).Draw(r, "seconds")) * time.Second)
			want := model.spend(limit, at)
			got, err := h.Spend(t.Context(), key, limit, at)
			require.NoError(r, err)
			require.Equal(r, want, got, "at %s: %+v", at, model)
		}
	})
}

var hourly = account.Limit{Free: 3, Window: time.Hour, Delay: time.Minute, MaxDelay: time.Hour}

func TestAttemptsSideBySideAreAllCounted(t *testing.T) {
	t.Parallel()
	h := setup(t)
	var admitted atomic.Int32
	var group sync.WaitGroup
	for range 40 {
		group.Go(func() {
			ok, err := h.Spend(t.Context(), []byte("key"), hourly, now)
			if err == nil && ok {
				admitted.Add(1)
			}
		})
	}
	group.Wait()
	require.EqualValues(t, hourly.Free, admitted.Load())
}

// The time of an attempt is read before it waits for its turn, so a later one may be counted first.
func TestAnEarlierAttemptThatIsCountedAfterALaterOneIsNotBlocked(t *testing.T) {
	t.Parallel()
	h := setup(t)
	key, earlier := []byte("key"), now.Add(-time.Millisecond)
	spend := func(at time.Time) {
		ok, err := h.Spend(t.Context(), key, hourly, at)
		require.NoError(t, err)
		require.True(t, ok)
	}
	spend(now)
	spend(earlier)
	require.NoError(t, h.RefundAttempt(t.Context(), key, hourly))
	spend(earlier)
	require.NoError(t, h.RefundAttempt(t.Context(), key, hourly))
	require.NoError(t, h.RefundAttempt(t.Context(), key, hourly))
	spend(now)
	spend(earlier)
	spend(now)
	ok, err := h.Spend(t.Context(), key, hourly, now)
	require.NoError(t, err)
	require.False(t, ok, "the limit counts them all")
}

func TestARefundedAttemptWasNeverMade(t *testing.T) {
	t.Parallel()
	h := setup(t)
	key := []byte("key")
	for range 10 {
		ok, err := h.Spend(t.Context(), key, hourly, now)
		require.NoError(t, err)
		require.True(t, ok, "one that is taken back each time never blocks")
		require.NoError(t, h.RefundAttempt(t.Context(), key, hourly))
	}
	for range 3 {
		_, err := h.Spend(t.Context(), key, hourly, now)
		require.NoError(t, err)
	}
	ok, err := h.Spend(t.Context(), key, hourly, now)
	require.NoError(t, err)
	require.False(t, ok)
	require.NoError(t, h.RefundAttempt(t.Context(), key, hourly))
	ok, err = h.Spend(t.Context(), key, hourly, now)
	require.NoError(t, err)
	require.True(t, ok, "taking one back lifts the pause it began")
	require.NoError(t, h.RefundAttempt(t.Context(), []byte("unknown"), hourly))
	require.Equal(t, 1, h.count(`SELECT count(*) FROM throttles`), "and makes no rows")
}

func TestResetAttemptsForgetsOneKeyAlone(t *testing.T) {
	t.Parallel()
	h := setup(t)
	one, two := []byte("one"), []byte("two")
	for range 3 {
		for _, key := range [][]byte{one, two} {
			_, err := h.Spend(t.Context(), key, hourly, now)
			require.NoError(t, err)
		}
	}
	require.NoError(t, h.ResetAttempts(t.Context(), one))
	ok, err := h.Spend(t.Context(), one, hourly, now)
	require.NoError(t, err)
	require.True(t, ok)
	ok, err = h.Spend(t.Context(), two, hourly, now)
	require.NoError(t, err)
	require.False(t, ok)
}

func TestForgivingSeveralKeysIsTakingBackOneAttemptOrAllOfEach(t *testing.T) {
	t.Parallel()
	h := setup(t)
	for _, tries := range []int{1, 2, hourly.Free, hourly.Free + 1} {
		for _, key := range []string{"shared", "own", "shared at once", "own at once", "untouched"} {
			require.NoError(t, h.ResetAttempts(t.Context(), []byte(key)))
			for range tries {
				_, err := h.Spend(t.Context(), []byte(key), hourly, now)
				require.NoError(t, err)
			}
		}
		require.NoError(t, h.RefundAttempt(t.Context(), []byte("shared"), hourly))
		require.NoError(t, h.ResetAttempts(t.Context(), []byte("own")))
		require.NoError(t, h.ForgiveAttempts(t.Context(), []account.Forgiven{
			{Key: []byte("shared at once"), Free: hourly.Free}, {Key: []byte("own at once")}, {Key: []byte("unknown"), Free: 1}, {Key: []byte("unknown, own")},
		}))
		require.Equal(t, 3, h.count(`SELECT count(*) FROM throttles`), "both that were forgotten are gone, and no row is made")
		require.Equal(t, 1, h.count(`SELECT count(DISTINCT (count, blocked_until, window_ends)) FROM throttles WHERE key IN ('shared', 'shared at once')`), "%d tries", tries)
		require.Equal(t, min(tries, hourly.Free), h.count(`SELECT count FROM throttles WHERE key = 'untouched'`))
	}
}

// Members of one office sign in at once, and share the count of its address.
func TestForgivingTheSameKeysSideBySideWaitsForNobodyForEver(t *testing.T) {
	t.Parallel()
	h := setup(t)
	keys := []account.Forgiven{{Key: []byte("a"), Free: 1000}, {Key: []byte("b"), Free: 1000}, {Key: []byte("c"), Free: 1000}}
	many := account.Limit{Name: "many", Free: 1000, Window: time.Hour, Delay: time.Hour, MaxDelay: time.Hour}
	reversed := slices.Clone(keys)
	slices.Reverse(reversed)
	const rounds = 50
	for range 2 * rounds {
		for _, k := range keys {
			_, err := h.Spend(t.Context(), k.Key, many, now)
			require.NoError(t, err)
		}
	}
	var both sync.WaitGroup
	for _, order := range [][]account.Forgiven{keys, reversed} {
		both.Go(func() {
			for range rounds {
				require.NoError(t, h.ForgiveAttempts(t.Context(), order))
			}
		})
	}
	both.Wait()
	require.Equal(t, 3, h.count(`SELECT count(*) FROM throttles WHERE count = 0`), "each was taken back")
}

func TestAnAttemptIsCountedUpToTheFirstKeyThatMustWait(t *testing.T) {
	t.Parallel()
	h := setup(t)
	all := []account.Spending{{Key: []byte("c"), Limit: hourly}, {Key: []byte("a"), Limit: hourly}, {Key: []byte("b"), Limit: hourly}}
	blocked, _, err := h.SpendAll(t.Context(), all, now)
	require.NoError(t, err)
	require.Equal(t, -1, blocked)
	for range hourly.Free {
		_, err := h.Spend(t.Context(), []byte("a"), hourly, now)
		require.NoError(t, err)
	}
	blocked, wait, err := h.SpendAll(t.Context(), all, now.Add(time.Second))
	require.NoError(t, err)
	require.Equal(t, 1, blocked)
	require.Equal(t, hourly.Delay-time.Second, wait)
	for key, want := range map[string]int{"c": 2, "a": hourly.Free, "b": 1} {
		require.Equal(t, want, h.count(`SELECT count FROM throttles WHERE key = convert_to($1, 'UTF8')`, key), key)
	}
}

// Members of one office sign in at once: each attempt is counted, and taken back.
func TestCountingAndForgivingTheSameKeysSideBySideWaitsForNobodyForEver(t *testing.T) {
	t.Parallel()
	h := setup(t)
	many := account.Limit{Name: "many", Free: 1000, Window: time.Hour, Delay: time.Hour, MaxDelay: time.Hour}
	all := []account.Spending{{Key: []byte("c"), Limit: many}, {Key: []byte("a"), Limit: many}, {Key: []byte("b"), Limit: many}}
	forgiven := []account.Forgiven{{Key: []byte("a"), Free: 1000}, {Key: []byte("b"), Free: 1000}, {Key: []byte("c"), Free: 1000}}
	_, _, err := h.SpendAll(t.Context(), all, now)
	require.NoError(t, err)
	const rounds = 50
	var both sync.WaitGroup
	for range 4 {
		both.Go(func() {
			for range rounds {
				_, _, err := h.SpendAll(t.Context(), all, now)
				require.NoError(t, err)
				require.NoError(t, h.ForgiveAttempts(t.Context(), forgiven))
			}
		})
	}
	both.Wait()
	require.Equal(t, 3, h.count(`SELECT count(*) FROM throttles WHERE count = 1`), "what succeeded was taken back")
}
