package web

import (
	"context"
	"log/slog"
	"time"

	billingv1 "serein.app/proto/gen/serein/billing/v1"
	"serein.app/proto/gen/serein/billing/v1/billingv1connect"
	webv1 "serein.app/proto/gen/serein/web/v1"
	"serein.app/services/platform/cached"
)

// plans keeps billing's plans.
type plans struct {
	*cached.Value[[]*billingv1.Plan]
}

func newPlans(c billingv1connect.PlanServiceClient, log *slog.Logger, now func() time.Time) *plans {
	return &plans{cached.New(publicAnswer("plans", log, now, func(ctx context.Context) ([]*billingv1.Plan, error) {
		res, err := c.ListPlans(ctx, &billingv1.ListPlansRequest{})
		return res.GetPlans(), err
	}))}
}

// Plans are those that there are, as billing has them. They are shared and never changed.
func (s *Screens) Plans(ctx context.Context) ([]*billingv1.Plan, error) { return s.plans.Get(ctx) }

// noWait has ended, so what waits for it gives up at once.
var noWait = func() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	return ctx
}()

// knownOffer is what a new member gets, if no question is needed to say so.
func (p *plans) knownOffer() (*webv1.TrialOffer, bool) {
	found, err := p.Get(noWait)
	return offerOf(found), err == nil
}

// trialOffer is what a new member gets; nil where billing has not answered since the start.
func (p *plans) trialOffer(ctx context.Context) *webv1.TrialOffer {
	ctx, cancel := context.WithTimeout(ctx, partTime)
	defer cancel()
	found, _ := p.Get(ctx)
	return offerOf(found)
}

func offerOf(plans []*billingv1.Plan) *webv1.TrialOffer {
	for _, plan := range plans {
		if offer := trialOffer(plan); offer != nil {
			return offer
		}
	}
	return nil
}
