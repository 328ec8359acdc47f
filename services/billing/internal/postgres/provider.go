package postgres

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"serein.app/services/billing/internal/postgres/sqlcgen"
	"serein.app/services/billing/internal/sales"
	"serein.app/services/billing/internal/subscriptions"
	"serein.app/services/platform/erasure"
	"serein.app/services/platform/postgres"
)

// Customer is the member's customer at the provider; ErrNotFound if none is stored.
func (s *Store) Customer(ctx context.Context, uid uuid.UUID) (string, error) {
	id, err := s.queries.Customer(ctx, s.db, uid)
	return id, postgres.Translate(err, nil)
}

// AddCustomer stores the member's customer and gives the stored one: the first stays. The customer of a deleted account is deleted once none
// of its orders waits.
func (s *Store) AddCustomer(ctx context.Context, uid uuid.UUID, customer string) (kept string, err error) {
	err = s.asMember(ctx, uid, func(ctx context.Context, tx pgx.Tx) error {
		err := s.queries.AddCustomer(ctx, tx, sqlcgen.AddCustomerParams{Uid: uid, CustomerID: customer, CreatedAt: s.now()})
		if err == nil {
			kept, err = s.queries.Customer(ctx, tx, uid)
		}
		return err
	})
	return kept, err
}

// DropCustomer forgets one that the provider has no more; another that was noted meanwhile stays.
func (s *Store) DropCustomer(ctx context.Context, uid uuid.UUID, customer string) error {
	return postgres.Translate(s.queries.DropCustomer(ctx, s.db, sqlcgen.DropCustomerParams{Uid: uid, CustomerID: customer}), nil)
}

// ChangeCustomer notes a change of a member's customer and tells it in the same transaction, unless there is no customer, or a later change
// was told: one change after the other.
func (s *Store) ChangeCustomer(ctx context.Context, c sales.CustomerChange, tell func(ctx context.Context, customer string) error) error {
	err := postgres.InTx(ctx, s.db, func(ctx context.Context, tx pgx.Tx) error {
		id, err := s.queries.ChangeCustomer(ctx, tx, sqlcgen.ChangeCustomerParams{Uid: c.UID, Email: c.Email != "", Name: c.Name != "", At: c.At})
		switch {
		case errors.Is(err, pgx.ErrNoRows):
			return nil
		case err != nil:
			return err
		}
		return tell(ctx, id)
	})
	return postgres.Translate(err, nil)
}

// MemberOfCustomer is whose customer it is.
func (s *Store) MemberOfCustomer(ctx context.Context, customer string) (uuid.UUID, error) {
	uid, err := s.queries.MemberOfCustomer(ctx, s.db, customer)
	return uid, postgres.Translate(err, nil)
}

// KeepEvent keeps an event once, and has it applied in the same transaction unless it is refused.
func (s *Store) KeepEvent(ctx context.Context, e sales.Event, refused string) (isNew bool, err error) {
	err = postgres.InTx(ctx, s.db, func(ctx context.Context, tx pgx.Tx) error {
		n, err := s.queries.AddEvent(ctx, tx, sqlcgen.AddEventParams{
			ID: e.ID, Type: e.Type, Object: e.Object, ObjectID: e.ObjectID, Payment: e.Payment, OccurredAt: e.CreatedAt, ReceivedAt: s.now(), Refused: refused,
			Subscription: e.Subscription,
		})
		isNew = n > 0
		if err != nil || !isNew || refused != "" {
			return err
		}
		return s.work.ApplyEvent(ctx, tx, e.ID)
	})
	return isNew, postgres.Translate(err, nil)
}

// Event gives one that was kept, and whether it was applied.
func (s *Store) Event(ctx context.Context, id string) (sales.Event, bool, error) {
	row, err := s.queries.Event(ctx, s.db, id)
	return sales.Event{
		ID: row.ID, Type: row.Type, Object: row.Object, ObjectID: row.ObjectID, Payment: row.Payment, Subscription: row.Subscription,
		CreatedAt: row.OccurredAt.UTC(),
	}, row.Applied, postgres.Translate(err, nil)
}

// MarkApplied notes that an event has been done.
func (s *Store) MarkApplied(ctx context.Context, id string) error {
	return postgres.Translate(s.queries.MarkApplied(ctx, s.db, sqlcgen.MarkAppliedParams{ID: id, At: s.now()}), nil)
}

// EventsUntil is up to when the provider's list has been read; ErrNotFound before the first time.
func (s *Store) EventsUntil(ctx context.Context) (time.Time, error) {
	until, err := s.queries.EventsUntil(ctx, s.db)
	return until.UTC(), postgres.Translate(err, nil)
}

// SetEventsUntil moves that on.
func (s *Store) SetEventsUntil(ctx context.Context, until time.Time) error {
	return postgres.Translate(s.queries.SetEventsUntil(ctx, s.db, until), nil)
}

// Depart notes in the caller's transaction that an account is deleted, and has what it pays for ended.
func (s *Store) Depart(ctx context.Context, tx pgx.Tx, uid uuid.UUID) error {
	if err := s.queries.LockMember(ctx, tx, uid.String()); err != nil {
		return err
	}
	at := s.now()
	if err := errors.Join(erasure.Depart(ctx, tx, uid, at), s.queries.EndAccount(ctx, tx, sqlcgen.EndAccountParams{Uid: uid, DepartedAt: at})); err != nil {
		return err
	}
	if err := errors.Join(s.queries.ForgetPayer(ctx, tx, uid), s.queries.ForgetLeaving(ctx, tx, uid), s.forgetPerson(ctx, tx, uid)); err != nil {
		return err
	}
	return s.work.EndAccount(ctx, tx, uid)
}

// Departed ends what a deleted account still had here: its subscription, its customer and the addresses of its orders.
func (s *Store) Departed(ctx context.Context, uid uuid.UUID, subscription string) error {
	return s.asMember(ctx, uid, func(ctx context.Context, tx pgx.Tx) error {
		at := s.now()
		_, err := s.queries.EndSubscription(ctx, tx, sqlcgen.EndSubscriptionParams{Uid: uid, ProviderID: subscription, At: at, Reason: string(subscriptions.AccountDeleted)})
		return errors.Join(
			err,
			s.queries.ForgetCustomer(ctx, tx, uid),
			s.queries.ForgetPayer(ctx, tx, uid),
			s.queries.Departed(ctx, tx, sqlcgen.DepartedParams{Uid: uid, At: at}),
		)
	})
}

// Left answers erasure.ErrPending until what a deleted account still had here has ended, which a job sees to.
func (s *Store) Left(ctx context.Context, d erasure.Deletion) error {
	left, err := s.queries.HasLeft(ctx, s.db, d.UID)
	if err == nil && !left {
		return erasure.ErrPending
	}
	return postgres.Translate(err, nil)
}
