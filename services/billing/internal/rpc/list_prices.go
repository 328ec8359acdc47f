package rpc

import (
	"context"

	billingv1 "serein.app/proto/gen/serein/billing/v1"
)

// ListPrices answers every price of the catalogue, as it is charged.
func (h *SalesHandler) ListPrices(ctx context.Context, _ *billingv1.ListPricesRequest) (*billingv1.ListPricesResponse, error) {
	items, err := h.seller.Prices(ctx)
	if err != nil {
		return nil, err
	}
	all := h.seller.Charges()
	res := &billingv1.ListPricesResponse{
		VatPercent: all.VATPercent, DeliveryAmount: all.Delivery, PromotionCodes: all.PromotionCodes, Prices: make([]*billingv1.ItemPrice, len(items)),
	}
	for i, item := range items {
		res.Prices[i] = toProtoItem(item)
	}
	return res, nil
}
