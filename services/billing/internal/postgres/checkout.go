package postgres

import (
	"bytes"
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"serein.app/services/billing/internal/credits"
	"serein.app/services/billing/internal/events"
	"serein.app/services/billing/internal/postgres/sqlcgen"
	"serein.app/services/billing/internal/sales"
	"serein.app/services/platform/postgres"
)

// maxWaiting is how many waiting orders of a member are read; more than one waits only if a session could not be closed.
const maxWaiting = 20

// StartOrder keeps a new order, or gives the one that its key has made before, in one round trip. older are the member's orders of before
// that wait. An order without an id is only looked for. The errors are credits.ErrKeyReused, sales.ErrMemberDeparted and, of an order that
// is only looked for, postgres.ErrNotFound.
func (s *Store) StartOrder(ctx context.Context, o sales.Order) (kept sales.Order, older []sales.Order, err error) {
	var rows []sqlcgen.WaitingOfMemberRow
	err = postgres.InOneTrip(ctx, s.db, func(ctx context.Context, tx postgres.Queryer) error {
		err := s.queries.LockMember(ctx, tx, o.UID.String())
		if err == nil && o.ID != uuid.Nil {
			err = s.beginOrder(ctx, tx, o)
		}
		if err == nil {
			rows, err = s.queries.WaitingOfMember(ctx, tx, sqlcgen.WaitingOfMemberParams{Uid: o.UID, Key: o.Key, Most: maxWaiting})
		}
		return err
	})
	if err != nil {
		return kept, nil, postgres.Translate(err, nil)
	}
	all := ordersOf(rows)
	for _, found := range all {
		if found.Key == o.Key {
			kept = found
		}
	}
	switch {
	case kept.ID == uuid.Nil && o.ID == uuid.Nil:
		return kept, nil, postgres.ErrNotFound
	case kept.ID == uuid.Nil: // only the account's end keeps BeginOrder from making one
		return kept, nil, sales.ErrMemberDeparted
	case !bytes.Equal(kept.Request, o.Request):
		return kept, nil, credits.ErrKeyReused
	}
	for _, other := range all {
		if other.Sequence < kept.Sequence {
			older = append(older, other)
		}
	}
	return kept, older, nil
}

func (s *Store) beginOrder(ctx context.Context, tx sqlcgen.DBTX, o sales.Order) error {
	err := s.queries.BeginOrder(ctx, tx, sqlcgen.BeginOrderParams{
		ID: o.ID, Uid: o.UID, IdempotencyKey: o.Key, Request: o.Request, Membership: o.Membership() != nil, Total: o.Total, Delivery: o.Delivery,
		Ships: o.Ships, Currency: o.Currency, VatPercent: o.VATPercent, Live: o.Live,
		CreatedAt: o.CreatedAt.UTC().Truncate(time.Microsecond), ExpiresAt: o.ExpiresAt,
	})
	if err != nil {
		return err
	}
	return s.queries.InsertLines(ctx, tx, linesOf(o))
}

func ordersOf(rows []sqlcgen.WaitingOfMemberRow) (orders []sales.Order) {
	for _, row := range rows {
		orders = withLine(orders, row.Order, row.OrderLine)
	}
	return orders
}

// step makes one change of an order under its member's lock, in one round trip, and gives the order as it is then.
func (s *Store) step(ctx context.Context, id uuid.UUID, change func(ctx context.Context, tx sqlcgen.DBTX) error) (o sales.Order, err error) {
	err = postgres.InOneTrip(ctx, s.db, func(ctx context.Context, tx postgres.Queryer) error {
		err := s.queries.LockMemberOfOrder(ctx, tx, id)
		if err == nil {
			err = change(ctx, tx)
		}
		if err == nil {
			o, err = s.orderWithLines(ctx, tx, id)
		}
		return err
	})
	return o, err
}

func (s *Store) orderWithLines(ctx context.Context, db sqlcgen.DBTX, id uuid.UUID) (sales.Order, error) {
	rows, err := s.queries.OrderWithLines(ctx, db, id)
	var orders []sales.Order
	for _, row := range rows {
		orders = withLine(orders, row.Order, row.OrderLine)
	}
	if err == nil && len(orders) == 0 {
		err = pgx.ErrNoRows
	}
	if err != nil {
		return sales.Order{}, postgres.Translate(err, nil)
	}
	return orders[0], nil
}

// SetSession notes the order's page; the first that is noted stays.
func (s *Store) SetSession(ctx context.Context, id uuid.UUID, session sales.Session) (sales.Order, error) {
	return s.step(ctx, id, func(ctx context.Context, tx sqlcgen.DBTX) error {
		return s.queries.SetSession(ctx, tx, sqlcgen.SetSessionParams{ID: id, Session: session.ID, Url: session.URL})
	})
}

// Close ends an order that nobody paid. If the payment had been on its way, the member learns of it by an event.
func (s *Store) Close(ctx context.Context, id uuid.UUID) (sales.Order, error) {
	o, err := s.step(ctx, id, func(ctx context.Context, tx sqlcgen.DBTX) error {
		return s.queries.CloseOpenOrder(ctx, tx, sqlcgen.CloseOpenOrderParams{ID: id, ReadAt: s.now()})
	})
	if err != nil || o.State != sales.Processing {
		return o, err
	}
	return s.change(ctx, id, func(ctx context.Context, tx pgx.Tx, o sales.Order) error {
		if err := s.queries.CloseOrder(ctx, tx, sqlcgen.CloseOrderParams{ID: id, ReadAt: s.now()}); err != nil || o.State != sales.Processing {
			return err
		}
		return s.outbox.Add(ctx, tx, events.OrderUnpaid(o))
	})
}
