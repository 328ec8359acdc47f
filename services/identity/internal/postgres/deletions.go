package postgres

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"

	"serein.app/services/identity/internal/account"
	"serein.app/services/identity/internal/postgres/sqlcgen"
	"serein.app/services/platform/erasure"
)

// LeavingJob names the job that mails the receipt of a wish to leave.
type LeavingJob func(uid uuid.UUID, deletesAt time.Time) river.JobArgs

// MailLeavingBy says how receipts reach their job. It is called before anything runs.
func (s *Store) MailLeavingBy(job LeavingJob) { s.leaving = job }

// ScheduleDeletion marks the account, ends its sessions and grants, and enqueues the receipt and the event.
func (s *Store) ScheduleDeletion(ctx context.Context, uid uuid.UUID, deletesAt, now time.Time) (time.Time, error) {
	err := s.inTx(ctx, func(ctx context.Context, tx pgx.Tx) error {
		a, err := s.queries.LockAccount(ctx, tx, uid)
		if err != nil {
			return missing(err, account.ErrUserNotFound)
		}
		if a.DeletesAt != nil {
			deletesAt = a.DeletesAt.UTC()
			return nil
		}
		if err := s.queries.MarkDeletion(ctx, tx, sqlcgen.MarkDeletionParams{Uid: uid, DeletesAt: &deletesAt}); err != nil {
			return err
		}
		if err := s.endSessions(ctx, tx, uid, uuid.Nil, now); err != nil {
			return err
		}
		if _, err := s.jobs.InsertTx(ctx, tx, s.leaving(uid, deletesAt), nil); err != nil {
			return err
		}
		return s.outbox.Add(ctx, tx, deletionScheduled(uid, deletesAt))
	})
	return deletesAt, err
}

// KeepAccount takes the mark off while there is time.
func (s *Store) KeepAccount(ctx context.Context, uid uuid.UUID, now time.Time) error {
	return s.inTx(ctx, func(ctx context.Context, tx pgx.Tx) error {
		a, err := s.queries.LockAccount(ctx, tx, uid)
		if err != nil {
			return missing(err, account.ErrUserNotFound)
		}
		if a.DeletesAt == nil {
			return nil
		}
		began, err := s.queries.DeletionBegan(ctx, tx, uid)
		if err != nil {
			return err
		}
		if began || !now.Before(*a.DeletesAt) {
			return account.ErrUserNotFound
		}
		if err := s.queries.MarkDeletion(ctx, tx, sqlcgen.MarkDeletionParams{Uid: uid}); err != nil {
			return err
		}
		return s.outbox.Add(ctx, tx, deletionUndone(uid))
	})
}

// BeginDeletions makes a row for each account whose time is over.
func (s *Store) BeginDeletions(ctx context.Context, newID func() uuid.UUID, now time.Time) error {
	return s.inTx(ctx, func(ctx context.Context, tx pgx.Tx) error {
		due, err := s.queries.DeletionsDue(ctx, tx, now)
		if err != nil {
			return err
		}
		for _, uid := range due {
			if err := s.queries.BeginDeletion(ctx, tx, sqlcgen.BeginDeletionParams{ID: newID(), Uid: uid, Now: now}); err != nil {
				return err
			}
		}
		return nil
	})
}

// TellDeletions publishes each due deletion to all services, also to those that have erased the member's data: erasing twice does no
// harm.
func (s *Store) TellDeletions(ctx context.Context, most int, again func(told int) time.Duration, now time.Time) error {
	return s.inTx(ctx, func(ctx context.Context, tx pgx.Tx) error {
		due, err := s.queries.DeletionsToTell(ctx, tx, sqlcgen.DeletionsToTellParams{Now: now, Most: int32(most)})
		if err != nil {
			return err
		}
		for _, d := range due {
			next := now.Add(again(int(d.Told) + 1))
			if err := s.queries.DeletionTold(ctx, tx, sqlcgen.DeletionToldParams{ID: d.ID, NextTellAt: next}); err != nil {
				return err
			}
			if err := s.outbox.Add(ctx, tx, userDeleted(d.Uid, d.ID)); err != nil {
				return err
			}
		}
		return nil
	})
}

// Erased notes in the caller's transaction that a service keeps nothing any more. When the last of the keepers has said so what is here
// goes too.
func (s *Store) Erased(ctx context.Context, tx pgx.Tx, deletion uuid.UUID, service string, keepers []string) error {
	d, err := s.queries.ServiceErased(ctx, tx, sqlcgen.ServiceErasedParams{ID: deletion, Service: service})
	if errors.Is(err, pgx.ErrNoRows) {
		return nil // it is done
	}
	if err != nil {
		return err
	}
	for _, keeper := range keepers {
		if !slices.Contains(d.Erased, keeper) {
			return nil
		}
	}
	return erasure.Begin(ctx, tx, erasure.Deletion{ID: deletion, UID: d.Uid})
}

// FinishDeletion removes the account with all that refers to it, in the caller's transaction.
func (s *Store) FinishDeletion(ctx context.Context, tx pgx.Tx, d erasure.Deletion) error {
	return s.queries.DeleteAccount(ctx, tx, d.UID)
}

// OldestDeletion is since when the oldest deletion that has begun is under way; the epoch where none is.
func (s *Store) OldestDeletion(ctx context.Context) (time.Time, error) {
	return s.queries.OldestDeletion(ctx, s.db)
}
