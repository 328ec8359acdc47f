package web

import (
	"context"
	"log/slog"
	"sync/atomic"
	"time"

	"golang.org/x/sync/singleflight"

	billingv1 "serein.app/proto/gen/serein/billing/v1"
	"serein.app/proto/gen/serein/billing/v1/billingv1connect"
	webv1 "serein.app/proto/gen/serein/web/v1"
)

// plans keeps billing's plans: a copy that is due is still shown while the next one is on its
// way, and for as long as billing is away.
type plans struct {
	client billingv1connect.PlanServiceClient
	log    *slog.Logger
	now    func() time.Time
	last   atomic.Pointer[[]*billingv1.Plan]
	askAt  atomic.Int64 // unix nanoseconds
	asking singleflight.Group
}

func newPlans(c billingv1connect.PlanServiceClient, log *slog.Logger, now func() time.Time) *plans {
	return &plans{client: c, log: log, now: now}
}

// get answers the plans, waiting only where there is no copy at all.
func (p *plans) get(ctx context.Context) ([]*billingv1.Plan, error) {
	last := p.last.Load()
	if last != nil && p.now().UnixNano() < p.askAt.Load() {
		return *last, nil
	}
	answer := p.asking.DoChan("", func() (any, error) { return p.ask(context.WithoutCancel(ctx)) })
	if last != nil {
		return *last, nil
	}
	select {
	case result := <-answer:
		found, _ := result.Val.([]*billingv1.Plan)
		return found, result.Err
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

func (p *plans) ask(ctx context.Context) ([]*billingv1.Plan, error) {
	res, err := p.client.ListPlans(ctx, &billingv1.ListPlansRequest{})
	if err != nil {
		p.askAt.Store(p.now().Add(cataloguePause).UnixNano())
		p.log.WarnContext(ctx, "plans not refreshed", "error", err)
		return nil, err
	}
	found := res.GetPlans()
	p.last.Store(&found)
	p.askAt.Store(p.now().Add(catalogueLife).UnixNano())
	return found, nil
}

// trialOffer is what a newcomer gets; nil while billing is away and never answered.
func (p *plans) trialOffer(ctx context.Context) *webv1.TrialOffer {
	ctx, cancel := context.WithTimeout(ctx, partTime)
	defer cancel()
	found, err := p.get(ctx)
	if err != nil {
		return nil
	}
	for _, plan := range found {
		if offer := trialOffer(plan); offer != nil {
			return offer
		}
	}
	return nil
}
