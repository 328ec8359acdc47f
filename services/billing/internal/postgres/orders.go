package postgres

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"serein.app/services/billing/internal/postgres/sqlcgen"
	"serein.app/services/billing/internal/sales"
	"serein.app/services/platform/itemkind"
	"serein.app/services/platform/postgres"
)

// insert writes an order with its lines, also one of a member who has gone: of their money account is kept.
func (s *Store) insert(ctx context.Context, tx pgx.Tx, o sales.Order) (_ sales.Order, err error) {
	o.CreatedAt = o.CreatedAt.UTC().Truncate(time.Microsecond)
	o.Sequence, err = s.queries.InsertOrder(ctx, tx, sqlcgen.InsertOrderParams{
		ID: o.ID, Uid: o.UID, IdempotencyKey: o.Key, Request: o.Request, Membership: o.Membership() != nil, Total: o.Total, Delivery: o.Delivery,
		Ships: o.Ships, Currency: o.Currency, VatPercent: o.VATPercent, Live: o.Live, CreatedAt: o.CreatedAt, ExpiresAt: o.ExpiresAt,
		Cause: sqlcgen.OrderCause(o.Cause), InvoiceID: optional[string](o.Invoice),
	})
	if err == nil {
		err = s.queries.InsertLines(ctx, tx, linesOf(o))
	}
	return o, err
}

func linesOf(o sales.Order) sqlcgen.InsertLinesParams {
	p := sqlcgen.InsertLinesParams{OrderID: o.ID}
	for i, line := range o.Lines {
		p.Positions = append(p.Positions, int32(i+1))
		p.ProductIds = append(p.ProductIds, line.ProductID)
		p.Sizes = append(p.Sizes, line.Size)
		p.Kinds = append(p.Kinds, string(line.Kind))
		p.Names = append(p.Names, line.Name)
		p.Quantities = append(p.Quantities, line.Quantity)
		p.UnitAmounts = append(p.UnitAmounts, line.UnitAmount)
		p.Credits = append(p.Credits, line.Credits)
		p.PriceIds = append(p.PriceIds, line.PriceID)
	}
	return p
}

// asMember runs a change of what a member has or pays, one after another.
func (s *Store) asMember(ctx context.Context, uid uuid.UUID, change func(ctx context.Context, tx pgx.Tx) error) error {
	return postgres.Translate(postgres.InTx(ctx, s.db, func(ctx context.Context, tx pgx.Tx) error {
		if err := s.queries.LockMember(ctx, tx, uid.String()); err != nil {
			return err
		}
		return change(ctx, tx)
	}), nil)
}

// change locks an order, changes it and reads it again.
func (s *Store) change(ctx context.Context, id uuid.UUID, change func(ctx context.Context, tx pgx.Tx, o sales.Order) error) (changed sales.Order, err error) {
	row, err := s.queries.Order(ctx, s.db, id)
	if err != nil {
		return changed, postgres.Translate(err, nil)
	}
	err = s.asMember(ctx, row.Uid, func(ctx context.Context, tx pgx.Tx) error {
		row, err := s.queries.LockOrder(ctx, tx, id)
		if err != nil {
			return err
		}
		o, err := s.order(ctx, tx, row)
		if err != nil {
			return err
		}
		if err := change(ctx, tx, o); err != nil {
			return err
		}
		if row, err = s.queries.Order(ctx, tx, id); err != nil {
			return err
		}
		changed = toOrder(row)
		changed.Lines = o.Lines
		return nil
	})
	return changed, err
}

// Process notes that the payment is on its way.
func (s *Store) Process(ctx context.Context, id uuid.UUID) (sales.Order, error) {
	return s.change(ctx, id, func(ctx context.Context, tx pgx.Tx, o sales.Order) error {
		if o.State == sales.Processing {
			return s.queries.MarkPolled(ctx, tx, sqlcgen.MarkPolledParams{ID: id, ReadAt: s.now()})
		}
		return s.queries.ProcessOrder(ctx, tx, sqlcgen.ProcessOrderParams{ID: id, ReadAt: s.now()})
	})
}

// MarkPolled stores that the order's session was read back and had no news.
func (s *Store) MarkPolled(ctx context.Context, id uuid.UUID) error {
	return postgres.Translate(s.queries.MarkPolled(ctx, s.db, sqlcgen.MarkPolledParams{ID: id, ReadAt: s.now()}), nil)
}

// IncrementAttempt gives the order's next try another number than o's.
func (s *Store) IncrementAttempt(ctx context.Context, o sales.Order) error {
	return postgres.Translate(s.queries.IncrementAttempt(ctx, s.db, sqlcgen.IncrementAttemptParams{ID: o.ID, Tries: o.Tries}), nil)
}

// Order gives one.
func (s *Store) Order(ctx context.Context, id uuid.UUID) (sales.Order, error) {
	return s.orderWithLines(ctx, s.db, id)
}

// OrderByNumber gives the one that people know by it.
func (s *Store) OrderByNumber(ctx context.Context, number int64) (sales.Order, error) {
	row, err := s.queries.OrderByNumber(ctx, s.db, number)
	return s.one(ctx, row, err)
}

// OrderOfSession gives the order of the provider's page.
func (s *Store) OrderOfSession(ctx context.Context, session string) (sales.Order, error) {
	row, err := s.queries.OrderOfSession(ctx, s.db, session)
	return s.one(ctx, row, err)
}

// OrderOfPayment gives the order that a payment was for.
func (s *Store) OrderOfPayment(ctx context.Context, payment string) (sales.Order, error) {
	row, err := s.queries.OrderOfPayment(ctx, s.db, payment)
	return s.one(ctx, row, err)
}

// WaitingOf are a member's orders that wait for the provider.
func (s *Store) WaitingOf(ctx context.Context, uid uuid.UUID) ([]sales.Order, error) {
	rows, err := s.queries.WaitingOfMember(ctx, s.db, sqlcgen.WaitingOfMemberParams{Uid: uid, Most: maxWaiting})
	all := ordersOf(rows)
	return slices.DeleteFunc(all, func(o sales.Order) bool { return !o.Waits() }), postgres.Translate(err, nil)
}

// Waiting are orders that were last read back before, the longest ago first.
func (s *Store) Waiting(ctx context.Context, before time.Time, most int) ([]sales.Order, error) {
	rows, err := s.queries.Waiting(ctx, s.db, sqlcgen.WaitingParams{Before: before, Most: int32(most)})
	return s.many(ctx, rows, err)
}

// CodesUsed are the promotion codes that a member's orders were paid with, and how often each.
func (s *Store) CodesUsed(ctx context.Context, uid uuid.UUID) (map[string]int64, error) {
	rows, err := s.queries.CodesUsed(ctx, s.db, uid)
	used := make(map[string]int64, len(rows))
	for _, row := range rows {
		used[row.PromotionCode] = row.Times
	}
	return used, postgres.Translate(err, nil)
}

// NoteSent notes that what an order's member bought has gone into the post, and says when that was noted first; sales.ErrNotSent of an order
// of which nothing goes there.
func (s *Store) NoteSent(ctx context.Context, number int64) (time.Time, error) {
	at, err := s.queries.NoteSent(ctx, s.db, sqlcgen.NoteSentParams{Number: number, At: s.now()})
	if errors.Is(err, pgx.ErrNoRows) {
		return at, sales.ErrNotSent
	}
	return at.UTC(), postgres.Translate(err, nil)
}

// PaidOrders are a member's, from the newest, below a number.
func (s *Store) PaidOrders(ctx context.Context, uid uuid.UUID, below int64, most int32) ([]sales.Order, error) {
	rows, err := s.queries.PaidOrders(ctx, s.db, sqlcgen.PaidOrdersParams{Uid: uid, Below: below, Most: most})
	return s.many(ctx, rows, err)
}

func (s *Store) one(ctx context.Context, row sqlcgen.Order, err error) (sales.Order, error) {
	if err != nil {
		return sales.Order{}, postgres.Translate(err, nil)
	}
	o, err := s.order(ctx, s.db, row)
	return o, postgres.Translate(err, nil)
}

func (s *Store) many(ctx context.Context, rows []sqlcgen.Order, err error) ([]sales.Order, error) {
	if err != nil {
		return nil, postgres.Translate(err, nil)
	}
	orders := make([]sales.Order, len(rows))
	for i, row := range rows {
		orders[i] = toOrder(row)
	}
	return orders, postgres.Translate(s.addLines(ctx, s.db, orders), nil)
}

func (s *Store) order(ctx context.Context, db sqlcgen.DBTX, row sqlcgen.Order) (sales.Order, error) {
	orders := []sales.Order{toOrder(row)}
	err := s.addLines(ctx, db, orders)
	return orders[0], err
}

// addLines reads the lines of some orders.
func (s *Store) addLines(ctx context.Context, db sqlcgen.DBTX, orders []sales.Order) error {
	if len(orders) == 0 {
		return nil
	}
	ids := make([]uuid.UUID, len(orders))
	place := make(map[uuid.UUID]int, len(orders))
	for i, o := range orders {
		ids[i] = o.ID
		place[o.ID] = i
	}
	rows, err := s.queries.Lines(ctx, db, ids)
	for _, row := range rows {
		o := &orders[place[row.OrderID]]
		o.Lines = append(o.Lines, toLine(row))
	}
	return err
}

func toLine(row sqlcgen.OrderLine) sales.Line {
	return sales.Line{
		ProductID: row.ProductID, Size: row.Size, Kind: itemkind.Kind(row.Kind), Name: row.Name, Quantity: row.Quantity,
		UnitAmount: row.UnitAmount, Credits: row.Credits, PriceID: row.PriceID,
	}
}

// withLine adds an order's next line to orders; rows come order by order.
func withLine(orders []sales.Order, order sqlcgen.Order, line sqlcgen.OrderLine) []sales.Order {
	if n := len(orders); n == 0 || orders[n-1].ID != order.ID {
		orders = append(orders, toOrder(order))
	}
	last := &orders[len(orders)-1]
	last.Lines = append(last.Lines, toLine(line))
	return orders
}

func toOrder(row sqlcgen.Order) sales.Order {
	o := sales.Order{
		ID: row.ID, UID: row.Uid, Sequence: row.Number, Key: row.IdempotencyKey, Request: row.Request, State: sales.OrderState(row.State),
		Total: row.Total, Delivery: row.Delivery, Discount: row.Discount, FromBalance: row.FromBalance, Ships: row.Ships, Currency: row.Currency, VATPercent: row.VatPercent, Live: row.Live,
		CreatedAt: row.CreatedAt.UTC(), ExpiresAt: row.ExpiresAt.UTC(), SessionID: text(row.SessionID), SessionURL: text(row.SessionUrl),
		Payment: text(row.PaymentID), Subscription: text(row.SubscriptionID), Refunded: row.Refunded, Disputed: row.Disputed,
		Restored: row.Restored, CreditsTaken: row.CreditsTaken, Tries: row.Tries,
		Cause: sales.Cause(row.Cause), Invoice: text(row.InvoiceID),
		PaidBy: sales.Means{Kind: row.PaidKind, Brand: row.PaidBrand, Last4: row.PaidLast4},
	}
	if row.PeriodStart != nil {
		o.PeriodStart = row.PeriodStart.UTC()
	}
	if row.CompletedAt != nil {
		o.CompletedAt = row.CompletedAt.UTC()
	}
	if row.SentAt != nil {
		o.SentAt = row.SentAt.UTC()
	}
	if row.Address != nil {
		o.Address = new(sales.Address)
		if json.Unmarshal(row.Address, o.Address) != nil {
			o.Address = nil // billing wrote it; an address that it cannot read is left out
		}
	}
	return o
}

func text(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}
