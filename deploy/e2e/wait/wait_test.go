package wait_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"serein.app/deploy/e2e/wait"
)

var errDown = errors.New("the part is down")

func TestAnAttemptThatWorksEndsTheWait(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		began, attempts := time.Now(), 0
		require.NoError(t, wait.Until(t.Context(), func(context.Context) error {
			attempts++
			if time.Since(began) < time.Minute {
				return errDown
			}
			return nil
		}))
		require.Less(t, time.Since(began), time.Minute+time.Second, "soon after the state is there")
		require.Less(t, attempts, 60*5, "a long wait asks less than five times a second")
	})
}

func TestAWaitThatEndsSaysTheLastErrorThatNamesACause(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		err := wait.Until(ctx, func(ctx context.Context) error {
			if deadline, _ := ctx.Deadline(); time.Until(deadline) > time.Second/2 {
				return errDown
			}
			<-ctx.Done()
			return ctx.Err()
		})
		require.ErrorIs(t, err, context.DeadlineExceeded)
		require.ErrorIs(t, err, errDown)
	})
}

func TestAFinalErrorEndsTheWaitAtOnce(t *testing.T) {
	t.Parallel()
	attempts := 0
	err := wait.Until(t.Context(), func(context.Context) error {
		attempts++
		return fmt.Errorf("the order: %w", wait.FinalError{Err: errDown})
	})
	require.ErrorIs(t, err, errDown)
	require.Equal(t, 1, attempts)
}
