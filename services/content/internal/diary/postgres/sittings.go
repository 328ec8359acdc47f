package postgres

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"serein.app/services/content/internal/diary"
	"serein.app/services/content/internal/diary/postgres/sqlcgen"
	"serein.app/services/platform/erasure"
)

// Note writes what was heard into the diary of a member who keeps one: more of the last sitting with the item, or a sitting that begins.
// A full diary takes no new one. It gives the sitting's entry if that has no line yet, else uuid.Nil.
func (s *Store) Note(ctx context.Context, tx pgx.Tx, uid uuid.UUID, l diary.Listened) (withoutLine uuid.UUID, err error) {
	if err := s.queries.LockMember(ctx, tx, uid.String()); err != nil {
		return uuid.Nil, err
	}
	if keeps, err := s.queries.KeepsDiary(ctx, tx, uid); err != nil || !keeps {
		return uuid.Nil, err
	}
	now := s.now()
	last, err := s.queries.Sitting(ctx, tx, sqlcgen.SittingParams{Uid: uid, Kind: string(l.Item.Kind), Item: l.Item.ID})
	switch {
	case err != nil && !errors.Is(err, pgx.ErrNoRows):
		return uuid.Nil, err
	case err == nil && diary.GoesOn(last.HeardAt, now):
		return s.goOn(ctx, tx, uid, last, l, now)
	}
	return s.begin(ctx, tx, uid, l, now)
}

func (s *Store) goOn(ctx context.Context, tx pgx.Tx, uid uuid.UUID, last sqlcgen.SittingRow, l diary.Listened, now time.Time) (uuid.UUID, error) {
	heard := time.Duration(last.HeardMs)*time.Millisecond + l.Heard
	shown := diary.IsWorthAnEntry(heard, l.Duration)
	err := s.queries.GoOn(ctx, tx, sqlcgen.GoOnParams{Uid: uid, ID: last.ID, HeardMs: heard.Milliseconds(), Now: now, Finished: l.Finished, Shown: shown})
	if err != nil || !shown || last.Removed || last.Line != "" {
		return uuid.Nil, err
	}
	return last.ID, nil
}

func (s *Store) begin(ctx context.Context, tx pgx.Tx, uid uuid.UUID, l diary.Listened, now time.Time) (uuid.UUID, error) {
	if full, err := s.isFull(ctx, tx, uid); err != nil || full {
		return uuid.Nil, err
	}
	id, err := uuid.NewV7()
	if err != nil {
		return uuid.Nil, err
	}
	shown := diary.IsWorthAnEntry(l.Heard, l.Duration)
	err = s.queries.BeginSitting(ctx, tx, sqlcgen.BeginSittingParams{
		Uid: uid, ID: id, Kind: string(l.Item.Kind), Item: l.Item.ID, Day: date(l.Day()), Began: l.Began, Now: now,
		HeardMs: l.Heard.Milliseconds(), Finished: l.Finished, Shown: shown, Member: erasure.Fingerprint(uid),
	})
	if err != nil || !shown {
		return uuid.Nil, err
	}
	return id, nil
}
