// Package postgres keeps meditations, scripts and segments. The meditations table is also the
// queue: claims, leases and fences are conditions of its statements, judged by the database's
// clock. Every change notifies (NOTIFY) when, and only when, it is committed.
package postgres

import (
	"context"
	"embed"
	"errors"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"serein.app/services/generation/internal/meditation"
	"serein.app/services/generation/internal/postgres/sqlcgen"
	"serein.app/services/platform/outbox"
	"serein.app/services/platform/postgres"
)

//go:embed migrations/*.sql
var migrations embed.FS

// Migrate brings the database up to date as its owner.
func Migrate(ctx context.Context, ownerURL string) error {
	return postgres.Migrate(ctx, ownerURL, migrations)
}

// Store is the service's database.
type Store struct {
	db      *pgxpool.Pool
	queries *sqlcgen.Queries
	outbox  *outbox.Outbox
}

var _ meditation.Store = (*Store)(nil)

// New makes a Store that writes events to the outbox.
func New(db *pgxpool.Pool, events *outbox.Outbox) *Store {
	return &Store{db: db, queries: sqlcgen.New(), outbox: events}
}

// change runs one transaction: fn changes the row, and the events and notifications that it answers
// are committed with it.
func (s *Store) change(ctx context.Context, fn func(ctx context.Context, tx pgx.Tx) (postCommit, error)) error {
	err := postgres.InTx(ctx, s.db, func(ctx context.Context, tx pgx.Tx) error {
		after, err := fn(ctx, tx)
		if err != nil {
			return err
		}
		for _, event := range after.events {
			if err := s.outbox.Add(ctx, tx, event); err != nil {
				return err
			}
		}
		return s.queries.Notify(ctx, tx, after.topics)
	})
	return translate(err)
}

// postCommit is what leaves the database once a change is committed: events by the outbox, and
// notifications of these topics.
type postCommit struct {
	events []outbox.Event
	topics []string
}

// changed is what follows a change of one meditation.
func changed(id uuid.UUID, events ...outbox.Event) postCommit {
	return postCommit{events: events, topics: []string{meditation.TopicChanged(id)}}
}

// withTopic adds a notification.
func (p postCommit) withTopic(topic string) postCommit {
	p.topics = append(p.topics, topic)
	return p
}

func translate(err error) error {
	if errors.Is(err, meditation.ErrLost) {
		return err
	}
	return postgres.Translate(err, nil)
}

// lost turns "no row matched the fence" into ErrLost.
func lost(rows int64, err error) error {
	if err == nil && rows == 0 {
		return meditation.ErrLost
	}
	return err
}

func lostRow(err error) error {
	if errors.Is(err, pgx.ErrNoRows) {
		return meditation.ErrLost
	}
	return err
}

func notFound(err error) error {
	if errors.Is(err, pgx.ErrNoRows) {
		return meditation.ErrNotFound.Because(err)
	}
	return translate(err)
}
