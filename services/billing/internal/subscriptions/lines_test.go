package subscriptions_test

import (
	"context"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	eventsv1 "serein.app/proto/gen/serein/events/v1"
	"serein.app/services/billing/internal/plans"
	"serein.app/services/billing/internal/subscriptions"
	"serein.app/services/platform/errs"
	"serein.app/services/testkit/paymentsandbox"
)

// previews quotes a change, whose lines add up to its amount.
func (h *harness) previews(tb testing.TB, uid uuid.UUID, plan, period string) subscriptions.Quote {
	tb.Helper()
	q, err := h.PreviewChange(tb.Context(), uid, plan, period)
	require.NoError(tb, err)
	var sum int64
	for _, line := range q.Lines {
		sum += line.Amount
	}
	require.Equal(tb, q.Amount, sum)
	require.NotEmpty(tb, q.Lines)
	return q
}

func TestAQuoteSaysWhatItsAmountIsMadeOf(t *testing.T) {
	t.Parallel()
	h, sandbox := throughStripe(t)
	uid, _ := joins(t, h, sandbox, paymentsandbox.Accepted)
	h.at(begin.Add(8 * plans.Day))
	q := h.previews(t, uid, "premium", "month")
	require.Equal(t, []subscriptions.QuoteLine{
		{Kind: subscriptions.PlanLine, Plan: "Premium", Amount: 964, Days: 23, PeriodDays: 31},
		{Kind: subscriptions.UnusedLine, Plan: "Core", Amount: -593, Days: 23, PeriodDays: 31},
	}, q.Lines)
	require.Equal(t, int64(371), q.Amount)
	year := h.previews(t, uid, "core", "year")
	require.Equal(t, []subscriptions.QuoteLine{
		{Kind: subscriptions.PlanLine, Plan: "Core", Amount: 7990, Days: 366, PeriodDays: 366},
		{Kind: subscriptions.UnusedLine, Plan: "Core", Amount: -593, Days: 23, PeriodDays: 31},
	}, year.Lines, "the year has a 29 February in it")

	require.NoError(t, h.ChangePlan(t.Context(), change(uid, q)))
	less := h.previews(t, uid, "core", "month")
	require.Equal(t, []int64{593, -964}, []int64{less.Lines[0].Amount, less.Lines[1].Amount})
	require.Equal(t, int64(-371), less.Amount, "credited")
	require.NoError(t, h.ChangePlan(t.Context(), change(uid, less)))
	again := h.previews(t, uid, "premium", "month")
	require.Equal(t, subscriptions.QuoteLine{Kind: subscriptions.BalanceLine, Amount: -371}, again.Lines[2])
	require.Zero(t, again.Amount, "the credit pays it")
	require.Equal(t, int64(1299), again.Next)
	require.NoError(t, h.ChangePlan(t.Context(), change(uid, again)))
	told := events[*eventsv1.SubscriptionChanged](t, h, "subscription.changed")
	require.Len(t, told, 3)
	require.Equal(t, []int64{371, 964, 593}, []int64{told[0].GetAmount(), told[0].GetPlanAmount(), told[0].GetUnusedAmount()})
	require.Zero(t, told[2].GetAmount())
	require.Zero(t, told[2].GetPlanAmount()+told[2].GetUnusedAmount(), "the letter says no sum that does not come to what was charged")
}

// A few pence are not charged by themselves: the provider has them wait for the next payment.
func TestWhatIsTooLittleToChargeIsALineAndIsInTheNextPayment(t *testing.T) {
	t.Parallel()
	h, sandbox := throughStripe(t)
	uid, _ := joins(t, h, sandbox, paymentsandbox.Accepted)
	h.at(begin.AddDate(0, 1, 0).Add(-30 * time.Hour))
	q := h.previews(t, uid, "premium", "month")
	require.Equal(t, []subscriptions.QuoteLine{
		{Kind: subscriptions.PlanLine, Plan: "Premium", Amount: 52, Days: 1, PeriodDays: 31},
		{Kind: subscriptions.UnusedLine, Plan: "Core", Amount: -32, Days: 1, PeriodDays: 31},
		{Kind: subscriptions.WaitingLine, Amount: -20},
	}, q.Lines)
	require.Zero(t, q.Amount)
	require.Equal(t, int64(1299+20), q.Next)
	require.NoError(t, h.ChangePlan(t.Context(), change(uid, q)))
	h.overdue(t, uid)
	h.sweep(t)
	require.Equal(t, q.Next, h.orders(t, uid)[0].Charged())
}

// Whatever was changed before, and whenever: the lines come to what is charged or credited, and it is charged or credited.
func TestTheLinesOfEveryQuoteAddUpToThePenny(t *testing.T) {
	t.Parallel()
	h, sandbox := throughStripe(t)
	uid, _ := joins(t, h, sandbox, paymentsandbox.Accepted)
	random := rand.New(rand.NewPCG(1, 2)) // the same walk each time
	kinds := map[subscriptions.LineKind]int{}
	for range 40 {
		h.pass(time.Duration(random.Int64N(int64(4 * plans.Day))).Truncate(time.Second))
		h.sweep(t)
		to := [][2]string{{"core", "month"}, {"premium", "month"}, {"core", "year"}}[random.IntN(3)]
		if _, err := h.PreviewChange(t.Context(), uid, to[0], to[1]); err != nil {
			require.Contains(t, []string{"MEMBERSHIP_CURRENT", "CHANGE_NOT_POSSIBLE"}, errs.From(err).Word())
			continue
		}
		q := h.previews(t, uid, to[0], to[1])
		for _, line := range q.Lines {
			kinds[line.Kind]++
		}
		charged := len(h.orders(t, uid))
		require.NoError(t, h.ChangePlan(t.Context(), change(uid, q)))
		if q.Amount > 0 {
			require.Equal(t, q.Amount, h.orders(t, uid)[0].Charged())
			charged++
		}
		require.Len(t, h.orders(t, uid), charged)
	}
	require.Equal(t, kinds[subscriptions.PlanLine], kinds[subscriptions.UnusedLine])
	require.NotZero(t, kinds[subscriptions.BalanceLine])
}

// another has a line in its previews that is of no plan.
type another struct{ payments }

func (p another) PreviewChange(ctx context.Context, subscription, price string, at time.Time) (subscriptions.Preview, error) {
	preview, err := p.payments.PreviewChange(ctx, subscription, price, at)
	preview.Amount, preview.Total = preview.Amount+100, preview.Total+100
	preview.Lines = append(preview.Lines, subscriptions.InvoiceLine{PriceID: "price_of_a_hand", Amount: 100})
	return preview, err
}

// less leaves out what the first page of a long invoice does not show.
type less struct{ payments }

func (p less) PreviewChange(ctx context.Context, subscription, price string, at time.Time) (subscriptions.Preview, error) {
	preview, err := p.payments.PreviewChange(ctx, subscription, price, at)
	preview.Lines = preview.Lines[:1]
	return preview, err
}

func TestNoLinesAreSaidWhereTheyWouldNotExplainTheAmount(t *testing.T) {
	t.Parallel()
	for name, provider := range map[string]func(h *harness) payments{
		"another line": func(h *harness) payments { return another{h.provider} },
		"not all":      func(h *harness) payments { return less{h.provider} },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := setupWith(t, provider)
			uid, _ := h.member(t)
			h.at(begin.Add(half))
			q, err := h.PreviewChange(t.Context(), uid, "premium", "month")
			require.NoError(t, err)
			require.Positive(t, q.Amount)
			require.Empty(t, q.Lines)
		})
	}
}
