package web

import (
	"context"
	"sync"
	"time"

	basketv1 "serein.app/proto/gen/serein/basket/v1"
	billingv1 "serein.app/proto/gen/serein/billing/v1"
	webv1 "serein.app/proto/gen/serein/web/v1"
	"serein.app/services/platform/deadline"
	"serein.app/services/platform/errs"
)

// membershipTime bounds the question for the one part that Members Area cannot do without. Billing may ask the payment provider.
var membershipTime = deadline.Of(4 * time.Second)

// GetMembership answers the member's subscription, what they have bought, the invitation and which letters they wish. Without
// billing there is nothing to show of a subscription, and none is claimed to be missing: UNAVAILABLE. The other parts are left out
// where they do not come soon.
func (s *Screens) GetMembership(ctx context.Context, _ *webv1.GetMembershipRequest) (*webv1.GetMembershipResponse, error) {
	out := &webv1.GetMembershipResponse{}
	var (
		parts sync.WaitGroup
		offer *webv1.TrialOffer
		admin bool
	)
	parts.Go(func() { out.Purchased = s.purchased(ctx) })
	parts.Go(func() { out.HasCard = s.hasPaid(ctx) })
	parts.Go(func() { out.Invitation = s.invitation(ctx) })
	parts.Go(func() { out.Letters = s.letters(ctx) })
	parts.Go(func() { offer = s.plans.trialOffer(ctx) })
	parts.Go(func() { admin = s.Roles.CachedAdmin(ctx, memberOf(ctx).UID) })
	res, err := s.subscription(ctx)
	parts.Wait()
	if err != nil {
		return nil, err
	}
	out.Membership = membership(res.GetSubscription(), offer.GetCredits())
	out.Membership.CardLast4, out.Membership.NextAttempt = res.GetCard().GetLast4(), res.GetNextAttempt()
	out.GodControls = res.GetGodControls() && admin
	return out, nil
}

func (s *Screens) subscription(ctx context.Context) (*billingv1.GetSubscriptionResponse, error) {
	ctx, cancel := context.WithTimeout(ctx, membershipTime)
	defer cancel()
	res, err := s.Clients.Subscriptions.GetSubscription(ctx, &billingv1.GetSubscriptionRequest{})
	if err != nil {
		return nil, errs.ErrUnavailable.Because(err)
	}
	return res, nil
}

// purchased are the newest things that the member has bought.
func (s *Screens) purchased(ctx context.Context) []*webv1.PurchasedItem {
	ctx, cancel := context.WithTimeout(ctx, partTime)
	defer cancel()
	res, err := s.Clients.Baskets.ListPurchased(ctx, &basketv1.ListPurchasedRequest{})
	if err != nil {
		s.without(ctx, "what was bought", err)
	}
	return each(res.GetItems(), purchasedItem)
}

func purchasedItem(i *basketv1.PurchasedItem) *webv1.PurchasedItem {
	return &webv1.PurchasedItem{
		OrderId: i.GetOrderId(), Name: i.GetName(), Size: i.GetSize(), Quantity: i.GetQuantity(),
		Price: money(i.GetUnitAmount(), i.GetCurrency()), PurchasedAt: i.GetPurchasedAt(), Cause: i.GetCause(),
	}
}

// hasPaid says that an order of the member's was paid, by which the provider knows their card.
func (s *Screens) hasPaid(ctx context.Context) bool {
	ctx, cancel := context.WithTimeout(ctx, partTime)
	defer cancel()
	res, err := s.Clients.Orders.ListOrders(ctx, &billingv1.ListOrdersRequest{PageSize: 1})
	if err != nil {
		s.without(ctx, "whether anything was paid", err)
	}
	return len(res.GetOrders()) > 0
}
