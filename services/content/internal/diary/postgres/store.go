// Package postgres keeps the listening diaries.
package postgres

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"
	"github.com/jackc/pgx/v5/pgxpool"

	"serein.app/services/content/internal/diary"
	"serein.app/services/content/internal/diary/postgres/sqlcgen"
	"serein.app/services/content/internal/reading"
	"serein.app/services/platform/erasure"
	"serein.app/services/platform/postgres"
)

// Store is the diaries.
type Store struct {
	db      *pgxpool.Pool
	queries *sqlcgen.Queries
	now     func() time.Time
}

// New makes the store. now gives the moment of every change, in whole microseconds of UTC.
func New(db *pgxpool.Pool, now func() time.Time) *Store {
	return &Store{db: db, queries: sqlcgen.New(), now: now}
}

// Keeps says whether the member keeps a diary.
func (s *Store) Keeps(ctx context.Context, uid uuid.UUID) (bool, error) {
	keeps, err := s.queries.KeepsDiary(ctx, s.db, uid)
	return keeps, postgres.Translate(err, nil)
}

// SetKeeping switches the diary on or off. Sittings of which too little was heard until then go with the switch.
func (s *Store) SetKeeping(ctx context.Context, uid uuid.UUID, keeping bool) error {
	return s.inTx(ctx, uid, func(ctx context.Context, tx pgx.Tx) error {
		if keeping {
			return s.queries.KeepDiary(ctx, tx, sqlcgen.KeepDiaryParams{Uid: uid, Now: s.now(), Member: erasure.Fingerprint(uid)})
		}
		if err := s.queries.EndDiary(ctx, tx, uid); err != nil {
			return err
		}
		return s.queries.DropUnshown(ctx, tx, uid)
	})
}

// Page is a page of a diary, the last day first, below the place at which the page before ended.
func (s *Store) Page(ctx context.Context, uid uuid.UUID, below diary.Place, most int) ([]diary.Entry, error) {
	day, err := time.Parse(time.DateOnly, below.Day)
	if err != nil {
		return nil, err
	}
	rows, err := s.queries.DiaryEntries(ctx, s.db, sqlcgen.DiaryEntriesParams{Uid: uid, Day: date(day), At: below.At.Time, ID: below.ID, Most: int32(most)})
	entries := make([]diary.Entry, len(rows))
	for i, row := range rows {
		entries[i] = entryOf(sqlcgen.DiaryEntryRow(row))
	}
	return entries, postgres.Translate(err, nil)
}

// IsFull says whether the diary takes no more entries.
func (s *Store) IsFull(ctx context.Context, uid uuid.UUID) (bool, error) {
	full, err := s.isFull(ctx, s.db, uid)
	return full, postgres.Translate(err, nil)
}

func (s *Store) isFull(ctx context.Context, db sqlcgen.DBTX, uid uuid.UUID) (bool, error) {
	n, err := s.queries.CountEntries(ctx, db, uid)
	return n >= diary.MaxEntries, err
}

// Add writes an entry by hand, and answers the one that is there where the id is taken. Errors: diary.ErrFull; diary.ErrNotFound for a
// member whose account is deleted.
func (s *Store) Add(ctx context.Context, uid, id uuid.UUID, day time.Time, line string) (added diary.Entry, err error) {
	err = s.inTx(ctx, uid, func(ctx context.Context, tx pgx.Tx) error {
		there, err := s.queries.HasEntry(ctx, tx, sqlcgen.HasEntryParams{Uid: uid, ID: id})
		if err != nil {
			return err
		}
		if !there {
			if err := s.refuseFull(ctx, tx, uid); err != nil {
				return err
			}
			err = s.queries.AddEntry(ctx, tx, sqlcgen.AddEntryParams{Uid: uid, ID: id, Day: date(day), Now: s.now(), Line: line, Member: erasure.Fingerprint(uid)})
			if err != nil {
				return err
			}
		}
		added, err = s.entry(ctx, tx, uid, id)
		return err
	})
	return added, err
}

// ChangeLine gives an entry another line. Errors: diary.ErrNotFound; diary.ErrLine for an empty one of what was written by hand.
func (s *Store) ChangeLine(ctx context.Context, uid, id uuid.UUID, line string) (changed diary.Entry, err error) {
	err = s.inTx(ctx, uid, func(ctx context.Context, tx pgx.Tx) error {
		if changed, err = s.entry(ctx, tx, uid, id); err != nil {
			return err
		}
		if changed.ByHand() && line == "" {
			return diary.ErrLine
		}
		n, err := s.queries.ChangeLine(ctx, tx, sqlcgen.ChangeLineParams{Uid: uid, ID: id, Line: line})
		if err == nil && n == 0 {
			err = diary.ErrNotFound // it is removed
		}
		changed.Line = line
		return err
	})
	return changed, err
}

// Remove takes an entry out. The one that was removed before it is gone.
func (s *Store) Remove(ctx context.Context, uid, id uuid.UUID) error {
	return s.inTx(ctx, uid, func(ctx context.Context, tx pgx.Tx) error {
		now := s.now()
		n, err := s.queries.RemoveEntry(ctx, tx, sqlcgen.RemoveEntryParams{Uid: uid, ID: id, Now: &now})
		if err != nil || n == 0 {
			return err
		}
		return s.queries.DropRemoved(ctx, tx, sqlcgen.DropRemovedParams{Uid: uid, ID: id})
	})
}

// Restore brings back the entry that was removed last. One that is there stays. Errors: diary.ErrNotFound, diary.ErrFull.
func (s *Store) Restore(ctx context.Context, uid, id uuid.UUID) (restored diary.Entry, err error) {
	err = s.inTx(ctx, uid, func(ctx context.Context, tx pgx.Tx) error {
		if restored, err = s.entry(ctx, tx, uid, id); err != nil {
			return err
		}
		n, err := s.queries.RestoreEntry(ctx, tx, sqlcgen.RestoreEntryParams{Uid: uid, ID: id})
		if err != nil || n == 0 {
			return err
		}
		count, err := s.queries.CountEntries(ctx, tx, uid)
		if err == nil && count > diary.MaxEntries {
			err = diary.ErrFull
		}
		return err
	})
	return restored, err
}

// Empty deletes every entry for good.
func (s *Store) Empty(ctx context.Context, uid uuid.UUID) error {
	return s.inTx(ctx, uid, func(ctx context.Context, tx pgx.Tx) error { return s.queries.EmptyDiary(ctx, tx, uid) })
}

// ForgetMember removes the diary of a member whose account was deleted, and waits for what is under way.
func (s *Store) ForgetMember(ctx context.Context, tx pgx.Tx, uid uuid.UUID) error {
	if err := s.queries.LockMember(ctx, tx, uid.String()); err != nil {
		return err
	}
	if err := s.queries.EndDiary(ctx, tx, uid); err != nil {
		return err
	}
	return s.queries.EmptyDiary(ctx, tx, uid)
}

// ForgetBespoke leaves the entries of a meditation that is gone without it. Their titles and lines are the member's own and stay.
func (s *Store) ForgetBespoke(ctx context.Context, tx pgx.Tx, id uuid.UUID) error {
	return s.queries.UnlinkBespoke(ctx, tx, id.String())
}

// inTx runs fn in one transaction, after what else adds to the member's things.
func (s *Store) inTx(ctx context.Context, uid uuid.UUID, fn func(ctx context.Context, tx pgx.Tx) error) error {
	return postgres.Translate(postgres.InTx(ctx, s.db, func(ctx context.Context, tx pgx.Tx) error {
		if err := s.queries.LockMember(ctx, tx, uid.String()); err != nil {
			return err
		}
		return fn(ctx, tx)
	}), nil)
}

// refuseFull errors: diary.ErrFull.
func (s *Store) refuseFull(ctx context.Context, tx pgx.Tx, uid uuid.UUID) error {
	full, err := s.isFull(ctx, tx, uid)
	if err == nil && full {
		err = diary.ErrFull
	}
	return err
}

// entry errors: diary.ErrNotFound.
func (s *Store) entry(ctx context.Context, tx pgx.Tx, uid, id uuid.UUID) (diary.Entry, error) {
	row, err := s.queries.DiaryEntry(ctx, tx, sqlcgen.DiaryEntryParams{Uid: uid, ID: id})
	if errors.Is(err, pgx.ErrNoRows) {
		return diary.Entry{}, diary.ErrNotFound
	}
	return entryOf(row), err
}

func entryOf(row sqlcgen.DiaryEntryRow) diary.Entry {
	e := row.DiaryEntry
	return diary.Entry{
		ID: e.ID, Day: e.Day.Time, At: e.At.UTC(), Item: reading.Item{Kind: reading.Kind(e.Kind), ID: e.Item}, Title: e.Title,
		Heard: time.Duration(e.HeardMs) * time.Millisecond, Finished: e.Finished, Line: e.Line,
		Slug: row.Slug, Immersive: row.Immersive, Available: row.Available,
	}
}

func date(day time.Time) pgtype.Date { return pgtype.Date{Time: day, Valid: true} }
