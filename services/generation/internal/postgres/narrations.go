package postgres

import (
	"bytes"
	"context"
	"errors"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"serein.app/services/generation/internal/events"
	"serein.app/services/generation/internal/postgres/sqlcgen"
	"serein.app/services/generation/internal/publication"
	"serein.app/services/platform/outbox"
	"serein.app/services/platform/postgres"
)

var _ publication.Store = (*Store)(nil)

// StartNarration writes a narration down, or finds the one of its id.
func (s *Store) StartNarration(ctx context.Context, n publication.Narration, now time.Time) (publication.Narration, error) {
	passages, err := fromPassages(n.Passages)
	if err != nil {
		return publication.Narration{}, err
	}
	err = s.change(ctx, func(ctx context.Context, tx pgx.Tx) (postCommit, error) {
		inserted, err := s.queries.InsertNarration(ctx, tx, sqlcgen.InsertNarrationParams{
			ID: n.ID, RequestHash: n.RequestHash, NarratorID: n.NarratorID, NarratorName: n.NarratorName,
			Passages: passages, PassagesTotal: int32(n.Total), CreatedAt: now,
		})
		if err != nil {
			return postCommit{}, err
		}
		row, err := s.queries.LockNarration(ctx, tx, n.ID)
		if err != nil {
			return postCommit{}, err
		}
		if !bytes.Equal(row.RequestHash, n.RequestHash) {
			return postCommit{}, publication.ErrReused
		}
		again := row.Tidied || row.State == string(publication.Failed)
		if again {
			row, err = s.retryNarration(ctx, tx, row.ID, row.Tidied, now)
		}
		if err != nil {
			return postCommit{}, err
		}
		if n, err = toNarration(row); err != nil || inserted == 0 && !again {
			return postCommit{}, err
		}
		return postCommit{topics: []string{publication.TopicNarrations}}, nil
	})
	return n, err
}

func (s *Store) retryNarration(ctx context.Context, tx pgx.Tx, id string, tidied bool, now time.Time) (sqlcgen.Narration, error) {
	if tidied {
		if err := s.queries.ForgetNarrationSegments(ctx, tx, id); err != nil {
			return sqlcgen.Narration{}, err
		}
	}
	return s.queries.RetryNarration(ctx, tx, sqlcgen.RetryNarrationParams{ID: id, CreatedAt: now})
}

// Narration finds one whose sound was not removed.
func (s *Store) Narration(ctx context.Context, id string) (publication.Narration, error) {
	row, err := s.queries.Narration(ctx, s.db, id)
	if errors.Is(err, pgx.ErrNoRows) {
		return publication.Narration{}, publication.ErrNotFound
	}
	if err != nil {
		return publication.Narration{}, translate(err)
	}
	return toNarration(row)
}

// ClaimNarration takes the oldest that no living worker has.
func (s *Store) ClaimNarration(ctx context.Context, worker uuid.UUID) (publication.Narration, bool, error) {
	row, err := s.queries.ClaimNarration(ctx, s.db, worker)
	if errors.Is(err, pgx.ErrNoRows) {
		return publication.Narration{}, false, nil
	}
	if err != nil {
		return publication.Narration{}, false, translate(err)
	}
	n, err := toNarration(row)
	return n, err == nil, err
}

// AddNarrationSegment stores the next segment.
func (s *Store) AddNarrationSegment(ctx context.Context, n publication.Narration, segment publication.Segment) error {
	return translate(lost(s.queries.AddNarrationSegment(ctx, s.db, sqlcgen.AddNarrationSegmentParams{
		NarrationID: n.ID, Attempt: int32(n.Attempt), Index: int32(segment.Index),
		DurationUs: segment.Duration.Microseconds(), Bytes: segment.Bytes, BlobKey: segment.BlobKey,
	})))
}

// NarrationSegments are those stored, in order.
func (s *Store) NarrationSegments(ctx context.Context, id string) ([]publication.Segment, error) {
	rows, err := s.queries.NarrationSegments(ctx, s.db, id)
	segments := make([]publication.Segment, len(rows))
	for i, r := range rows {
		segments[i] = publication.Segment{Index: int(r.Index), Duration: micros(r.DurationUs), Bytes: r.Bytes, BlobKey: r.BlobKey}
	}
	return segments, translate(err)
}

// CompleteNarration makes it ready, with its event.
func (s *Store) CompleteNarration(ctx context.Context, n publication.Narration, now time.Time) error {
	return s.change(ctx, func(ctx context.Context, tx pgx.Tx) (postCommit, error) {
		row, err := s.queries.CompleteNarration(ctx, tx, sqlcgen.CompleteNarrationParams{ID: n.ID, Attempt: int32(n.Attempt), EndedAt: now})
		if err != nil {
			return postCommit{}, lostRow(err)
		}
		if n, err = toNarration(row); err != nil {
			return postCommit{}, err
		}
		return postCommit{events: []outbox.Event{events.Narrated(n)}}, s.queries.ForgetNarrationSegments(ctx, tx, n.ID)
	})
}

// FailNarration gives it up.
func (s *Store) FailNarration(ctx context.Context, n publication.Narration, reason string, now time.Time) error {
	return translate(lost(s.queries.FailNarration(ctx, s.db, sqlcgen.FailNarrationParams{
		ID: n.ID, Attempt: int32(n.Attempt), FailureReason: reason, EndedAt: now,
	})))
}

// GiveNarrationBack makes it claimable after the wait.
func (s *Store) GiveNarrationBack(ctx context.Context, n publication.Narration, wait time.Duration, counts bool) error {
	return s.change(ctx, func(ctx context.Context, tx pgx.Tx) (postCommit, error) {
		return postCommit{topics: []string{publication.TopicNarrations}}, lost(s.queries.GiveNarrationBack(ctx, tx, sqlcgen.GiveNarrationBackParams{
			ID: n.ID, Attempt: int32(n.Attempt), Wait: wait, Counts: counts,
		}))
	})
}

// RestartNarration forgets its segments.
func (s *Store) RestartNarration(ctx context.Context, n publication.Narration, wait time.Duration) error {
	return s.change(ctx, func(ctx context.Context, tx pgx.Tx) (postCommit, error) {
		err := lost(s.queries.RestartNarration(ctx, tx, sqlcgen.RestartNarrationParams{ID: n.ID, Attempt: int32(n.Attempt), Wait: wait}))
		if err != nil {
			return postCommit{}, err
		}
		return postCommit{}, s.queries.ForgetNarrationSegments(ctx, tx, n.ID)
	})
}

// LoseNarration puts a narration whose sound is gone back into the queue, to be made again.
func (s *Store) LoseNarration(ctx context.Context, id string) error {
	return s.change(ctx, func(ctx context.Context, tx pgx.Tx) (postCommit, error) {
		n, err := s.queries.LoseNarration(ctx, tx, id)
		if err != nil || n == 0 {
			return postCommit{}, err
		}
		return postCommit{topics: []string{publication.TopicNarrations}}, s.queries.ForgetNarrationSegments(ctx, tx, id)
	})
}

// UntidyNarrations ended up to that time and have sound still.
func (s *Store) UntidyNarrations(ctx context.Context, before time.Time) ([]string, error) {
	ids, err := s.queries.UntidyNarrations(ctx, s.db, before)
	return ids, translate(err)
}

// NarrationTidied says that its sound was removed.
func (s *Store) NarrationTidied(ctx context.Context, id string, before time.Time) error {
	_, err := s.queries.NarrationTidied(ctx, s.db, sqlcgen.NarrationTidiedParams{ID: id, Before: before})
	return translate(err)
}

// CountNarrations counts the narrations that are not made yet, up to maxCounted.
func (s *Store) CountNarrations(ctx context.Context) (int, error) {
	n, err := s.queries.CountNarrations(ctx, s.db, maxCounted)
	return int(n), postgres.Translate(err, nil)
}

func toNarration(r sqlcgen.Narration) (publication.Narration, error) {
	passages, err := toPassages(r.Passages)
	return publication.Narration{
		ID: r.ID, RequestHash: r.RequestHash, NarratorID: r.NarratorID, NarratorName: r.NarratorName, Passages: passages,
		State: publication.State(r.State), Done: int(r.PassagesDone), Total: int(r.PassagesTotal),
		Duration: micros(r.DurationUs), Bytes: r.AudioBytes, FailureReason: r.FailureReason,
		Attempt: int(r.Attempt), Tries: int(r.Tries),
	}, err
}
