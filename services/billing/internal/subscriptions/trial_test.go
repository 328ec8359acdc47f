package subscriptions_test

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	eventsv1 "serein.app/proto/gen/serein/events/v1"
	"serein.app/services/billing/internal/credits"
	"serein.app/services/billing/internal/plans"
)

func TestATrialSaysOnceThatItEndsSoonAndOnceThatItHasEnded(t *testing.T) {
	t.Parallel()
	h := setup(t)
	uid := uuid.New()
	h.trial(t, uid)
	h.spend(t, uid, 3)
	ends := begin.Add(7 * plans.Day)
	for _, step := range []struct {
		at            time.Time
		ending, ended int
	}{
		{begin, 0, 0},
		{ends.Add(-2*plans.Day - time.Microsecond), 0, 0},
		{ends.Add(-2 * plans.Day), 1, 0},
		{ends.Add(-time.Microsecond), 1, 0},
		{ends, 1, 1},
		{ends.Add(plans.Day), 1, 1},
	} {
		h.at(step.at)
		h.sweep(t)
		h.sweep(t)
		require.Len(t, events[*eventsv1.TrialEnding](t, h, "trial.ending"), step.ending, step.at)
		require.Len(t, events[*eventsv1.TrialEnded](t, h, "trial.ended"), step.ended, step.at)
	}
	told := events[*eventsv1.TrialEnding](t, h, "trial.ending")[0]
	require.Equal(t, ends, told.GetEndsAt().AsTime())
	require.Equal(t, int64(5), told.GetAvailable())
	require.Equal(t, plans.Ended, h.status(t, uid))
}

// A member who buys has no trial that could end; the row still says that they had one.
func TestBuyingEndsATrialWithoutAWord(t *testing.T) {
	t.Parallel()
	h := setup(t)
	uid := uuid.New()
	h.trial(t, uid)
	h.pass(plans.Day)
	h.buys(t, uid, "core", "month")
	h.at(begin.Add(7 * plans.Day))
	h.sweep(t)
	require.Empty(t, events[*eventsv1.TrialEnding](t, h, "trial.ending"))
	require.Empty(t, events[*eventsv1.TrialEnded](t, h, "trial.ended"))
	a := h.account(t, uid)
	require.Equal(t, plans.Active, a.Subscription.Status(h.clock()))
	require.True(t, a.Subscription.HadTrial)
	require.Equal(t, credits.Balance{PlanAvailable: 20}, a.Balance)
}

// The trial ended days ago while billing was down: billing publishes no event that it ends soon.
func TestATrialThatEndedUnseenIsNotSaidToEndSoon(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.trial(t, uuid.New())
	h.at(begin.Add(9 * plans.Day))
	h.sweep(t)
	require.Empty(t, events[*eventsv1.TrialEnding](t, h, "trial.ending"))
	require.Len(t, events[*eventsv1.TrialEnded](t, h, "trial.ended"), 1)
}

// A shorter trial says so at once.
func TestATrialOfADaySaysAtOnceThatItEndsSoon(t *testing.T) {
	t.Parallel()
	h := setup(t)
	_, err := h.Pool.Exec(t.Context(), `INSERT INTO subscriptions (uid, plan_id, starts_at, ends_at) VALUES (gen_random_uuid(), 'free-trial', $1, $2)`,
		begin, begin.Add(plans.Day))
	require.NoError(t, err)
	h.sweep(t)
	require.Len(t, events[*eventsv1.TrialEnding](t, h, "trial.ending"), 1)
}
