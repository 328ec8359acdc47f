// Package rpc answers billing's three services. Handlers check who may see whose credits and
// convert; everything else is the store's.
package rpc

import (
	"context"
	"net/http"

	"connectrpc.com/connect"
	"github.com/google/uuid"

	"serein.app/proto/gen/serein/billing/v1/billingv1connect"
	"serein.app/services/billing/internal/credits"
	"serein.app/services/platform/auth"
)

// LedgerScope lets a service account read every member's ledger.
const LedgerScope = "billing.ledger.read"

// Policy says who may call what. Credits move for generation only: no call that a browser
// can cause through the gateway changes a balance.
var Policy = auth.Policy{
	billingv1connect.AccountServiceGetAccountProcedure:       {Services: []string{"gateway"}, Member: true},
	billingv1connect.CreditServiceHoldProcedure:              {Services: []string{"generation"}},
	billingv1connect.CreditServiceCaptureProcedure:           {Services: []string{"generation"}},
	billingv1connect.CreditServiceReleaseProcedure:           {Services: []string{"generation"}},
	billingv1connect.LedgerServiceListLedgerEntriesProcedure: {Services: []string{"gateway"}, Scope: LedgerScope, Member: true},
}

// Store is what the handlers need of the database.
type Store interface {
	Account(ctx context.Context, uid uuid.UUID) (credits.Account, error)
	Hold(ctx context.Context, r credits.HoldRequest) (credits.Hold, error)
	Capture(ctx context.Context, id uuid.UUID) error
	Release(ctx context.Context, id uuid.UUID) error
	Entries(ctx context.Context, uid uuid.UUID, below int64, most int32) ([]credits.Entry, error)
}

// Routes hands every service's path and handler to handle.
func Routes(handle func(path string, h http.Handler), accounts *Accounts, c *Credits, ledger *Ledger, options ...connect.HandlerOption) {
	handle(billingv1connect.NewAccountServiceHandler(accounts, options...))
	handle(billingv1connect.NewCreditServiceHandler(c, options...))
	handle(billingv1connect.NewLedgerServiceHandler(ledger, options...))
}
