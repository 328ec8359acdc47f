// Package rpc answers billing's services. Handlers check who may see whose credits and
// convert; everything else is the store's.
package rpc

import (
	"context"
	"net/http"
	"time"

	"connectrpc.com/connect"
	"github.com/google/uuid"

	"serein.app/proto/gen/serein/billing/v1/billingv1connect"
	"serein.app/services/billing/internal/credits"
	"serein.app/services/billing/internal/operators"
	"serein.app/services/billing/internal/plans"
	"serein.app/services/platform/auth"
	"serein.app/services/platform/rpc"
)

// LedgerScope lets a service account read every member's ledger.
const LedgerScope = "billing.ledger.read"

// Policy says who may call what. Credits move for generation, and with what is paid for: no call that a browser
// can cause through the gateway changes a balance otherwise.
func Policy() auth.Policy {
	admins := auth.Rule{Services: []string{"gateway"}, Member: true, Admin: true}
	return auth.Policy{
		billingv1connect.AccountServiceGetAccountProcedure:       {Services: []string{"gateway"}, Member: true, Delegated: true},
		billingv1connect.PlanServiceListPlansProcedure:           {Services: []string{"gateway"}},
		billingv1connect.CreditServiceHoldProcedure:              {Services: []string{"generation"}},
		billingv1connect.CreditServiceCaptureProcedure:           {Services: []string{"generation"}},
		billingv1connect.CreditServiceReleaseProcedure:           {Services: []string{"generation"}},
		billingv1connect.CreditServiceRefundProcedure:            {Services: []string{"generation"}},
		billingv1connect.LedgerServiceListLedgerEntriesProcedure: {Services: []string{"gateway"}, Scope: LedgerScope, Member: true},

		billingv1connect.SubscriptionServiceGetSubscriptionProcedure:    {Services: []string{"gateway"}, Member: true},
		billingv1connect.SubscriptionServicePreviewChangeProcedure:      {Services: []string{"gateway"}, Member: true},
		billingv1connect.SubscriptionServiceChangePlanProcedure:         {Services: []string{"gateway"}, Member: true},
		billingv1connect.SubscriptionServiceCancelSubscriptionProcedure: {Services: []string{"gateway"}, Member: true},
		billingv1connect.SubscriptionServiceKeepSubscriptionProcedure:   {Services: []string{"gateway"}, Member: true},
		billingv1connect.SubscriptionServiceTakeCardProcedure:           {Services: []string{"gateway"}, Member: true},
		billingv1connect.ReferralServiceGetReferralsProcedure:           {Services: []string{"gateway"}, Member: true},
		billingv1connect.OperatorServiceCorrectCreditsProcedure:         admins,
		billingv1connect.OperatorServiceResetToTrialProcedure:           admins,
		billingv1connect.OperatorServiceEndSubscriptionProcedure:        admins,

		billingv1connect.PriceServiceListPricesProcedure:          {Services: []string{"gateway"}},
		billingv1connect.CheckoutServiceStartCheckoutProcedure:    {Services: []string{"gateway"}, Member: true},
		billingv1connect.CheckoutServiceCompleteCheckoutProcedure: {Services: []string{"gateway"}, Member: true},
		billingv1connect.CheckoutServiceOpenPortalProcedure:       {Services: []string{"gateway"}, Member: true},
		billingv1connect.OrderServiceListOrdersProcedure:          {Services: []string{"gateway"}, Member: true, Delegated: true},
		billingv1connect.OrderServiceGetReceiptProcedure:          {Services: []string{"gateway"}, Member: true},
		billingv1connect.WebhookServiceReceiveWebhookProcedure:    {Services: []string{"gateway"}}, // its signature proves it
	}
}

// Store is what the handlers need of the database.
type Store interface {
	Account(ctx context.Context, uid uuid.UUID) (credits.Account, error)
	Plans(ctx context.Context) ([]plans.Plan, error)
	Hold(ctx context.Context, r credits.HoldRequest) (credits.Hold, credits.Balance, error)
	Capture(ctx context.Context, id uuid.UUID) error
	Release(ctx context.Context, id uuid.UUID) error
	Refund(ctx context.Context, id uuid.UUID) (int64, error)
	Entries(ctx context.Context, uid uuid.UUID, below credits.Place, most int32) ([]credits.Entry, error)
	OpenHolds(ctx context.Context, uid uuid.UUID) ([]credits.OpenHold, error)
	Referrals(ctx context.Context, uid uuid.UUID) (credits.Referrals, error)
	Operate(ctx context.Context, a operators.Act) (changed int64, err error)
}

// Handler answers all of billing's services, one RPC in each file.
type Handler struct {
	store Store
	now   func() time.Time
	// godControls are operators' acts on plans.
	godControls bool
}

// New makes the handler.
func New(store Store, now func() time.Time, godControls bool) *Handler {
	return &Handler{store, now, godControls}
}

// Routes hands every service's path and handler to handle.
func (h *Handler) Routes(handle func(path string, h http.Handler), options ...connect.HandlerOption) {
	handle(billingv1connect.NewAccountServiceHandler(h, options...))
	handle(billingv1connect.NewPlanServiceHandler(h, options...))
	handle(billingv1connect.NewCreditServiceHandler(h, options...))
	handle(billingv1connect.NewLedgerServiceHandler(h, options...))
	handle(billingv1connect.NewReferralServiceHandler(h, options...))
	handle(billingv1connect.NewOperatorServiceHandler(h, options...))
}

// parseID cannot fail on what the contract's rules have let through.
func parseID(field, text string) (uuid.UUID, error) {
	id, err := uuid.Parse(text)
	if err != nil {
		return uuid.UUID{}, rpc.ErrInvalid.On(field).Because(err)
	}
	return id, nil
}
