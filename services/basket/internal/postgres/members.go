package postgres

import (
	"context"
	"encoding/json"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"serein.app/services/basket/internal/basket"
	"serein.app/services/basket/internal/events"
	"serein.app/services/basket/internal/postgres/sqlcgen"
	"serein.app/services/platform/erasure"
)

// Merge brings a guest's basket into a member's and ends it. merged says whether there was something to bring: a repeat finds nothing.
// Errors: basket.ErrFull, which leaves both as they were.
func (s *Store) Merge(ctx context.Context, uid, guestID uuid.UUID, at time.Time) (b basket.Basket, merged bool, err error) {
	member, guest := basket.Owner{ID: uid}, basket.Owner{ID: guestID, Guest: true}
	err = s.inTx(ctx, func(ctx context.Context, tx pgx.Tx) error {
		merged = false
		from, err := s.lock(ctx, tx, guest, false, at)
		if err != nil {
			return err
		}
		// A guest's is locked first, always: two merges of one guest wait here, and never in a circle.
		if b, err = s.lock(ctx, tx, member, len(from.Lines) > 0, at); err != nil || from.ID == uuid.Nil {
			return err
		}
		next, err := b.Merge(from.Lines, at)
		if err != nil {
			return err
		}
		if b.ID != uuid.Nil {
			if err := s.queries.MoveRequests(ctx, tx, sqlcgen.MoveRequestsParams{ToBasket: b.ID, FromBasket: from.ID}); err != nil {
				return err
			}
		}
		if err := s.queries.DeleteBasket(ctx, tx, sqlcgen.DeleteBasketParams{Owner: guestID, Guest: true}); err != nil {
			return err
		}
		merged = next.Version != b.Version
		err = s.write(ctx, tx, member, b, next, request{at: at})
		b = next
		return err
	})
	return b, merged, err
}

// CheckOut tells that an order was made of the member's basket, once an order. Errors: basket.ErrVersion.
func (s *Store) CheckOut(ctx context.Context, uid, orderID uuid.UUID, version int64) error {
	return s.inTx(ctx, func(ctx context.Context, tx pgx.Tx) error {
		b, err := s.lock(ctx, tx, basket.Owner{ID: uid}, false, s.now())
		if err != nil {
			return err
		}
		if b.ID == uuid.Nil {
			return basket.ErrVersion
		}
		first, err := s.queries.InsertRequest(ctx, tx, sqlcgen.InsertRequestParams{BasketID: b.ID, ID: orderID, At: s.now()})
		if err != nil || first == 0 {
			return err
		}
		if err := b.CheckVersion(version); err != nil {
			return err
		}
		return s.outbox.Add(ctx, tx, events.CheckedOut(uid, b.ID, orderID))
	})
}

// Complete keeps what an order bought as purchased, once an order, and takes it out of the member's basket where it came from there.
// A member who has left has neither.
func (s *Store) Complete(ctx context.Context, tx pgx.Tx, uid uuid.UUID, o basket.Order) error {
	if len(o.Lines) == 0 {
		return nil
	}
	if err := s.queries.LockOwner(ctx, tx, uid.String()); err != nil {
		return err
	}
	if departed, err := erasure.HasDeparted(ctx, tx, uid); departed || err != nil {
		return err
	}
	data, err := json.Marshal(o.Lines)
	if err != nil {
		return err
	}
	first, err := s.queries.InsertPurchased(ctx, tx, sqlcgen.InsertPurchasedParams{OrderID: o.ID, Uid: uid, Lines: data, PurchasedAt: o.At, Cause: string(o.Cause)})
	if err != nil || first == 0 {
		return err // the order is known
	}
	if !o.FromBasket() {
		return nil
	}
	member := basket.Owner{ID: uid}
	b, err := s.lock(ctx, tx, member, false, s.now())
	if err != nil {
		return err
	}
	order := make([]basket.Bought, len(o.Lines))
	for i, l := range o.Lines {
		order[i] = basket.Bought{ProductID: l.ProductID, Size: l.Size, Quantity: l.Quantity}
	}
	return s.write(ctx, tx, member, b, b.Complete(order, o.OrderedAt), request{at: s.now()})
}

// Forget removes all that is kept of a member, and what comes later of theirs is not kept.
func (s *Store) Forget(ctx context.Context, tx pgx.Tx, uid uuid.UUID) error {
	if err := s.queries.LockOwner(ctx, tx, uid.String()); err != nil {
		return err
	}
	if err := erasure.Depart(ctx, tx, uid, s.now()); err != nil {
		return err
	}
	if err := s.queries.DeleteBasket(ctx, tx, sqlcgen.DeleteBasketParams{Owner: uid}); err != nil {
		return err
	}
	return s.queries.DeletePurchased(ctx, tx, uid)
}
