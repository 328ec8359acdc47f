// Package erasure takes a member whose account is deleted out of a service: its own tables and files, which the service knows
// how to empty, then every trace in what all services have, its outbox, its streams and its done jobs.
//
// A deletion is a row until it is done. If the process dies at any moment, the deletion is delayed and no more: every step may be
// done twice. The deletion is done when the service's own work returns without error; the event that then says so names the
// deletion and not the member.
package erasure

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"go.opentelemetry.io/otel/metric"
	"google.golang.org/protobuf/proto"

	eventsv1 "serein.app/proto/gen/serein/events/v1"
	"serein.app/services/platform/bus"
	"serein.app/services/platform/inbox"
	"serein.app/services/platform/outbox"
	"serein.app/services/platform/postgres"
)

const (
	// poll is how often it is looked for deletions that are due.
	poll = time.Second
	// atOnce is how many are looked at together: they share one reading of the outbox and the streams.
	atOnce = 50
	// lease is how long nobody else takes them, and what one round has.
	lease = 5 * time.Minute
	// longestWait is the longest pause before the next try; it begins with a second and doubles.
	longestWait = 5 * time.Minute
)

// ErrPending is what a service's work answers while something of the member has to end first. It is looked at again, and logged as
// no fault.
var ErrPending = errors.New("something of the member has to end first")

// Deletion of one account, as a service knows it.
type Deletion struct {
	// ID names the deletion, and nobody.
	ID  uuid.UUID
	UID uuid.UUID
}

// Work removes what a service keeps of a member beside what its consumer has removed in the event's transaction: files, what a vendor
// keeps. It may be called again after it has succeeded. Errors: ErrPending.
type Work func(ctx context.Context, d Deletion) error

// AtOnce is the work of a service whose consumer removes everything.
func AtOnce(context.Context, Deletion) error { return nil }

// Finish is the last step, in the transaction that forgets the deletion.
type Finish func(ctx context.Context, tx pgx.Tx, d Deletion) error

// Config is what an Eraser needs.
type Config struct {
	Service string
	DB      *pgxpool.Pool
	Bus     *bus.Bus
	Log     *slog.Logger
	Meters  metric.MeterProvider
	Work    Work
	Finish  Finish
}

// Eraser works off the deletions of one service.
type Eraser struct{ Config }

// New also measures how long the oldest deletion waits.
func New(c Config) (*Eraser, error) {
	e := &Eraser{c}
	return e, e.measure()
}

// Tell makes the Finish of every service but identity: the event that says that the service keeps nothing of the member.
func Tell(out *outbox.Outbox, told func(deletion string) proto.Message) Finish {
	return func(ctx context.Context, tx pgx.Tx, d Deletion) error {
		return out.Add(ctx, tx, outbox.Event{Aggregate: d.ID.String(), Message: told(d.ID.String())})
	}
}

// Consumer begins a deletion: forget removes what can go at once, in the event's transaction, and sees to it that what comes later of
// the member is not kept.
func Consumer(db *pgxpool.Pool, service string, forget func(ctx context.Context, tx pgx.Tx, uid uuid.UUID) error) (bus.Consumer, error) {
	return inbox.Consumer(db, service, func(ctx context.Context, tx pgx.Tx, event inbox.Event[*eventsv1.UserDeleted]) error {
		id, err := uuid.Parse(event.Payload.GetDeletionId())
		if err != nil {
			return fmt.Errorf("event %s: the deletion: %w", event.ID, err)
		}
		if err := forget(ctx, tx, event.UID); err != nil {
			return err
		}
		return Begin(ctx, tx, Deletion{ID: id, UID: event.UID})
	})
}

// Begin notes a deletion, once.
func Begin(ctx context.Context, tx pgx.Tx, d Deletion) error {
	_, err := tx.Exec(ctx, `INSERT INTO erasures (id, uid) VALUES ($1, $2) ON CONFLICT (id) DO NOTHING`, d.ID, d.UID)
	return err
}

// Run works until ctx ends.
func (e *Eraser) Run(ctx context.Context) error {
	for ctx.Err() == nil {
		n, err := e.Round(ctx)
		if err != nil && !errors.Is(err, ErrPending) && ctx.Err() == nil {
			e.Log.WarnContext(ctx, "deletions wait", "error", err)
		}
		if n < atOnce || err != nil {
			sleep(ctx)
		}
	}
	return nil
}

func sleep(ctx context.Context) {
	timer := time.NewTimer(poll)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	}
}

// Round takes those that are due one step on, and gives how many they were.
func (e *Eraser) Round(ctx context.Context) (int, error) {
	ctx, cancel := context.WithTimeout(ctx, lease)
	defer cancel()
	due, err := e.claim(ctx)
	if err != nil || len(due) == 0 {
		return 0, err
	}
	done := make([]Deletion, 0, len(due))
	for _, d := range due {
		switch err := e.Work(ctx, d); {
		case err == nil:
			done = append(done, d)
		case !errors.Is(err, ErrPending):
			e.Log.WarnContext(ctx, "a deletion will be tried again", "deletion", d.ID, "error", err)
		}
	}
	if len(done) == 0 {
		return len(due), nil
	}
	return len(due), e.close(ctx, done)
}

// close redacts and finishes those whose work is done: all in one reading, or each alone where one of them has to wait.
func (e *Eraser) close(ctx context.Context, done []Deletion) error {
	err := e.redact(ctx, done)
	var faults []error
	switch {
	case errors.Is(err, ErrPending) && len(done) > 1:
		for _, d := range done {
			faults = append(faults, e.close(ctx, []Deletion{d}))
		}
	case err != nil:
		return err
	default:
		for _, d := range done {
			faults = append(faults, e.finish(ctx, d))
		}
	}
	return errors.Join(faults...)
}

// claim takes the deletions that are due. If the process dies with them, another replica claims them, after the longest wait at
// the latest.
func (e *Eraser) claim(ctx context.Context) ([]Deletion, error) {
	rows, err := e.DB.Query(ctx, `UPDATE erasures SET tries = tries + 1,
			next_try_at = now() + least(make_interval(secs => power(2, least(tries, 20))), $2)
		WHERE id IN (SELECT id FROM erasures WHERE next_try_at <= now() ORDER BY next_try_at LIMIT $1 FOR UPDATE SKIP LOCKED)
		RETURNING id, uid`, atOnce, longestWait)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowToStructByPos[Deletion])
}

func (e *Eraser) finish(ctx context.Context, d Deletion) error {
	return postgres.InTx(ctx, e.DB, func(ctx context.Context, tx pgx.Tx) error {
		tag, err := tx.Exec(ctx, `DELETE FROM erasures WHERE id = $1`, d.ID)
		if err != nil || tag.RowsAffected() == 0 {
			return err
		}
		return e.Finish(ctx, tx, d)
	})
}

// measure shows how long the oldest deletion has waited here.
func (e *Eraser) measure() error {
	_, err := e.Meters.Meter("serein/erasure").Float64ObservableGauge("serein.erasure.oldest_age", metric.WithUnit("s"),
		metric.WithDescription("Seconds that the oldest deletion of an account has waited for this service; minutes are usual, a day needs somebody"),
		metric.WithFloat64Callback(func(ctx context.Context, o metric.Float64Observer) error {
			ctx, cancel := context.WithTimeout(ctx, time.Second)
			defer cancel()
			var age float64
			err := e.DB.QueryRow(ctx, `SELECT coalesce(extract(epoch FROM now() - min(asked_at)), 0)::float8 FROM erasures`).Scan(&age)
			if err != nil {
				return err
			}
			o.Observe(age)
			return nil
		}))
	return err
}
