package rpc

import (
	"context"
	"net/http"
	"time"

	"connectrpc.com/connect"
	"github.com/google/uuid"

	billingv1 "serein.app/proto/gen/serein/billing/v1"
	"serein.app/proto/gen/serein/billing/v1/billingv1connect"
	"serein.app/services/billing/internal/sales"
	"serein.app/services/billing/internal/subscriptions"
)

// Memberships are what the handlers need of the life of a membership.
type Memberships interface {
	Get(ctx context.Context, uid uuid.UUID) (subscriptions.State, error)
	Card(ctx context.Context, of subscriptions.State) (sales.Card, bool)
	TakeCard(ctx context.Context, uid uuid.UUID) error
	PreviewChange(ctx context.Context, uid uuid.UUID, plan, period string) (subscriptions.Quote, error)
	ChangePlan(ctx context.Context, r subscriptions.ChangeRequest) error
	Cancel(ctx context.Context, uid uuid.UUID, why sales.CancelReason) error
	Keep(ctx context.Context, uid uuid.UUID) error
}

// SubscriptionHandler answers what happens to a membership after its first payment, one RPC in each file.
type SubscriptionHandler struct {
	memberships Memberships
	store       Store
	now         func() time.Time
	godControls bool
}

// NewSubscriptions makes the handler. godControls: operators' acts on plans are on.
func NewSubscriptions(memberships Memberships, store Store, now func() time.Time, godControls bool) *SubscriptionHandler {
	return &SubscriptionHandler{memberships, store, now, godControls}
}

// Routes hands the service's path and handler to handle.
func (h *SubscriptionHandler) Routes(handle func(path string, h http.Handler), options ...connect.HandlerOption) {
	handle(billingv1connect.NewSubscriptionServiceHandler(h, options...))
}

// subscription reads a member's plan as every answer shows it.
func (h *SubscriptionHandler) subscription(ctx context.Context, uid uuid.UUID) (*billingv1.Subscription, error) {
	account, err := h.store.Account(ctx, uid)
	if err != nil {
		return nil, err
	}
	return toProtoSubscription(account.Subscription, h.now()), nil
}

// card is what a membership is charged to; nil where none is known soon.
func (h *SubscriptionHandler) card(ctx context.Context, of subscriptions.State) *billingv1.Card {
	card, known := h.memberships.Card(ctx, of)
	if !known {
		return nil
	}
	return &billingv1.Card{Brand: card.Brand, Last4: card.Last4}
}
