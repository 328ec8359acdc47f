package cached_test

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"serein.app/services/platform/cached"
)

var errAway = errors.New("away")

// source answers each question by the function answer, which gets the question's number.
type source struct {
	asked  atomic.Int64
	answer func(ctx context.Context, n int64) (int64, error)
	failed []error
}

func (s *source) config() cached.Config[int64] {
	return cached.Config[int64]{
		Ask: func(ctx context.Context) (int64, error) {
			n := s.asked.Add(1)
			if s.answer == nil {
				return n, nil
			}
			return s.answer(ctx, n)
		},
		Time: 2 * time.Second, Life: time.Minute, Pause: 5 * time.Second, Now: time.Now,
		Failed: func(_ context.Context, err error) { s.failed = append(s.failed, err) },
	}
}

func get(t *testing.T, v *cached.Value[int64]) int64 {
	t.Helper()
	got, err := v.Get(t.Context())
	require.NoError(t, err)
	return got
}

func TestManyWhoAskAtOnceAreOneQuestion(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		s := &source{answer: func(_ context.Context, n int64) (int64, error) { <-release; return n, nil }}
		v := cached.New(s.config())
		var asking sync.WaitGroup
		for range 50 {
			asking.Go(func() { require.EqualValues(t, 1, get(t, v)) })
		}
		synctest.Wait()
		close(release)
		asking.Wait()
		require.EqualValues(t, 1, s.asked.Load())
	})
}

func TestWhoCannotWaitLeavesAndTheOthersAreAnswered(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := &source{answer: func(ctx context.Context, n int64) (int64, error) {
			select {
			case <-time.After(time.Second):
				return n, nil
			case <-ctx.Done():
				return 0, ctx.Err()
			}
		}}
		v := cached.New(s.config())
		hurried, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
		defer cancel()
		var others sync.WaitGroup
		begin := time.Now()
		_, err := v.Get(hurried) // the question is this one's, and goes on without it
		require.ErrorIs(t, err, context.DeadlineExceeded)
		require.Equal(t, 10*time.Millisecond, time.Since(begin))
		others.Go(func() { require.EqualValues(t, 1, get(t, v)) })
		others.Wait()
		require.Equal(t, time.Second, time.Since(begin))
	})
}

func TestAQuestionIsCutAfterItsTimeHoweverManyWait(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := &source{answer: func(ctx context.Context, _ int64) (int64, error) { <-ctx.Done(); return 0, ctx.Err() }}
		v := cached.New(s.config())
		begin := time.Now()
		var asking sync.WaitGroup
		for range 50 {
			asking.Go(func() {
				_, err := v.Get(t.Context())
				require.ErrorIs(t, err, context.DeadlineExceeded)
			})
		}
		asking.Wait()
		require.Equal(t, 2*time.Second, time.Since(begin), "they do not wait one after another")
		require.EqualValues(t, 1, s.asked.Load())
	})
}

func TestAFailureIsRememberedForItsPause(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := &source{answer: func(_ context.Context, n int64) (int64, error) {
			if n == 1 {
				return 0, errAway
			}
			return n, nil
		}}
		v := cached.New(s.config())
		for range 3 {
			_, err := v.Get(t.Context())
			require.ErrorIs(t, err, errAway)
		}
		require.EqualValues(t, 1, s.asked.Load())
		require.Equal(t, []error{errAway}, s.failed)
		<-time.After(5 * time.Second)
		require.EqualValues(t, 2, get(t, v))
	})
}

func TestTheLastAnswerServesWhileTheNextIsAskedAndForAsLongAsThereIsNone(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		away := true
		s := &source{answer: func(_ context.Context, n int64) (int64, error) {
			if n > 1 && away {
				return 0, errAway
			}
			return n, nil
		}}
		v := cached.New(s.config())
		require.EqualValues(t, 1, get(t, v))
		<-time.After(time.Minute)
		for range 10 {
			require.EqualValues(t, 1, get(t, v))
			synctest.Wait()
		}
		require.EqualValues(t, 2, s.asked.Load(), "not everybody asks again")
		away = false
		<-time.After(5 * time.Second)
		require.EqualValues(t, 1, get(t, v), "nobody waits for the next")
		synctest.Wait()
		require.EqualValues(t, 3, get(t, v))
	})
}

func TestWhereItIsWaitedForNobodyGetsAnAnswerWhoseLifeIsOverUnlessNoneComes(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := &source{answer: func(ctx context.Context, n int64) (int64, error) {
			if n < 3 {
				return n, nil
			}
			<-ctx.Done()
			return 0, ctx.Err()
		}}
		cfg := s.config()
		cfg.Wait = true
		v := cached.New(cfg)
		require.EqualValues(t, 1, get(t, v))
		<-time.After(time.Minute)
		require.EqualValues(t, 2, get(t, v), "the next")

		<-time.After(time.Minute)
		hurried, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		begin := time.Now()
		got, err := v.Get(hurried)
		require.NoError(t, err)
		require.EqualValues(t, 2, got, "the last, as the next does not come in time")
		require.Equal(t, time.Second, time.Since(begin))
		require.EqualValues(t, 2, get(t, v), "nor at all")
		require.Equal(t, 2*time.Second, time.Since(begin))
		require.EqualValues(t, 2, get(t, v))
		require.Equal(t, 2*time.Second, time.Since(begin), "nobody waits within the pause")
	})
}

func TestAnAnswerWithoutALifeIsNeverAskedForAgain(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := &source{}
		cfg := s.config()
		cfg.Life = 0
		v := cached.New(cfg)
		require.EqualValues(t, 1, get(t, v))
		<-time.After(1000 * time.Hour)
		require.EqualValues(t, 1, get(t, v))
		require.EqualValues(t, 1, s.asked.Load())
	})
}

func TestAPanicIsAFailureAndNotTheEndOfTheProcess(t *testing.T) {
	t.Parallel()
	s := &source{answer: func(context.Context, int64) (int64, error) { panic("out of reach") }}
	_, err := cached.New(s.config()).Get(t.Context())
	require.ErrorContains(t, err, "out of reach")
}

func TestAValueThatCouldNotBeAskedForTellsWhyToEveryoneWhoWaits(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		s := &source{answer: func(context.Context, int64) (int64, error) { <-release; return 0, errAway }}
		v := cached.New(s.config())
		var asking sync.WaitGroup
		for range 10 {
			asking.Go(func() {
				_, err := v.Get(t.Context())
				require.ErrorIs(t, err, errAway)
			})
		}
		synctest.Wait()
		gone, leave := context.WithCancelCause(t.Context())
		errHome := errors.New("went home")
		leave(errHome)
		_, err := v.Get(gone)
		require.ErrorIs(t, err, errHome, "a caller whose context ended gets its cause, not the question's outcome")
		close(release)
		asking.Wait()
		require.EqualValues(t, 1, s.asked.Load())
	})
}

// Two who look at the same moment, the second asking only after the first was answered.
func TestWhoLookedBeforeTheAnswerCameDoesNotAskForItAgain(t *testing.T) {
	t.Parallel()
	for _, life := range []time.Duration{0, time.Minute} {
		s := &source{}
		cfg := s.config()
		cfg.Life = life
		v := cached.New(cfg)
		v.Ask(t.Context())
		v.Ask(t.Context())
		require.EqualValues(t, 1, s.asked.Load(), life)
	}
}
