package postgres

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"serein.app/services/generation/internal/meditation"
	"serein.app/services/generation/internal/postgres/sqlcgen"
	"serein.app/services/platform/postgres"
)

// PutShare keeps a link if judge agrees, and where EndSharesOf has not ended links of its time: that is meditation.ErrNotFound. The row of its meditation is held meanwhile: a mark ends the link, or comes first.
func (s *Store) PutShare(ctx context.Context, share meditation.Share, judge func(meditation.Meditation) error) (kept meditation.Share, err error) {
	err = postgres.InTx(ctx, s.db, func(ctx context.Context, tx pgx.Tx) error {
		row, err := s.queries.LockOwn(ctx, tx, sqlcgen.LockOwnParams{ID: share.MeditationID, Uid: share.UID})
		if err != nil {
			return notFound(err)
		}
		m, err := toMeditation(row)
		if err != nil {
			return err
		}
		if err := judge(m); err != nil {
			return err
		}
		may, err := s.queries.MayLink(ctx, tx, sqlcgen.MayLinkParams{Uid: share.UID, CreatedAt: share.CreatedAt})
		if err != nil {
			return notFound(err)
		}
		if !may {
			return meditation.ErrNotFound
		}
		put, err := s.queries.PutShare(ctx, tx, sqlcgen.PutShareParams{
			MeditationID: share.MeditationID, Uid: share.UID, TokenHash: share.Hash, SealedToken: share.Sealed,
			ShownName: share.ShownName, CreatedAt: share.CreatedAt,
		})
		kept = toShare(put)
		return err
	})
	if err != nil {
		return meditation.Share{}, translate(err)
	}
	return kept, nil
}

// ShareOf answers the owner's link of a meditation.
func (s *Store) ShareOf(ctx context.Context, uid, id uuid.UUID) (meditation.Share, error) {
	row, err := s.queries.ShareOf(ctx, s.db, sqlcgen.ShareOfParams{MeditationID: id, Uid: uid})
	if err != nil {
		return meditation.Share{}, noShare(err)
	}
	return toShare(row), nil
}

// SharesOf answers so many at most of the member's links, from behind that of a meditation.
func (s *Store) SharesOf(ctx context.Context, uid, after uuid.UUID, most int) ([]meditation.Share, error) {
	rows, err := s.queries.SharesOf(ctx, s.db, sqlcgen.SharesOfParams{Uid: uid, After: after, Most: int32(most)})
	shares := make([]meditation.Share, len(rows))
	for i, r := range rows {
		shares[i] = toShare(r)
	}
	return shares, translate(err)
}

// EndShare ends the link of a meditation, if there is one.
func (s *Store) EndShare(ctx context.Context, id uuid.UUID) error {
	return translate(s.queries.EndShare(ctx, s.db, id))
}

// EndSharesOf ends a member's links that were made until then, in the caller's transaction, and those that are made later of requests of
// until then; all for nil.
func (s *Store) EndSharesOf(ctx context.Context, tx pgx.Tx, uid uuid.UUID, until *time.Time) error {
	if until != nil {
		if err := s.queries.EndLinksUntil(ctx, tx, sqlcgen.EndLinksUntilParams{Uid: uid, Until: *until}); err != nil {
			return err
		}
	}
	return s.queries.EndSharesOf(ctx, tx, sqlcgen.EndSharesOfParams{Uid: uid, MadeBy: until})
}

// Shared finds what a link leads to.
func (s *Store) Shared(ctx context.Context, hash []byte) (meditation.Meditation, meditation.Share, error) {
	row, err := s.queries.Shared(ctx, s.db, hash)
	if err != nil {
		return meditation.Meditation{}, meditation.Share{}, noShare(err)
	}
	m, err := toMeditation(row.Meditation)
	return m, toShare(row.Share), err
}

func toShare(r sqlcgen.Share) meditation.Share {
	return meditation.Share{
		MeditationID: r.MeditationID, UID: r.Uid, Hash: r.TokenHash, Sealed: r.SealedToken,
		ShownName: r.ShownName, CreatedAt: r.CreatedAt.UTC(),
	}
}

func noShare(err error) error {
	if errors.Is(err, pgx.ErrNoRows) {
		return meditation.ErrShareNotFound.Because(err)
	}
	return translate(err)
}
