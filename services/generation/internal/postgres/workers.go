package postgres

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"serein.app/services/generation/internal/meditation"
	"serein.app/services/generation/internal/postgres/sqlcgen"
)

// restartGrace is how long after the database's own start nobody is taken for dead.
const restartGrace = meditation.DefaultLease

// mostCounted pieces of work make up the load. Beyond that the queue is too long, however long it is.
const mostCounted = 10_000

// Beat says that a worker lives. One that was taken for dead meanwhile is not to blame its work for that.
func (s *Store) Beat(ctx context.Context, w meditation.Worker, first bool) error {
	return s.change(ctx, func(ctx context.Context, tx pgx.Tx) (postCommit, error) {
		wasLost, err := s.queries.Beat(ctx, tx, sqlcgen.BeatParams{
			ID: w.ID, Name: w.Name, Recorders: int32(w.Recorders), Pace: w.Pace.Seconds(), Lease: w.Lease,
		})
		if err == nil && wasLost {
			err = s.queries.Excuse(ctx, tx, w.ID)
		}
		if err != nil || !first || w.Name == "" {
			return postCommit{}, err
		}
		return postCommit{}, s.queries.LoseBefore(ctx, tx, sqlcgen.LoseBeforeParams{ID: w.ID, Name: w.Name})
	})
}

// Leave says that a worker has stopped.
func (s *Store) Leave(ctx context.Context, id uuid.UUID) error {
	return translate(s.queries.Leave(ctx, s.db, id))
}

// TakeBack makes claimable what dead workers had.
func (s *Store) TakeBack(ctx context.Context) (n int, err error) {
	taken, err := s.queries.TakeBack(ctx, s.db, restartGrace)
	if err != nil || len(taken) == 0 {
		return 0, translate(err)
	}
	topics := []string{meditation.TopicQueue}
	for _, m := range taken {
		topics = append(topics, meditation.TopicChanged(m.ID))
	}
	// A notification that is lost costs a second: workers look by themselves too.
	return len(taken), translate(s.queries.Notify(ctx, s.db, topics))
}

// Load sums up what waits and who works.
func (s *Store) Load(ctx context.Context) (meditation.Load, error) {
	waiting, err := s.queries.Waiting(ctx, s.db, mostCounted)
	if err != nil {
		return meditation.Load{}, translate(err)
	}
	rows, err := s.queries.Workers(ctx, s.db)
	if err != nil {
		return meditation.Load{}, translate(err)
	}
	workers := make([]meditation.Worker, 0, len(rows))
	var last time.Duration
	for _, r := range rows {
		pace := time.Duration(r.Pace * float64(time.Second))
		if last == 0 {
			last = pace
		}
		if r.Alive {
			workers = append(workers, meditation.Worker{Recorders: int(r.Recorders), Pace: pace})
		}
	}
	return meditation.NewLoad(int(waiting.Pieces), micros(waiting.SoundUs), waiting.Oldest.UTC(), workers, last), nil
}
