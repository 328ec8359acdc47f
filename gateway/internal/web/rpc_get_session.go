package web

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"

	"google.golang.org/protobuf/types/known/timestamppb"

	"serein.app/gateway/internal/session"
	"serein.app/gateway/internal/view"
	billingv1 "serein.app/proto/gen/serein/billing/v1"
	webv1 "serein.app/proto/gen/serein/web/v1"
)

// GetSession says who is signed in, with plan, credits, role and the number beside My Journey, what
// new members are offered, and which texts they agree to. Names come from the session; a service that is away leaves its part
// out.
func (s *Screens) GetSession(ctx context.Context, _ *webv1.GetSessionRequest) (*webv1.GetSessionResponse, error) {
	return s.session(ctx), nil
}

func (s *Screens) session(ctx context.Context) *webv1.GetSessionResponse {
	out := &webv1.GetSessionResponse{ServerTime: timestamppb.New(s.Now())}
	var parts sync.WaitGroup
	if offer, ok := s.plans.knownOffer(); ok {
		out.TrialOffer = offer
	} else {
		parts.Go(func() { out.TrialOffer = s.plans.trialOffer(ctx) })
	}
	m := memberOf(ctx)
	var journey atomic.Int32
	if m != nil {
		out.Member = &webv1.Member{Uid: m.UID, GivenName: m.GivenName, FamilyName: m.FamilyName, Email: m.Email}
		fill(ctx, s, &parts, s.View.Accounts, withoutAccount, func(a *billingv1.GetAccountResponse) {
			out.Member.Plan, out.Member.Credits = plan(a.GetSubscription()), credits(a.GetBalance())
		})
		for _, p := range []*view.Part[int32]{s.View.Journeys, s.View.Saved} {
			fill(ctx, s, &parts, p, withoutJourney, func(count int32) { journey.Add(count) })
		}
	}
	// After those that are asked for beside it, since whom to ask for consent needs it.
	if texts, err := s.texts.published(ctx); err == nil {
		out.TermsVersion = texts.String()
	}
	if m != nil {
		p := s.person(ctx, out.GetTermsVersion())
		out.Member.Admin, out.Member.ConsentsMissing, out.Member.Analytics = p.admin, p.consentsMissing, p.analytics
	}
	parts.Wait()
	if m != nil {
		out.Member.JourneyCount = journey.Load()
	}
	return out
}

// Boot is GetSession's answer for the page's boot block; null where the session cannot be checked now: a member is no visitor because
// of that, and the app asks again.
func (c *caller) Boot(ctx context.Context) []byte {
	if c.unchecked != nil && !errors.Is(c.unchecked, session.ErrNone) {
		return []byte("null")
	}
	return c.boot(c.in(ctx))
}

func (s *Screens) boot(ctx context.Context) []byte {
	boot, err := s.boots.of(s.session(ctx))
	if err != nil {
		s.log.ErrorContext(ctx, "no boot data", "error", err)
		return []byte("null")
	}
	return boot
}
