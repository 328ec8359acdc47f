package press_test

import (
	"context"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"serein.app/gateway/internal/press"
	"serein.app/gateway/internal/ratelimit"
	errorsv1 "serein.app/proto/gen/serein/errors/v1"
	generationv1 "serein.app/proto/gen/serein/generation/v1"
	"serein.app/proto/gen/serein/generation/v1/generationv1connect"
	"serein.app/services/platform/errs"
	"serein.app/services/platform/guard"
	"serein.app/services/platform/rpc"
	"serein.app/services/testkit"
	"serein.app/services/testkit/clock"
	"serein.app/services/testkit/redistest"
)

var (
	errNeedsCare = errs.New(errs.FailedPrecondition, errorsv1.Reason_REASON_TITLE_NEEDS_CARE, "You are not alone.")
	errCredits   = errs.New(errs.FailedPrecondition, errorsv1.Reason_REASON_INSUFFICIENT_CREDITS, "Too few.")
)

const (
	crisis = "I want to die"
	calm   = "A kind evening"
)

// generation judges titles; refusal is its answer to a creation whose title is allowed.
type generation struct {
	generationv1connect.MeditationServiceClient

	refusal           error
	creations, checks int
}

func (g *generation) CheckTitle(_ context.Context, req *generationv1.CheckTitleRequest) (*generationv1.CheckTitleResponse, error) {
	g.checks++
	return &generationv1.CheckTitleResponse{}, judge(req.GetTitle())
}

func judge(title string) error {
	if title == crisis {
		return errNeedsCare
	}
	return nil
}

type harness struct {
	generation

	gate  press.Gate
	clock *clock.Clock
}

// setup allows three presses and five titles at once, and another of each after a minute.
func setup(t *testing.T) *harness {
	t.Helper()
	h := &harness{clock: clock.New()}
	rdb := redis.NewClient(&redis.Options{Addr: redistest.New(t).Addr(), MaxRetries: -1, DisableIdentity: true})
	t.Cleanup(func() { _ = rdb.Close() })
	limiter := func(name string, burst int) *ratelimit.Limiter {
		return ratelimit.NewLimiter(guard.Limit{Name: name, Count: 60, Per: time.Hour, Burst: burst}, rdb, testkit.Logger(t), h.clock.Now)
	}
	h.gate = press.Gate{Presses: limiter("generate", 3), Titles: limiter("check-title", 5), Meditations: &h.generation}
	return h
}

func (h *harness) press(t *testing.T, title string) error {
	t.Helper()
	return h.gate.Through(t.Context(), "ada", title, func() error {
		h.creations++
		if err := judge(title); err != nil {
			return err
		}
		return h.refusal
	})
}

func TestWhatGenerationRefusesForAnotherReasonStaysCounted(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.refusal = errCredits
	for range 3 {
		require.ErrorIs(t, h.press(t, calm), errCredits)
	}
	require.ErrorIs(t, h.press(t, calm), guard.ErrTooMany)
	require.Equal(t, 3, h.creations)
}

func TestACallerWhoTriesTitlesUsesUpTheLimitOfTitlesAndThenThePresses(t *testing.T) {
	t.Parallel()
	h := setup(t)
	for range 5 + 3 {
		require.ErrorIs(t, h.press(t, crisis), errNeedsCare)
	}
	require.ErrorIs(t, h.press(t, crisis), guard.ErrTooMany)
	require.ErrorIs(t, h.press(t, calm), guard.ErrTooMany)
	require.Equal(t, 8, h.creations)
	require.Zero(t, h.checks)
	h.clock.Move(time.Minute)
	require.ErrorIs(t, h.press(t, crisis), errNeedsCare, "care returns with the time")
}

// A request that breaks the contract's rules is refused before its title is read.
func TestTheTitleOfAnInvalidRequestIsJudgedToo(t *testing.T) {
	t.Parallel()
	h := setup(t)
	invalid := func(title string) error {
		return h.gate.Through(t.Context(), "ada", title, func() error { return rpc.ErrInvalid.On("practice_id") })
	}
	require.ErrorIs(t, invalid(crisis), errNeedsCare)
	require.ErrorIs(t, invalid(calm), rpc.ErrInvalid)
	require.Equal(t, 2, h.checks)
}
