package web

import (
	"context"
	"sync"

	basketv1 "serein.app/proto/gen/serein/basket/v1"
	billingv1 "serein.app/proto/gen/serein/billing/v1"
	webv1 "serein.app/proto/gen/serein/web/v1"
	"serein.app/services/platform/errs"
)

// GetMembership answers the member's subscription, what it costs and what they have bought. Without billing there is nothing to
// show of a subscription, and none is claimed to be missing: UNAVAILABLE. The other parts are left out where they do not come soon.
func (s *Screens) GetMembership(ctx context.Context, _ *webv1.GetMembershipRequest) (*webv1.GetMembershipResponse, error) {
	out := &webv1.GetMembershipResponse{}
	var parts sync.WaitGroup
	parts.Go(func() { out.Purchased = s.purchased(ctx) })
	parts.Go(func() { out.HasCard = s.hasPaid(ctx) })
	account, ok := part(ctx, s, s.View.Accounts, withoutAccount)
	parts.Wait()
	if !ok {
		return nil, errs.ErrUnavailable
	}
	subscription := account.GetSubscription()
	out.PlanName, out.Period, out.Trial = subscription.GetPlanName(), subscription.GetPeriod(), onTrial(subscription)
	out.StartsAt, out.EndsAt = subscription.GetStartsAt(), subscription.GetEndsAt()
	out.Active, out.Renews = subscription.GetActive(), subscription.GetRenews()
	if out.GetPeriod() != "" {
		out.Price = s.priceOf(ctx, sku{subscription.GetPlanId(), out.GetPeriod()})
	}
	return out, nil
}

// priceOf a plan; nil where billing does not say soon.
func (s *Screens) priceOf(ctx context.Context, i sku) *webv1.Money {
	ctx, cancel := context.WithTimeout(ctx, partTime)
	defer cancel()
	charged, _ := s.shop.prices.Get(ctx) // its failures are logged where they are found
	costs, _ := charged.money(i, nil)
	return costs
}

// purchased are the newest things that the member has bought.
func (s *Screens) purchased(ctx context.Context) []*webv1.PurchasedItem {
	ctx, cancel := context.WithTimeout(ctx, partTime)
	defer cancel()
	res, err := s.Clients.Baskets.ListPurchased(ctx, &basketv1.ListPurchasedRequest{})
	if err != nil {
		s.log.WarnContext(ctx, "shown without what was bought", "error", err)
	}
	return each(res.GetItems(), purchasedItem)
}

func purchasedItem(i *basketv1.PurchasedItem) *webv1.PurchasedItem {
	return &webv1.PurchasedItem{
		OrderId: i.GetOrderId(), Name: i.GetName(), Size: i.GetSize(), Quantity: i.GetQuantity(),
		Price: money(i.GetUnitAmount(), i.GetCurrency()), PurchasedAt: i.GetPurchasedAt(),
	}
}

// hasPaid says that an order of the member's was paid, by which the provider knows their card.
func (s *Screens) hasPaid(ctx context.Context) bool {
	ctx, cancel := context.WithTimeout(ctx, partTime)
	defer cancel()
	res, err := s.Clients.Orders.ListOrders(ctx, &billingv1.ListOrdersRequest{PageSize: 1})
	if err != nil {
		s.log.WarnContext(ctx, "shown without whether anything was paid", "error", err)
	}
	return len(res.GetOrders()) > 0
}
