package postgres

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"serein.app/services/generation/internal/meditation"
	"serein.app/services/generation/internal/postgres/sqlcgen"
	"serein.app/services/generation/internal/recording"
	"serein.app/services/platform/postgres"
)

// Get answers the owner's meditation.
func (s *Store) Get(ctx context.Context, uid, id uuid.UUID) (meditation.Meditation, error) {
	row, err := s.queries.Get(ctx, s.db, sqlcgen.GetParams{ID: id, Uid: uid})
	if err != nil {
		return meditation.Meditation{}, notFound(err)
	}
	return toMeditation(row)
}

// Own answers those of the ids that are the owner's.
func (s *Store) Own(ctx context.Context, uid uuid.UUID, ids []uuid.UUID) ([]meditation.Meditation, error) {
	rows, err := s.queries.Own(ctx, s.db, sqlcgen.OwnParams{Ids: ids, Uid: uid})
	own := make([]meditation.Meditation, len(rows))
	for i, r := range rows {
		own[i] = toListed(uid, sqlcgen.ListRow(r))
	}
	return own, translate(err)
}

// Requested answers the meditation that the member's request with that key began.
func (s *Store) Requested(ctx context.Context, uid, key uuid.UUID) (meditation.Meditation, error) {
	row, err := s.queries.Requested(ctx, s.db, sqlcgen.RequestedParams{Uid: uid, IdempotencyKey: key})
	if err != nil {
		return meditation.Meditation{}, notFound(err)
	}
	return toMeditation(row)
}

// GetWithSegments answers the owner's meditation with its segments, in one round trip.
func (s *Store) GetWithSegments(ctx context.Context, uid, id uuid.UUID) (m meditation.Meditation, segments []recording.Segment, err error) {
	var row sqlcgen.Meditation
	var rows []sqlcgen.Segment
	err = postgres.Together(ctx, s.db, func(db postgres.Queryer) (err error) {
		row, err = s.queries.Get(ctx, db, sqlcgen.GetParams{ID: id, Uid: uid})
		return err
	}, func(db postgres.Queryer) (err error) {
		rows, err = s.queries.Segments(ctx, db, sqlcgen.SegmentsParams{MeditationID: id})
		return err
	})
	if err != nil {
		return m, nil, notFound(err)
	}
	if m, err = toMeditation(row); err != nil {
		return m, nil, err
	}
	segments, err = toSegments(rows)
	return m, segments, err
}

// Segments answers the segments from index from on.
func (s *Store) Segments(ctx context.Context, id uuid.UUID, from int) ([]recording.Segment, error) {
	rows, err := s.queries.Segments(ctx, s.db, sqlcgen.SegmentsParams{MeditationID: id, FromIndex: int32(from)})
	if err != nil {
		return nil, translate(err)
	}
	return toSegments(rows)
}

// SegmentSound answers where the sound of one segment of the owner's meditation lies. Errors: meditation.ErrNotFound.
func (s *Store) SegmentSound(ctx context.Context, uid, id uuid.UUID, index int) (meditation.SegmentSound, error) {
	row, err := s.queries.SegmentSound(ctx, s.db, sqlcgen.SegmentSoundParams{ID: id, Uid: uid, Index: int32(index)})
	if err != nil {
		return meditation.SegmentSound{}, notFound(err)
	}
	return meditation.SegmentSound{
		State: meditation.State(row.State), BlobKey: row.BlobKey, Offset: row.ByteOffset, Bytes: row.Bytes,
	}, nil
}

// Scripts answers those that are written, by the ids of their meditations.
func (s *Store) Scripts(ctx context.Context, ids []uuid.UUID) (map[uuid.UUID]recording.Script, error) {
	rows, err := s.queries.Scripts(ctx, s.db, ids)
	if err != nil {
		return nil, translate(err)
	}
	scripts := make(map[uuid.UUID]recording.Script, len(rows))
	for _, r := range rows {
		passages, err := toPassages(r.Passages)
		if err != nil {
			return nil, err
		}
		scripts[r.MeditationID] = recording.Script{Passages: passages}
	}
	return scripts, nil
}

// SpokenLately answers the sentences of so many of the member's scripts at most, those of the last meditations before m, the newest first,
// and those of them whose member did not keep them inside.
func (s *Store) SpokenLately(ctx context.Context, m meditation.Meditation, most int) (spoken, tellable [][]string, err error) {
	rows, err := s.queries.SpokenLately(ctx, s.db, sqlcgen.SpokenLatelyParams{
		Uid: m.UID, CreatedAt: m.CreatedAt, ID: m.ID, Most: int32(most),
	})
	if err != nil {
		return nil, nil, translate(err)
	}
	for _, row := range rows {
		passages, err := toPassages(row.Passages)
		if err != nil {
			return nil, nil, err
		}
		var said []string
		for _, p := range passages {
			said = append(said, p.Sentences...)
		}
		spoken = append(spoken, said)
		if !row.KeptInside {
			tellable = append(tellable, said)
		}
	}
	return spoken, tellable, nil
}

// List answers a page and the number of all behind its filter.
func (s *Store) List(ctx context.Context, uid uuid.UUID, p meditation.Page, failedSince time.Time) ([]meditation.Meditation, int, error) {
	rows, err := s.rows(ctx, uid, p, failedSince)
	if err != nil {
		return nil, 0, translate(err)
	}
	page := make([]meditation.Meditation, len(rows))
	for i, r := range rows {
		page[i] = toListed(uid, r)
	}
	if p.First() && len(rows) < p.Size {
		return page, len(rows), nil // all there are, so nothing needs counting
	}
	total, err := s.total(ctx, uid, p.Filter, failedSince)
	return page, total, translate(err)
}

// rows of a page, by the statement of its filter.
func (s *Store) rows(ctx context.Context, uid uuid.UUID, p meditation.Page, failedSince time.Time) (rows []sqlcgen.ListRow, err error) {
	asked := sqlcgen.ListParams{
		Uid: uid, FailedSince: failedSince, BeforeTime: p.Before.At.Time, BeforeID: p.Before.ID, PageSize: int32(p.Size),
	}
	switch p.Filter {
	case meditation.Marked:
		marked, err := s.queries.ListMarked(ctx, s.db, sqlcgen.ListMarkedParams{
			Uid: uid, BeforeTime: p.Before.At.Time, BeforeID: p.Before.ID, PageSize: int32(p.Size),
		})
		for _, r := range marked {
			rows = append(rows, sqlcgen.ListRow(r))
		}
		return rows, err
	case meditation.All:
		all, err := s.queries.ListAll(ctx, s.db, sqlcgen.ListAllParams(asked))
		for _, r := range all {
			rows = append(rows, sqlcgen.ListRow(r))
		}
		return rows, err
	case meditation.Active:
	}
	return s.queries.List(ctx, s.db, asked)
}

// total is how many the filter has: a number that is kept, with what is being made or failed lately.
func (s *Store) total(ctx context.Context, uid uuid.UUID, f meditation.Filter, failedSince time.Time) (int, error) {
	of, err := s.queries.Totals(ctx, s.db, sqlcgen.TotalsParams{Uid: uid, FailedSince: failedSince})
	active := int(of.Ready + of.Refunded + of.Unfinished)
	switch f {
	case meditation.Marked:
		return int(of.Deleted), err
	case meditation.All:
		return active + int(of.Deleted), err
	case meditation.Active:
	}
	return active, err
}

// Count answers how many meditations the member has to listen to, and how many they have marked deleted.
func (s *Store) Count(ctx context.Context, uid uuid.UUID) (heard, deleted int, err error) {
	finished, err := s.queries.Finished(ctx, s.db, uid)
	if errors.Is(err, pgx.ErrNoRows) {
		return 0, 0, nil
	}
	return int(finished.Ready), int(finished.Deleted), translate(err)
}
