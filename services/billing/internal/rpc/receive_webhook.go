package rpc

import (
	"context"

	billingv1 "serein.app/proto/gen/serein/billing/v1"
)

// ReceiveWebhook keeps what the payment provider tells, once its signature has been checked.
func (h *SalesHandler) ReceiveWebhook(ctx context.Context, req *billingv1.ReceiveWebhookRequest) (*billingv1.ReceiveWebhookResponse, error) {
	if err := h.seller.Receive(ctx, req.GetPayload(), req.GetSignature()); err != nil {
		return nil, err
	}
	return &billingv1.ReceiveWebhookResponse{}, nil
}
