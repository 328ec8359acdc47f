package web

import (
	"context"

	billingv1 "serein.app/proto/gen/serein/billing/v1"
	errorsv1 "serein.app/proto/gen/serein/errors/v1"
	webv1 "serein.app/proto/gen/serein/web/v1"
	"serein.app/services/platform/errs"
)

// What members may not put into their basket. Billing refuses the same at the checkout.
var (
	errTopUp = errs.New(errs.FailedPrecondition, errorsv1.Reason_REASON_TOP_UP_NOT_ALLOWED,
		"Top-ups come with a membership. Please choose one first.")
	errCurrent = errs.New(errs.FailedPrecondition, errorsv1.Reason_REASON_MEMBERSHIP_CURRENT,
		"You already have this membership.")
	errChange = errs.New(errs.FailedPrecondition, errorsv1.Reason_REASON_MEMBERSHIP_CURRENT,
		"You have a membership. Change it on Memberships, and you’ll only pay the difference.")
)

// mayBuy refuses what a member's plan does not let them buy. Visitors may put everything into their basket. As for roles, only
// permissions come from the view of the member: before a refusal the gateway asks billing again. Errors: TOP_UP_NOT_ALLOWED,
// MEMBERSHIP_CURRENT; UNAVAILABLE while billing does not answer.
func (s *Screens) mayBuy(ctx context.Context, kind webv1.BasketItemKind, i sku) error {
	m := memberOf(ctx)
	if m == nil || !byPlan[kind] {
		return nil
	}
	if account, ok := known(ctx, s.View.Accounts); ok && refusal(account.GetSubscription(), kind, i) == nil {
		return nil
	}
	account, err := s.View.Accounts.Ask(ctx, m.UID)
	if err != nil {
		return errs.ErrUnavailable.Because(err)
	}
	return refusal(account.GetSubscription(), kind, i)
}

// byPlan are the kinds that a plan may forbid to buy. Everybody may buy all else.
var byPlan = map[webv1.BasketItemKind]bool{
	webv1.BasketItemKind_BASKET_ITEM_KIND_CREDIT_PACK: true, webv1.BasketItemKind_BASKET_ITEM_KIND_MEMBERSHIP: true,
}

func refusal(s *billingv1.Subscription, kind webv1.BasketItemKind, i sku) error {
	switch kind { //nolint:exhaustive // see byPlan
	case webv1.BasketItemKind_BASKET_ITEM_KIND_CREDIT_PACK:
		if !topUps(s) {
			return errTopUp
		}
	case webv1.BasketItemKind_BASKET_ITEM_KIND_MEMBERSHIP:
		if onPeriod(s, i.id, i.size) {
			return errCurrent
		}
		if pays(s) {
			return errChange
		}
	}
	return nil
}
