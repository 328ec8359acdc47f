package web

import (
	"context"
	"slices"
	"sync"

	"serein.app/gateway/internal/guest"
	basketv1 "serein.app/proto/gen/serein/basket/v1"
	billingv1 "serein.app/proto/gen/serein/billing/v1"
)

// viewer is who looks at what is sold.
type viewer struct {
	signedIn bool
	// account is nil for visitors, and where billing does not answer.
	account *billingv1.GetAccountResponse
	// basket holds what they would buy now.
	basket map[sku]bool
}

// viewer asks for what the cards of the caller depend on. What does not answer soon is left out.
func (s *Screens) viewer(ctx context.Context) *viewer {
	v := &viewer{signedIn: memberOf(ctx) != nil, basket: map[sku]bool{}}
	var parts sync.WaitGroup
	parts.Go(func() {
		for _, line := range s.knownBasket(ctx).GetLines() {
			if line.GetSavedAt() == nil {
				v.basket[sku{line.GetProductId(), line.GetSize()}] = true
			}
		}
	})
	if v.signedIn {
		v.account = s.account(ctx)
	}
	parts.Wait()
	return v
}

// knownBasket is the caller's basket; nil where they have none, and where it is not answered soon.
func (s *Screens) knownBasket(ctx context.Context) *basketv1.Basket {
	id := guestOf(ctx)
	if memberOf(ctx) == nil && id == "" {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, partTime)
	defer cancel()
	res, err := s.Clients.Baskets.GetBasket(ctx, &basketv1.GetBasketRequest{GuestId: id})
	if err != nil {
		s.without(ctx, "what is in the basket", err)
	}
	return res.GetBasket()
}

// guestOf is the id of a visitor's basket; empty where they have none, and for members.
func guestOf(ctx context.Context) string {
	if memberOf(ctx) != nil {
		return ""
	}
	return guest.IDFrom(headerOf(ctx))
}

// onPlan says whether that is the member's running plan.
func onPlan(s *billingv1.Subscription, id string) bool { return s.GetActive() && s.GetPlanId() == id }

// onPeriod says whether they pay for it by that period; a running plan without one has both.
func onPeriod(s *billingv1.Subscription, id, period string) bool {
	return onPlan(s, id) && (s.GetPeriod() == "" || s.GetPeriod() == period)
}

// pays says that a plan runs which is paid every period.
func pays(s *billingv1.Subscription) bool { return s.GetActive() && s.GetPeriod() != "" }

// mayChange says whether what is paid every period can be changed to another plan just now: not while it is to end, or its last
// payment is due.
func mayChange(s *billingv1.Subscription) bool {
	return s.GetStatus() != billingv1.SubscriptionStatus_SUBSCRIPTION_STATUS_CANCELLING &&
		s.GetStatus() != billingv1.SubscriptionStatus_SUBSCRIPTION_STATUS_GRACE
}

// onTrial says that the trial is what they have, running or over.
func onTrial(s *billingv1.Subscription) bool {
	return s.GetPlanKind() == billingv1.PlanKind_PLAN_KIND_TRIAL
}

// topUps says whether they may buy credits.
func topUps(s *billingv1.Subscription) bool {
	return !onTrial(s) && slices.Contains(s.GetEntitlements(), "top_up")
}

// seen is what is sold, and who looks at it.
func (s *Screens) seen(ctx context.Context) (*shopCatalogue, *viewer, error) {
	var v *viewer
	var parts sync.WaitGroup
	parts.Go(func() { v = s.viewer(ctx) })
	found, err := s.shopCatalogue(ctx)
	parts.Wait()
	return found, v, err
}
