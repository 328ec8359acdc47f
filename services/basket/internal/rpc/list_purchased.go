package rpc

import (
	"context"
	"encoding/base64"
	"encoding/json"

	"google.golang.org/protobuf/types/known/timestamppb"

	basketv1 "serein.app/proto/gen/serein/basket/v1"
	errorsv1 "serein.app/proto/gen/serein/errors/v1"
	"serein.app/services/basket/internal/basket"
	"serein.app/services/platform/auth"
	"serein.app/services/platform/errs"
)

// defaultPage is the size of a page where none is asked for.
const defaultPage = 20

// ListPurchased pages through what a member has bought, the newest first.
func (h *Handler) ListPurchased(ctx context.Context, req *basketv1.ListPurchasedRequest) (*basketv1.ListPurchasedResponse, error) {
	uid, err := auth.MemberID(ctx)
	if err != nil {
		return nil, err
	}
	before, err := fromPageToken(req.GetPageToken())
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
		res.NextPageToken = toPageToken(items[size-1].Place())
	}
	for _, i := range items {
		res.Items = append(res.Items, &basketv1.PurchasedItem{
			OrderId: i.OrderID.String(), ProductId: i.ProductID, Name: i.Name, Size: i.Size, Quantity: i.Quantity,
			UnitAmount: i.UnitAmount, Currency: i.Currency, PurchasedAt: timestamppb.New(i.At), Cause: string(i.Cause),
		})
	}
	return res, nil
}

var errPageToken = errs.New(errs.Invalid, errorsv1.Reason_REASON_PAGE_TOKEN_INVALID, "That page does not exist. Please start at the first one.").On("page_token")

// toPageToken is a place in the list, opaque so that nobody builds one.
func toPageToken(place basket.Place) string {
	data, _ := json.Marshal(place) // of a time, an id and a number: cannot fail
	return base64.RawURLEncoding.EncodeToString(data)
}

// fromPageToken reads a place; before everything where there is no token.
func fromPageToken(token string) (place basket.Place, err error) {
	if token == "" {
		return basket.Newest, nil
	}
	data, err := base64.RawURLEncoding.DecodeString(token)
	if err == nil {
		err = json.Unmarshal(data, &place)
	}
	if err != nil {
		return place, errPageToken.Because(err)
	}
	return place, nil
}
