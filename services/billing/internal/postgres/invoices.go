package postgres

import (
	"context"
	"crypto/sha256"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"serein.app/services/billing/internal/events"
	"serein.app/services/billing/internal/sales"
	"serein.app/services/billing/internal/subscriptions"
)

// addOrders makes an order of each payment, and gives their ids by the invoices. What is not given any more is returned.
func (s *Store) addOrders(ctx context.Context, tx pgx.Tx, of subscriptions.State, payments []subscriptions.Payment) (map[string]uuid.UUID, error) {
	if len(payments) == 0 {
		return nil, nil
	}
	known := make([]string, len(payments))
	for i, p := range payments {
		known[i] = p.Invoice.ID
	}
	there, err := s.queries.InvoicesWithOrder(ctx, tx, known)
	if err == nil && len(there) > 0 {
		err = subscriptions.ErrStale // somebody was faster
	}
	made := map[string]uuid.UUID{}
	for _, p := range payments {
		if err == nil {
			made[p.Invoice.ID], err = s.addOrder(ctx, tx, of, p)
		}
	}
	return made, err
}

// addOrder writes one paid invoice into the books.
func (s *Store) addOrder(ctx context.Context, tx pgx.Tx, of subscriptions.State, p subscriptions.Payment) (uuid.UUID, error) {
	id, err := s.newID()
	if err != nil {
		return id, err
	}
	at := s.now()
	o, err := s.insert(ctx, tx, s.orderOf(id, of, p, at))
	if err != nil {
		return id, err
	}
	state := sales.Completed
	if !p.Keep {
		state = sales.Refunding
	}
	paid := sales.Paid{
		Session:      sales.Session{Payment: p.Invoice.Payment, Amount: p.Invoice.Charged, FromBalance: p.FromBalance, Currency: p.Invoice.Currency, PaidBy: p.PaidBy},
		Subscription: sales.ProviderSubscription{ID: of.ID, PeriodStart: p.PeriodStart},
	}
	if err := s.pay(ctx, tx, o, paid, state, at); err != nil {
		return id, err
	}
	if state == sales.Refunding {
		return id, s.work.ReturnPayment(ctx, tx, id)
	}
	if err := s.rewardReferral(ctx, tx, o.UID, o, p.CardFingerprint); err != nil {
		return id, err
	}
	return id, s.outbox.Add(ctx, tx, events.OrderCompleted(o, at, p.PeriodEnd))
}

func (s *Store) orderOf(id uuid.UUID, of subscriptions.State, p subscriptions.Payment, at time.Time) sales.Order {
	request := sha256.Sum256([]byte(p.Invoice.ID))
	return sales.Order{
		ID: id, UID: of.UID, Key: "invoice:" + p.Invoice.ID, Request: request[:], State: sales.Open, Lines: []sales.Line{p.Line}, Total: p.Line.UnitAmount,
		FromBalance: p.FromBalance,
		Currency:    p.Invoice.Currency, VATPercent: s.books.VATPercent, Live: s.books.Live, CreatedAt: at, ExpiresAt: at, Cause: p.Cause, Invoice: p.Invoice.ID,
		Payment: p.Invoice.Payment, Subscription: of.ID, PeriodStart: p.PeriodStart.UTC(),
	}
}
