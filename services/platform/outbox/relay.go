package outbox

import (
	"context"
	"fmt"
	"hash/fnv"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"serein.app/services/platform/bus"
)

// How the relay paces itself.
const (
	// batchSize is how many events go out in one round.
	batchSize = 200
	// idlePoll finds rows whose wake-up was missed, for example another replica's.
	idlePoll = time.Second
	// commitTime is what the transaction that woke the relay usually needs to commit.
	commitTime = 10 * time.Millisecond
	// retryAfter is the pause while the broker or the database is away.
	retryAfter = 500 * time.Millisecond
	// followPoll is how often a relay that is not the leader tries to become it.
	followPoll = 3 * time.Second
	// clockDifference between the broker and the database, at most. Events of that time go out
	// again though they are in the stream; the broker and the consumers know them.
	clockDifference = 30 * time.Second
)

// Run publishes rows until ctx ends. One relay at a time works on a database, whichever
// replica holds its advisory lock, so that an aggregate's events keep their order.
func (o *Outbox) Run(ctx context.Context) error {
	for ctx.Err() == nil {
		wait := followPoll
		if err := o.lead(ctx); err != nil && ctx.Err() == nil {
			o.log.WarnContext(ctx, "relay waits", "error", err)
			wait = retryAfter
		}
		sleep(ctx, nil, wait)
	}
	return nil
}

// lead publishes for as long as it holds the lock; it returns nil when another relay has it.
func (o *Outbox) lead(ctx context.Context) error {
	conn, err := o.db.Acquire(ctx)
	if err != nil {
		return err
	}
	// The lock belongs to the connection: closing it, also by dying, gives the lock back.
	defer func() {
		_ = conn.Conn().Close(context.WithoutCancel(ctx))
		conn.Release()
	}()
	var leader bool
	if err := conn.QueryRow(ctx, `SELECT pg_try_advisory_lock($1)`, lockKey()).Scan(&leader); err != nil || !leader {
		return err
	}
	var prepared *uint64
	done := newProgress()
	wait := idlePoll
	for ctx.Err() == nil {
		// After every loss of the broker its stream may be another one.
		if met := o.bus.Reconnects(); prepared == nil || *prepared != met {
			if err := o.prepare(ctx); err != nil {
				return err
			}
			prepared = &met
		}
		began := o.now()
		n, err := o.publishBatch(ctx, conn, done)
		if err != nil {
			return err
		}
		if n < batchSize {
			if err := o.tell(done, began); err != nil {
				return err
			}
		}
		switch {
		case n == batchSize: // there are more
			continue
		case n > 0:
			wait = commitTime
		default:
			wait = min(2*wait, idlePoll)
		}
		// The wake-up comes before the commit. A transaction that takes longer than most is found
		// by looking again, ever more seldom until idlePoll.
		if sleep(ctx, o.wake, wait) {
			wait = commitTime
			sleep(ctx, nil, commitTime)
		}
	}
	return nil
}

// prepare declares the stream. Events that were published before this stream was made went to one
// that was lost, so they go out again, whoever made the new stream and whatever it holds by now.
func (o *Outbox) prepare(ctx context.Context) error {
	born, err := o.bus.EnsureStream(ctx, o.service)
	if err != nil {
		return err
	}
	tag, err := o.db.Exec(ctx, `UPDATE outbox SET published_at = NULL WHERE published_at < $1 AND created_at < $1 AND created_at >= $2`,
		born.Add(clockDifference), o.now().Add(-keep))
	if err != nil {
		return fmt.Errorf("republish: %w", err)
	}
	if tag.RowsAffected() > 0 {
		o.log.InfoContext(ctx, "events older than their stream go out again", "events", tag.RowsAffected())
	}
	return nil
}

func (o *Outbox) publishBatch(ctx context.Context, conn *pgxpool.Conn, done *progress) (int, error) {
	rows, err := conn.Query(ctx, `SELECT id, subject, payload FROM outbox WHERE published_at IS NULL ORDER BY seq LIMIT $1`, batchSize)
	if err != nil {
		return 0, err
	}
	batch, err := pgx.CollectRows(rows, pgx.RowToStructByPos[Row])
	if err != nil || len(batch) == 0 {
		return 0, err
	}
	messages := make([]bus.Message, len(batch))
	for i, row := range batch {
		messages[i] = bus.Message{ID: row.ID.String(), Subject: row.Subject, Data: row.Payload}
	}
	stored, publishErr := o.bus.Publish(ctx, bus.StreamName(o.service), messages)
	ids := make([]uuid.UUID, stored)
	for i := range stored {
		ids[i] = batch[i].ID
		done.sum.Add(batch[i].ID.String())
	}
	if _, err := conn.Exec(ctx, `UPDATE outbox SET published_at = now() WHERE id = ANY ($1)`, ids); err != nil {
		return 0, err
	}
	if publishErr != nil {
		return 0, fmt.Errorf("publish: %w", publishErr)
	}
	return stored, nil
}

// lockKey is the same for all replicas of all services; the databases differ.
func lockKey() int64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte("serein.outbox.relay"))
	return int64(h.Sum64())
}

// sleep waits for d, for wake or for the end; it says whether wake came.
func sleep(ctx context.Context, wake <-chan struct{}, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	case <-wake:
		return true
	}
	return false
}
