package web

import (
	"context"

	basketv1 "serein.app/proto/gen/serein/basket/v1"
	billingv1 "serein.app/proto/gen/serein/billing/v1"
	errorsv1 "serein.app/proto/gen/serein/errors/v1"
	webv1 "serein.app/proto/gen/serein/web/v1"
	"serein.app/services/platform/errs"
	"serein.app/services/platform/rpc"
)

var (
	errEmpty         = errs.New(errs.FailedPrecondition, errorsv1.Reason_REASON_CHECKOUT_EMPTY, "There is nothing in your basket to pay for.")
	errBasketChanged = errs.New(errs.Conflict, errorsv1.Reason_REASON_VERSION_MISMATCH, "Your basket has changed in the meantime. Please check it again.")
)

// Checkout makes one order of the member's basket, or of the one plan that is named, and answers where it is paid. The request
// names no price. The basket is emptied by the paid order, not by this.
func (s *Screens) Checkout(ctx context.Context, req *webv1.CheckoutRequest) (*webv1.CheckoutResponse, error) {
	if req.GetPlanId() != "" {
		if req.GetPeriod() == "" {
			return nil, rpc.ErrInvalid.On("period")
		}
		return s.startCheckout(ctx, req, []*billingv1.CheckoutItem{{ProductId: req.GetPlanId(), Size: req.GetPeriod(), Quantity: 1}})
	}
	has, err := s.Clients.Baskets.GetBasket(ctx, &basketv1.GetBasketRequest{})
	if err != nil {
		return nil, err
	}
	items := toBuy(has.GetBasket())
	switch {
	case has.GetBasket().GetVersion() != req.GetVersion():
		return nil, errBasketChanged
	case len(items) == 0:
		return nil, errEmpty
	}
	started, err := s.startCheckout(ctx, req, items)
	if err != nil {
		return nil, err
	}
	return started, s.checkedOut(ctx, req.GetVersion(), started.GetOrderId())
}

// toBuy is what of a basket is bought now.
func toBuy(b *basketv1.Basket) []*billingv1.CheckoutItem {
	var out []*billingv1.CheckoutItem
	for _, l := range b.GetLines() {
		if l.GetSavedAt() == nil {
			out = append(out, &billingv1.CheckoutItem{ProductId: l.GetProductId(), Size: l.GetSize(), Quantity: l.GetQuantity()})
		}
	}
	return out
}

func (s *Screens) startCheckout(ctx context.Context, req *webv1.CheckoutRequest, items []*billingv1.CheckoutItem) (*webv1.CheckoutResponse, error) {
	m := memberOf(ctx)
	res, err := s.Clients.StartCheckout(ctx, &billingv1.StartCheckoutRequest{
		IdempotencyKey: req.GetRequestId(), Items: items, Email: m.Email, GivenName: m.GivenName, FamilyName: m.FamilyName,
	})
	if err != nil {
		return nil, err
	}
	return &webv1.CheckoutResponse{OrderId: res.GetOrderId(), Url: res.GetUrl()}, nil
}

// checkedOut tells the basket of its order. A basket that changed in between is not what is ordered: its owner looks again, and
// nothing was paid. Where the basket cannot be told, the order stands, and takes what it bought out of the basket all the same.
func (s *Screens) checkedOut(ctx context.Context, version int64, orderID string) error {
	_, err := s.Clients.Baskets.CheckOut(ctx, &basketv1.CheckOutRequest{Version: version, OrderId: orderID})
	if errs.KindOf(err) == errs.Conflict {
		return err
	}
	if err != nil {
		s.log.WarnContext(ctx, "the order was not set in the basket", "order", orderID, "error", err)
	}
	return nil
}
