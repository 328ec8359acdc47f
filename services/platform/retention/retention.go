// Package retention removes what has served. Each service says by policies what goes, when and why;
// all of them stand in one table of the platform's README. Rows go in small batches with a pause in
// between, one replica at a time. When a policy has last been through its rows is kept in the
// service's own database, so that restarts and deploys postpone nothing.
//
// It decides nothing: what must stay for ever has no policy, and its reason stands in the same README.
package retention

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"go.opentelemetry.io/otel/metric"

	"serein.app/services/platform/pause"
	"serein.app/services/platform/postgres"
)

// How it paces itself.
const (
	// every is how often each policy goes through its rows.
	every = 10 * time.Minute
	// lookEvery is how often each replica looks whether a policy is due, and measures.
	lookEvery = time.Minute
	// BatchSize is how many rows one statement removes; so few that it takes some milliseconds and
	// holds locks for no longer.
	BatchSize = 200
	// batchPause between two batches: what members wait for goes first.
	batchPause = 20 * time.Millisecond
	// batchesATurn bounds how long one policy keeps the others waiting. What is left of it stays due.
	batchesATurn = 1000
	// statementTime bounds one statement.
	statementTime = 5 * time.Second
	// lockName is the same for all replicas of all services; the databases differ.
	lockName = "serein.retention"
)

// Retention applies a service's policies to its database.
type Retention struct {
	db       *pgxpool.Pool
	policies []Policy
	metrics  *metrics
	log      *slog.Logger
	now      func() time.Time
	pause    time.Duration
}

// New makes the retention of a service. Run must be running for anything to go.
func New(db *pgxpool.Pool, service string, meters metric.MeterProvider, log *slog.Logger, now func() time.Time) (*Retention, error) {
	m, err := newMetrics(service, meters)
	if err != nil {
		return nil, err
	}
	return &Retention{db: db, metrics: m, log: log, now: now, pause: batchPause}, nil
}

// Add adds policies, before Run.
func (r *Retention) Add(policies ...Policy) { r.policies = append(r.policies, policies...) }

// Run removes what is due until ctx ends.
func (r *Retention) Run(ctx context.Context) error {
	for ctx.Err() == nil {
		if err := r.Once(ctx); err != nil && ctx.Err() == nil {
			r.log.WarnContext(ctx, "retention goes on later", "error", err)
		}
		_ = pause.For(ctx, lookEvery)
	}
	return nil
}

// Once applies each policy that is due, unless another replica does, and measures what is overdue. A
// policy that fails keeps no other from its turn, and is due again at once.
func (r *Retention) Once(ctx context.Context) error {
	due, err := r.due(ctx)
	if err == nil && len(due) > 0 {
		_, err = postgres.Lead(ctx, r.db, lockName, r.lead)
	}
	return errors.Join(err, r.measure(ctx))
}

// due are the policies whose last run is long ago.
func (r *Retention) due(ctx context.Context) ([]Policy, error) {
	ctx, cancel := context.WithTimeout(ctx, statementTime)
	defer cancel()
	rows, err := r.db.Query(ctx, "SELECT name FROM retention WHERE last_run > $1", r.now().Add(-every))
	if err != nil {
		return nil, err
	}
	recent, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return nil, err
	}
	ran := make(map[string]bool, len(recent))
	for _, name := range recent {
		ran[name] = true
	}
	var due []Policy
	for _, p := range r.policies {
		if !ran[p.Name] {
			due = append(due, p)
		}
	}
	return due, nil
}

// lead applies the due policies. The lock's connection is given up afterwards: one in ten minutes.
func (r *Retention) lead(ctx context.Context, _ *pgxpool.Conn) error {
	// The leader before this one may have applied the policies in between.
	due, err := r.due(ctx)
	for _, p := range due {
		if ctx.Err() != nil {
			break
		}
		if perr := r.apply(ctx, p); perr != nil {
			r.metrics.failed(ctx, p)
			err = errors.Join(err, fmt.Errorf("%s: %w", p.Name, perr))
		}
	}
	return err
}

// apply removes what p says, and records that it is through.
func (r *Retention) apply(ctx context.Context, p Policy) error {
	started := r.now()
	for range batchesATurn {
		n, err := r.batch(ctx, p, started.Add(-p.Keep))
		if err != nil {
			return err
		}
		r.metrics.removed(ctx, p, n)
		if n < BatchSize {
			return r.record(ctx, p, started)
		}
		_ = pause.For(ctx, r.pause)
	}
	return nil
}

func (r *Retention) batch(ctx context.Context, p Policy, before time.Time) (int, error) {
	ctx, cancel := context.WithTimeout(ctx, statementTime)
	defer cancel()
	return p.RemoveBatch(ctx, r.db, before, BatchSize)
}

func (r *Retention) record(ctx context.Context, p Policy, at time.Time) error {
	ctx, cancel := context.WithTimeout(ctx, statementTime)
	defer cancel()
	_, err := r.db.Exec(ctx, `INSERT INTO retention (name, last_run) VALUES ($1, $2)
		ON CONFLICT (name) DO UPDATE SET last_run = EXCLUDED.last_run`, p.Name, at)
	return err
}
