package rest

import (
	"context"
	"slices"

	billingv1 "serein.app/proto/gen/serein/billing/v1"
	errorsv1 "serein.app/proto/gen/serein/errors/v1"
	restv1 "serein.app/proto/gen/serein/rest/v1"
	"serein.app/services/platform/errs"
)

const newPriceField = "newPriceId"

var errNewPrice = errs.New(errs.Invalid, errorsv1.Reason_REASON_ITEM_NOT_SOLD, "There is no membership of that price, or it can’t be bought at the moment.").On(newPriceField)

// SwitchSubscription changes the caller's plan to that of a price, at once; what it charges is the provider's word of that moment,
// since programs ask for no confirmation. Whatever the request says of credits and names is not used. Where it fails nothing is
// changed. Errors: USER_NOT_FOUND for another member; ITEM_NOT_SOLD; those of billing's ChangePlan.
func (a *API) SwitchSubscription(ctx context.Context, req *restv1.SwitchSubscriptionRequest) (*restv1.SwitchSubscriptionResponse, error) {
	now, err := a.switchTo(ctx, req)
	if err != nil {
		return nil, err
	}
	return &restv1.SwitchSubscriptionResponse{Subscription: a.changed(ctx, now)}, nil
}

func (a *API) switchTo(ctx context.Context, req *restv1.SwitchSubscriptionRequest) (*billingv1.Subscription, error) {
	if err := valid(req); err != nil {
		return nil, err
	}
	if err := ownOnly(ctx, req.GetUid()); err != nil {
		return nil, err
	}
	key, err := keyOrNew(ctx)
	if err != nil {
		return nil, err
	}
	to, err := a.membershipOf(ctx, req.GetNewPriceId())
	if err != nil {
		return nil, err
	}
	if err := a.Checkouts.Allow(ctx, callerOf(ctx).key()); err != nil {
		return nil, err
	}
	res, err := a.Clients.Subscriptions.ChangePlan(ctx, &billingv1.ChangePlanRequest{IdempotencyKey: key, PlanId: to.GetProductId(), Period: to.GetSize()})
	a.View.Acted(callerOf(ctx).uid)
	a.Checkouts.GiveBack(ctx, callerOf(ctx).key(), err)
	return res.GetSubscription(), renamed(err)
}

// membershipOf is the membership that a price is of.
func (a *API) membershipOf(ctx context.Context, price string) (*billingv1.ItemPrice, error) {
	prices, err := a.Prices(ctx)
	if err != nil {
		return nil, errs.ErrUnavailable.Because(err)
	}
	i := slices.IndexFunc(prices, func(p *billingv1.ItemPrice) bool { return isNamed(p, price) })
	if i < 0 || prices[i].GetKind() != billingv1.ItemKind_ITEM_KIND_MEMBERSHIP || !prices[i].GetPurchasable() {
		return nil, errNewPrice
	}
	return prices[i], nil
}
