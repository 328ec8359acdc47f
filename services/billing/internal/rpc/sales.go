package rpc

import (
	"context"
	"net/http"

	"connectrpc.com/connect"
	"github.com/google/uuid"

	"serein.app/proto/gen/serein/billing/v1/billingv1connect"
	"serein.app/services/billing/internal/receipt"
	"serein.app/services/billing/internal/sales"
)

// Seller is what the handlers need of selling.
type Seller interface {
	Prices(ctx context.Context) ([]sales.Item, error)
	Charges() sales.Charges
	Start(ctx context.Context, r sales.Request) (sales.Order, error)
	CompleteCheckout(ctx context.Context, uid, order uuid.UUID) (sales.Order, error)
	Portal(ctx context.Context, uid uuid.UUID) (string, error)
	Orders(ctx context.Context, uid uuid.UUID, below int64, most int32) ([]sales.Order, error)
	Receipt(ctx context.Context, uid, order uuid.UUID) (sales.Order, error)
	Receive(ctx context.Context, payload []byte, signature string) error
}

// SalesHandler answers prices, checkouts, orders and webhooks, one RPC in each file.
type SalesHandler struct {
	seller Seller
	house  receipt.House
}

// NewSales makes the handler. Receipts name house as their issuer.
func NewSales(seller Seller, house receipt.House) *SalesHandler { return &SalesHandler{seller, house} }

// Routes hands every service's path and handler to handle.
func (h *SalesHandler) Routes(handle func(path string, h http.Handler), options ...connect.HandlerOption) {
	handle(billingv1connect.NewPriceServiceHandler(h, options...))
	handle(billingv1connect.NewCheckoutServiceHandler(h, options...))
	handle(billingv1connect.NewOrderServiceHandler(h, options...))
	handle(billingv1connect.NewWebhookServiceHandler(h, options...))
}
