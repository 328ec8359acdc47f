package rpc

import (
	"context"
	"math"

	billingv1 "serein.app/proto/gen/serein/billing/v1"
	"serein.app/services/platform/auth"
	"serein.app/services/platform/pagetoken"
)

// defaultOrders is the number of orders on a page when the caller asks for none.
const defaultOrders = 20

// ListOrders pages through the member's orders that were paid, the newest first.
func (h *SalesHandler) ListOrders(ctx context.Context, req *billingv1.ListOrdersRequest) (*billingv1.ListOrdersResponse, error) {
	uid, err := auth.MemberID(ctx)
	if err != nil {
		return nil, err
	}
	below, err := pagetoken.Decode(req.GetPageToken(), int64(math.MaxInt64))
	if err != nil {
		return nil, err
	}
	size := req.GetPageSize()
	if size == 0 {
		size = defaultOrders
	}
	orders, err := h.seller.Orders(ctx, uid, below, size+1)
	if err != nil {
		return nil, err
	}
	res := &billingv1.ListOrdersResponse{}
	if len(orders) > int(size) {
		orders = orders[:size]
		res.NextPageToken = pagetoken.Encode(orders[size-1].Sequence)
	}
	for _, o := range orders {
		res.Orders = append(res.Orders, toProtoOrder(o))
	}
	return res, nil
}
