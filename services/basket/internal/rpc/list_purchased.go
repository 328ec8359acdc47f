package rpc

import (
	"context"

	"google.golang.org/protobuf/types/known/timestamppb"

	basketv1 "serein.app/proto/gen/serein/basket/v1"
	"serein.app/services/basket/internal/basket"
	"serein.app/services/platform/auth"
	"serein.app/services/platform/pagetoken"
)

// defaultPage is the size of a page where none is asked for.
const defaultPage = 20

// ListPurchased pages through what a member has bought, the newest first.
func (h *Handler) ListPurchased(ctx context.Context, req *basketv1.ListPurchasedRequest) (*basketv1.ListPurchasedResponse, error) {
	uid, err := auth.MemberID(ctx)
	if err != nil {
		return nil, err
	}
	before, err := pagetoken.Decode(req.GetPageToken(), basket.Newest)
	if err != nil {
		return nil, err
	}
	size := int(req.GetPageSize())
	if size == 0 {
		size = defaultPage
	}
	items, err := h.store.Purchased(ctx, uid, before, size+1)
	if err != nil {
		return nil, err
	}
	res := &basketv1.ListPurchasedResponse{}
	if len(items) > size {
		items = items[:size]
		res.NextPageToken = pagetoken.Encode(items[size-1].Place())
	}
	for _, i := range items {
		res.Items = append(res.Items, &basketv1.PurchasedItem{
			OrderId: i.OrderID.String(), ProductId: i.ProductID, Name: i.Name, Size: i.Size, Quantity: i.Quantity,
			UnitAmount: i.UnitAmount, Currency: i.Currency, PurchasedAt: timestamppb.New(i.At), Cause: string(i.Cause),
		})
	}
	return res, nil
}
