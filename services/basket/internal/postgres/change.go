package postgres

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"serein.app/services/basket/internal/basket"
	"serein.app/services/basket/internal/events"
	"serein.app/services/basket/internal/postgres/sqlcgen"
	"serein.app/services/platform/auth"
	"serein.app/services/platform/erasure"
)

// Change does what an owner asks for and answers the basket as it is then. Errors: those of the command, and auth.ErrUnauthenticated for a member
// whose account is gone.
func (s *Store) Change(ctx context.Context, owner basket.Owner, command basket.Command) (b basket.Basket, outcome basket.Outcome, err error) {
	err = s.inTx(ctx, func(ctx context.Context, tx pgx.Tx) error {
		b, err = s.lock(ctx, tx, owner, command.Version == nil, command.At)
		if err != nil {
			return err
		}
		if known, done, err := s.requested(ctx, tx, b.ID, command.Request); done || err != nil {
			outcome = known
			return err
		}
		next, came, err := command.Apply(b)
		if err != nil {
			return err
		}
		outcome = came
		if err := s.write(ctx, tx, owner, b, next, request{command.Request, came, command.At}); err != nil {
			return err
		}
		b = next
		return nil
	})
	return b, outcome, err
}

// lock locks and reads the basket, so that no other transaction changes it before the commit. It creates a missing basket if create
// is set, and returns the zero one otherwise.
func (s *Store) lock(ctx context.Context, tx pgx.Tx, owner basket.Owner, create bool, at time.Time) (basket.Basket, error) {
	found := sqlcgen.LockBasketParams{Owner: owner.ID, Guest: owner.Guest}
	_, err := s.queries.LockBasket(ctx, tx, found)
	if errors.Is(err, pgx.ErrNoRows) {
		if !create {
			return basket.Basket{}, nil
		}
		if err := s.create(ctx, tx, owner, at); err != nil {
			return basket.Basket{}, err
		}
		if _, err = s.queries.LockBasket(ctx, tx, found); errors.Is(err, pgx.ErrNoRows) {
			return basket.Basket{}, auth.ErrUnauthenticated.Because(errors.New("the account is gone"))
		}
	}
	if err != nil {
		return basket.Basket{}, err
	}
	return s.read(ctx, tx, owner)
}

// create makes an empty basket, unless there is one by now or its member has left.
func (s *Store) create(ctx context.Context, tx pgx.Tx, owner basket.Owner, at time.Time) error {
	id, err := s.newID()
	if err != nil {
		return err
	}
	if err := s.queries.LockOwner(ctx, tx, owner.ID.String()); err != nil {
		return err
	}
	return s.queries.InsertBasket(ctx, tx, sqlcgen.InsertBasketParams{ID: id, Owner: owner.ID, Guest: owner.Guest, At: at, Member: erasure.Fingerprint(owner.ID)})
}

func (s *Store) requested(ctx context.Context, tx pgx.Tx, basketID, id uuid.UUID) (outcome basket.Outcome, done bool, err error) {
	if id == uuid.Nil {
		return 0, false, nil
	}
	known, err := s.queries.Requested(ctx, tx, sqlcgen.RequestedParams{BasketID: basketID, ID: id})
	if errors.Is(err, pgx.ErrNoRows) {
		return 0, false, nil
	}
	return basket.Outcome(known), err == nil, err
}

// request is one that is answered by a change.
type request struct {
	id      uuid.UUID
	outcome basket.Outcome
	at      time.Time
}

// write keeps what differs between a locked basket and what came of it, and tells of it. Where nothing does, nothing is written.
func (s *Store) write(ctx context.Context, tx pgx.Tx, owner basket.Owner, b, next basket.Basket, r request) error {
	if next.Version == b.Version {
		return nil
	}
	p := sqlcgen.WriteBasketParams{ID: b.ID, Version: next.Version, At: r.at, Outcome: int16(r.outcome)}
	if r.id != uuid.Nil {
		p.Request = &r.id
	}
	gone, changed := diff(b.Lines, next.Lines)
	p.Gone = gone
	var err error
	if p.Changed, err = json.Marshal(changed); err != nil {
		return err
	}
	if next.Before != nil {
		if p.Before, err = json.Marshal(*next.Before); err != nil {
			return err
		}
	}
	if err := s.queries.WriteBasket(ctx, tx, p); err != nil || owner.Guest {
		return err
	}
	return s.outbox.Add(ctx, tx, events.Changed(owner.ID, next))
}

// diff are the ids of lines that are no longer there, and the lines that are new or another.
func diff(before, after []basket.Line) (gone []uuid.UUID, changed []basket.Line) {
	was := make(map[uuid.UUID]basket.Line, len(before))
	for _, l := range before {
		was[l.ID] = l
	}
	gone, changed = []uuid.UUID{}, []basket.Line{}
	for _, l := range after {
		if was[l.ID] != l {
			changed = append(changed, l)
		}
		delete(was, l.ID)
	}
	for id := range was {
		gone = append(gone, id)
	}
	return gone, changed
}
