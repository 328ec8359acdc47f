package postgres

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"serein.app/services/generation/internal/meditation"
	"serein.app/services/generation/internal/postgres/sqlcgen"
)

// restartGrace is how long after the database's start no worker is taken for dead.
const restartGrace = meditation.DefaultLease

// maxCounted is the highest number of waiting pieces that Load counts. A longer queue is too long, whatever its length.
const maxCounted = 10_000

// Beat records a worker's heartbeat. If the worker was taken for dead, Beat takes back the crash that its work was blamed for.
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
	waiting, err := s.queries.Waiting(ctx, s.db, maxCounted)
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
