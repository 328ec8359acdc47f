package outbox

import (
	"context"
	"fmt"
	"strconv"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"serein.app/services/platform/bus"
	"serein.app/services/platform/failpoint"
	"serein.app/services/platform/postgres"
)

// How the relay paces itself.
const (
	// batchSize is how many events go out in one round.
	batchSize = bus.MaxBatch / 2
	// idlePoll finds rows whose wake-up was missed, for example another replica's.
	idlePoll = time.Second
	// commitTime is what the transaction that woke the relay usually needs to commit.
	commitTime = 10 * time.Millisecond
	// retryAfter is the pause after the broker or the database failed; it doubles up to patience.
	retryAfter = 500 * time.Millisecond
	patience   = 8 * time.Second
	// followPoll is how often a relay that is not the leader tries to become it.
	followPoll = 3 * time.Second
	// clockDifference between the broker and the database, at most. Events of that time go out
	// again though they are in the stream; the broker and the consumers know them.
	clockDifference = 30 * time.Second
	// lockName is the same for all replicas of all services; the databases differ.
	lockName = "serein.outbox.relay"
)

// Run publishes rows until ctx ends. One relay at a time works on a database, whichever
// replica holds its advisory lock, so that an aggregate's events keep their order.
func (o *Outbox) Run(ctx context.Context) error {
	var watching sync.WaitGroup
	defer watching.Wait()
	watching.Go(func() { o.watch(ctx) })
	wait := retryAfter
	for ctx.Err() == nil {
		if !o.bus.Connected() { // nothing can leave, so nothing is asked of the database either
			sleep(ctx, nil, retryAfter)
			continue
		}
		began := o.now()
		led, err := postgres.Lead(ctx, o.db, lockName, o.lead)
		switch {
		case ctx.Err() != nil:
		case err != nil:
			if o.now().Sub(began) > patience {
				wait = retryAfter // it had worked for a while
			}
			o.log.WarnContext(ctx, "relay waits", "error", err)
			o.rest(ctx, wait)
			wait = min(2*wait, patience)
		case !led:
			sleep(ctx, nil, followPoll)
		}
	}
	return nil
}

// lead publishes until something fails or ctx ends.
func (o *Outbox) lead(ctx context.Context, conn *pgxpool.Conn) error {
	var prepared *uint64
	done := newProgress()
	wait := idlePoll
	var repairing sync.WaitGroup
	defer repairing.Wait()
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	for ctx.Err() == nil {
		// After every loss of the broker its stream may be another one.
		if met := o.bus.Reconnects(); prepared == nil || *prepared != met {
			if err := o.prepare(ctx); err != nil {
				return err
			}
			if prepared == nil {
				repairing.Go(func() { o.repair(ctx) })
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

// prepare declares the stream. Events that were published before this stream was created went to an earlier stream
// that was lost, so they go out again, no matter which process created the new stream and what the stream holds by now.
func (o *Outbox) prepare(ctx context.Context) error {
	born, err := o.bus.EnsureStream(ctx, o.service)
	if err != nil {
		return err
	}
	oldest := o.now().Add(-keep)
	again, err := republish(ctx, o.db, oldest, oldest, born.Add(clockDifference), false)
	if err != nil {
		return fmt.Errorf("republish: %w", err)
	}
	if again > 0 {
		o.log.InfoContext(ctx, "events older than their stream go out again", "events", again)
	}
	return nil
}

// republish marks the events that were published between from and to as unpublished, and returns their number. It finds
// them by their time of publishing, so it skips events that have gone out again since, and works in batches, because a
// month of events takes longer than one statement may. It skips events that were written before oldest: if streams
// were lost again and again, those would return for ever, also after inboxes have forgotten them. force is for a
// stream that already has these events: they get new message ids, so that the broker does not drop them as duplicates.
func republish(ctx context.Context, db *pgxpool.Pool, oldest, from, to time.Time, force bool) (again int64, err error) {
	for {
		var n int64
		err := db.QueryRow(ctx, `WITH batch AS (
				SELECT id, published_at FROM outbox
				WHERE published_at >= $1 AND published_at < $2 AND created_at >= $4 ORDER BY published_at LIMIT $3
			), changed AS (
				UPDATE outbox SET published_at = NULL, again_at = CASE WHEN $5 THEN now() ELSE again_at END WHERE id = ANY (ARRAY(SELECT id FROM batch))
			)
			SELECT count(*), coalesce(max(published_at), $2) FROM batch`, from, to, batchSize, oldest, force).Scan(&n, &from)
		if err != nil {
			return again, err
		}
		if again += n; n < batchSize {
			return again, nil
		}
	}
}

// waiting is a row that is to go out.
type waiting struct {
	Row
	AgainAt *time.Time
}

// messageID is how the broker knows a message again.
func (w waiting) messageID() string {
	if w.AgainAt == nil {
		return w.ID.String()
	}
	return w.ID.String() + "." + strconv.FormatInt(w.AgainAt.UnixMicro(), 10)
}

func (o *Outbox) publishBatch(ctx context.Context, conn *pgxpool.Conn, done *progress) (int, error) {
	rows, err := conn.Query(ctx, `SELECT id, subject, payload, again_at FROM outbox WHERE published_at IS NULL ORDER BY seq LIMIT $1`, batchSize)
	if err != nil {
		return 0, err
	}
	batch, err := pgx.CollectRows(rows, pgx.RowToStructByPos[waiting])
	if err != nil || len(batch) == 0 {
		return 0, err
	}
	messages := make([]bus.Message, len(batch))
	for i, row := range batch {
		messages[i] = bus.Message{ID: row.messageID(), Subject: row.Subject, Data: row.Payload}
	}
	stored, publishErr := o.bus.Publish(ctx, bus.StreamName(o.service), messages)
	ids := make([]uuid.UUID, stored)
	for i := range stored {
		ids[i] = batch[i].ID
		done.sum.Add(batch[i].ID.String())
	}
	if stored > 0 {
		failpoint.Pass(failpoint.AfterPublishBeforeMark)
	}
	if _, err := conn.Exec(ctx, `UPDATE outbox SET published_at = now() WHERE id = ANY ($1)`, ids); err != nil {
		return 0, err
	}
	if publishErr != nil {
		return 0, fmt.Errorf("publish: %w", publishErr)
	}
	return stored, nil
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
