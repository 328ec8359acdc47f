package postgres

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"serein.app/services/generation/internal/events"
	"serein.app/services/generation/internal/meditation"
	"serein.app/services/generation/internal/postgres/sqlcgen"
	"serein.app/services/platform/outbox"
)

// MarkDeleted marks the owner's meditation if judge agrees, and ends its link: what is recovered is not shared until its owner says so.
func (s *Store) MarkDeleted(ctx context.Context, uid, id uuid.UUID, deletesAt time.Time, judge func(meditation.Meditation) error) (meditation.Meditation, error) {
	return s.revise(ctx, uid, id, judge, events.MarkedDeleted, func(ctx context.Context, tx pgx.Tx) (sqlcgen.Meditation, error) {
		if err := s.queries.EndShare(ctx, tx, id); err != nil {
			return sqlcgen.Meditation{}, err
		}
		return s.queries.SetDeletesAt(ctx, tx, sqlcgen.SetDeletesAtParams{ID: id, DeletesAt: &deletesAt})
	})
}

// Recover takes the mark back if judge agrees.
func (s *Store) Recover(ctx context.Context, uid, id uuid.UUID, judge func(meditation.Meditation) error) (meditation.Meditation, error) {
	return s.revise(ctx, uid, id, judge, events.Recovered, func(ctx context.Context, tx pgx.Tx) (sqlcgen.Meditation, error) {
		return s.queries.SetDeletesAt(ctx, tx, sqlcgen.SetDeletesAtParams{ID: id})
	})
}

// Rename gives the owner's meditation another title if judge agrees.
func (s *Store) Rename(ctx context.Context, uid, id uuid.UUID, title string, judge func(meditation.Meditation) error) (meditation.Meditation, error) {
	return s.revise(ctx, uid, id, judge, events.Renamed, func(ctx context.Context, tx pgx.Tx) (sqlcgen.Meditation, error) {
		return s.queries.SetNewTitle(ctx, tx, sqlcgen.SetNewTitleParams{ID: id, NewTitle: title})
	})
}

// revise holds the row still, asks judge, and changes it with its event.
func (s *Store) revise(
	ctx context.Context, uid, id uuid.UUID, judge func(meditation.Meditation) error, tell func(meditation.Meditation) outbox.Event,
	do func(ctx context.Context, tx pgx.Tx) (sqlcgen.Meditation, error),
) (m meditation.Meditation, err error) {
	err = s.change(ctx, func(ctx context.Context, tx pgx.Tx) (postCommit, error) {
		row, err := s.queries.LockOwn(ctx, tx, sqlcgen.LockOwnParams{ID: id, Uid: uid})
		if err != nil {
			return postCommit{}, notFound(err)
		}
		if m, err = toMeditation(row); err != nil {
			return postCommit{}, err
		}
		if err := judge(m); err != nil {
			return postCommit{}, err
		}
		if row, err = do(ctx, tx); err != nil {
			return postCommit{}, err
		}
		m, err = toMeditation(row)
		return changed(id, tell(m)), err
	})
	if err != nil {
		return meditation.Meditation{}, err
	}
	return m, nil
}
