package web

import (
	"context"

	"connectrpc.com/connect"
	"golang.org/x/sync/errgroup"

	"serein.app/gateway/internal/guest"
	basketv1 "serein.app/proto/gen/serein/basket/v1"
	errorsv1 "serein.app/proto/gen/serein/errors/v1"
	webv1 "serein.app/proto/gen/serein/web/v1"
	"serein.app/services/platform/rpc"
)

// GetBasket answers the caller's basket. The first call after a sign-in brings the visitor's along, and their cookie goes; calls
// at the same time bring it once, for which the service answers.
func (s *Screens) GetBasket(ctx context.Context, _ *webv1.GetBasketRequest) (*webv1.GetBasketResponse, error) {
	var found *shopCatalogue
	var has *basketv1.Basket
	var merged bool
	parts, asking := errgroup.WithContext(ctx)
	parts.Go(func() (err error) {
		found, err = s.shopCatalogue(asking)
		return err
	})
	parts.Go(func() (err error) {
		has, merged, err = s.ownBasket(asking)
		return err
	})
	if err := parts.Wait(); err != nil {
		return nil, err
	}
	out := found.basket(has)
	out.Merged = merged
	return &webv1.GetBasketResponse{Basket: out}, nil
}

// ownBasket is the member's basket with what they had put into it as a visitor, or the visitor's; nil for a visitor without a basket.
func (s *Screens) ownBasket(ctx context.Context) (has *basketv1.Basket, merged bool, err error) {
	signedIn, before := memberOf(ctx) != nil, guest.IDFrom(headerOf(ctx))
	switch {
	case signedIn && before != "":
		return s.mergeBasket(ctx, before)
	case signedIn || before != "":
		res, err := s.Clients.Baskets.GetBasket(ctx, &basketv1.GetBasketRequest{GuestId: before})
		return res.GetBasket(), false, err
	}
	return nil, false, nil
}

func (s *Screens) mergeBasket(ctx context.Context, before string) (has *basketv1.Basket, merged bool, err error) {
	res, err := s.Clients.Baskets.Merge(ctx, &basketv1.MergeRequest{GuestId: before})
	switch {
	case err == nil:
	case rpc.Declared(err).Reason == errorsv1.Reason_REASON_BASKET_FULL:
		// The member sees what they have and can make room; the visitor's waits, and comes along then.
		res, err := s.Clients.Baskets.GetBasket(ctx, &basketv1.GetBasketRequest{})
		return res.GetBasket(), false, err
	default:
		return nil, false, err
	}
	if call, ok := connect.CallInfoForHandlerContext(ctx); ok {
		guest.ClearCookie(call.ResponseHeader())
	}
	return res.GetBasket(), res.GetMerged(), nil
}
