package postgres

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"serein.app/services/generation/internal/events"
	"serein.app/services/generation/internal/meditation"
	"serein.app/services/generation/internal/postgres/sqlcgen"
	"serein.app/services/generation/internal/recording"
)

// FreeCancellations counts the member's free cancellations since that moment.
func (s *Store) FreeCancellations(ctx context.Context, uid uuid.UUID, since time.Time) (int, error) {
	n, err := s.queries.FreeCancellations(ctx, s.db, sqlcgen.FreeCancellationsParams{Uid: uid, Since: since})
	return int(n), translate(err)
}

// Cancel stops work that is not being finished yet. The member's cancellations come one after another, and
// the row stands still, so that judge's word is true when it is carried out.
func (s *Store) Cancel(
	ctx context.Context, uid, id uuid.UUID, since, now, deadline time.Time,
	judge func(m meditation.Meditation, free int) (keep bool, err error),
) (m meditation.Meditation, err error) {
	err = s.change(ctx, func(ctx context.Context, tx pgx.Tx) (postCommit, error) {
		if err := s.queries.LockMember(ctx, tx, uid.String()); err != nil {
			return postCommit{}, err
		}
		row, err := s.queries.Cancellable(ctx, tx, sqlcgen.CancellableParams{ID: id, Uid: uid})
		if err != nil {
			return postCommit{}, lostRow(err)
		}
		free, err := s.queries.FreeCancellations(ctx, tx, sqlcgen.FreeCancellationsParams{Uid: uid, Since: since})
		if err != nil {
			return postCommit{}, err
		}
		if m, err = toMeditation(row); err != nil {
			return postCommit{}, err
		}
		keep, err := judge(m, int(free))
		if err != nil {
			return postCommit{}, err
		}
		after := changed(id).withTopic(meditation.TopicStopped(id))
		if keep {
			m, err = s.endEarly(ctx, tx, id, deadline)
			after = after.withTopic(meditation.TopicQueue)
		} else {
			m, err = s.erase(ctx, tx, id, now)
		}
		after.events = append(after.events, events.Progressed(m))
		return after, err
	})
	return m, err
}

// erase ends work of which nothing is to stay.
func (s *Store) erase(ctx context.Context, tx pgx.Tx, id uuid.UUID, now time.Time) (meditation.Meditation, error) {
	if err := s.queries.DeleteSegments(ctx, tx, id); err != nil {
		return meditation.Meditation{}, err
	}
	if err := s.queries.DeleteScript(ctx, tx, id); err != nil {
		return meditation.Meditation{}, err
	}
	row, err := s.queries.Cancel(ctx, tx, sqlcgen.CancelParams{ID: id, Now: now})
	if err != nil {
		return meditation.Meditation{}, err
	}
	return toMeditation(row)
}

// endEarly makes the segments that are there the whole, in the script as well.
func (s *Store) endEarly(ctx context.Context, tx pgx.Tx, id uuid.UUID, deadline time.Time) (meditation.Meditation, error) {
	rows, err := s.queries.Segments(ctx, tx, sqlcgen.SegmentsParams{MeditationID: id})
	if err != nil {
		return meditation.Meditation{}, err
	}
	spoken := make([]recording.Segment, len(rows))
	for i, row := range rows {
		if spoken[i], err = toSegment(row); err != nil {
			return meditation.Meditation{}, err
		}
	}
	script := meditation.Spoken(spoken)
	passages, err := fromPassages(script.Passages)
	if err != nil {
		return meditation.Meditation{}, err
	}
	if err := s.queries.ReplaceScript(ctx, tx, sqlcgen.ReplaceScriptParams{MeditationID: id, Passages: passages}); err != nil {
		return meditation.Meditation{}, err
	}
	row, err := s.queries.EndEarly(ctx, tx, sqlcgen.EndEarlyParams{ID: id, Words: int32(script.Words), Deadline: deadline})
	if err != nil {
		return meditation.Meditation{}, err
	}
	return toMeditation(row)
}
