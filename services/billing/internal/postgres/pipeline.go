package postgres

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"serein.app/services/platform/deadline"
	"serein.app/services/platform/errs"
)

// How calls are gathered. Measured with BenchmarkCredits (see the README).
const (
	// flushers is how many batches may be under way at once: half of the pool, so that reads go on.
	flushers = 4
	// batchSize is the most calls in one batch.
	batchSize = 64
	// lockWait is how long a batch waits for a member's row that another transaction has locked; the batch keeps its own
	// locks on other members' rows for that time. After one such wait it waits shortLockWait for each further locked row.
	lockWait      = 200 * time.Millisecond
	shortLockWait = 20 * time.Millisecond
	// blockedWorkers is how many goroutines send the blocked calls, each call alone.
	blockedWorkers = 1
)

// sendTime bounds one round trip; callTime a call from its arrival. A caller may give up earlier: what was sent goes on.
var sendTime, callTime = deadline.Of(5 * time.Second), deadline.Of(10 * time.Second)

// lockNotAvailable is the SQLSTATE of a lock that PostgreSQL did not get in time.
const lockNotAvailable = "55P03"

// call is one call of a SQL function that answers one row. Every such function must be
// harmless to repeat with the same arguments.
type call struct {
	// ctx of the caller: a blocked call is not sent once its caller has given up.
	ctx context.Context //nolint:containedctx // calls of many callers travel together
	// uid whose row the function locks.
	uid  uuid.UUID
	sql  string
	args []any
	// scan reads the answer's row into a variable that only this call uses.
	scan func(pgx.Row) error
	// until is when the pipeline stops retrying the call if its member's row stays locked.
	until time.Time
	done  chan error
}

// pipeline gathers the calls that arrive while others are under way and sends them to
// PostgreSQL together: one round trip and one commit for many members. A call that finds
// no other under way is sent at once, so gathering makes no call wait longer.
//
// A call of a member whose row another transaction has locked would delay its whole batch. Such a call is blocked:
// it joins the queue of blocked calls and is sent alone, in turn with the others, until the row is free or its time is over.
type pipeline struct {
	db      *pgxpool.Pool
	metrics *metrics
	mu      sync.Mutex
	waiting []*call
	active  int
	// blocked is the queue of calls of members whose row was found locked. lockContention counts such calls of each
	// member, those under way included.
	blocked        []*call
	lockContention map[uuid.UUID]int
	blockedActive  int
}

func newPipeline(db *pgxpool.Pool) *pipeline {
	return &pipeline{db: db, lockContention: map[uuid.UUID]int{}}
}

// ask runs one call and gives its row, read by scan. When ctx ends first the outcome is unknown,
// and the row is never seen: the call may still be scanning it.
func ask[T any](ctx context.Context, p *pipeline, uid uuid.UUID, scan func(pgx.Row, *T) error, sql string, args ...any) (T, error) {
	var row, none T
	err := p.do(ctx, &call{uid: uid, sql: sql, args: args, scan: func(r pgx.Row) error { return scan(r, &row) }})
	if err != nil {
		return none, err
	}
	return row, nil
}

// do runs one call and waits for its commit, or for the end of ctx.
func (p *pipeline) do(ctx context.Context, c *call) error {
	c.ctx, c.until, c.done = ctx, time.Now().Add(callTime), make(chan error, 1)
	p.mu.Lock()
	if p.lockContention[c.uid] > 0 {
		p.requeue(c)
	} else {
		p.waiting = append(p.waiting, c)
		if p.active < flushers {
			p.active++
			go p.drain(context.WithoutCancel(ctx))
		}
	}
	p.mu.Unlock()
	select {
	case err := <-c.done:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// requeue moves a call to the blocked calls. The caller holds mu.
func (p *pipeline) requeue(c *call) {
	p.lockContention[c.uid]++
	p.blocked = append(p.blocked, c)
	if p.blockedActive < blockedWorkers {
		p.blockedActive++
		go p.drainBlocked(context.WithoutCancel(c.ctx))
	}
}

func (p *pipeline) drain(ctx context.Context) {
	for {
		batch := p.take()
		if batch == nil {
			return
		}
		p.flush(ctx, batch)
	}
}

// take gives the calls of the next batch in the order of their locks, so that two batches
// never wait for each other in a circle; nil ends the flusher.
func (p *pipeline) take() []*call {
	p.mu.Lock()
	defer p.mu.Unlock()
	n := min(len(p.waiting), batchSize)
	if n == 0 {
		p.active--
		return nil
	}
	batch := slices.Clone(p.waiting[:n])
	p.waiting = slices.Delete(p.waiting, 0, n)
	slices.SortStableFunc(batch, func(a, b *call) int { return bytes.Compare(a.uid[:], b.uid[:]) })
	return batch
}

// flush commits the batch. If the database refuses a call, flush takes it out and sends the others again. A call
// whose member's row is locked is requeued with all calls of that member; any other refused call is sent alone, so that
// only its caller gets its error. After a lost connection flush sends all once more; after a timeout it sends none.
func (p *pipeline) flush(ctx context.Context, batch []*call) {
	wait, lost := lockWait, false
	for len(batch) > 0 {
		failed, err := p.send(ctx, wait, batch)
		switch {
		case isLocked(err):
			wait = shortLockWait
			p.metrics.lockWait(ctx)
			batch = p.requeueMember(batch, batch[failed].uid)
		case isRefused(err) && len(batch) > 1:
			p.flush(ctx, []*call{batch[failed]})
			batch = slices.Delete(batch, failed, failed+1)
		case err != nil && !isRefused(err) && !lost && !errors.Is(err, context.DeadlineExceeded):
			lost = true
		default:
			for _, c := range batch {
				c.done <- err
			}
			return
		}
	}
}

// isLocked says that PostgreSQL did not get a row's lock in time, isRefused that the database has answered at all.
func isLocked(err error) bool {
	var pe *pgconn.PgError
	return errors.As(err, &pe) && pe.Code == lockNotAvailable
}

func isRefused(err error) bool {
	var pe *pgconn.PgError
	return errors.As(err, &pe)
}

// requeueMember requeues the member's calls and gives the others.
func (p *pipeline) requeueMember(batch []*call, uid uuid.UUID) []*call {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.DeleteFunc(batch, func(c *call) bool {
		if c.uid == uid {
			p.requeue(c)
		}
		return c.uid == uid
	})
}

// drainBlocked sends the blocked calls, each alone, until none is left.
func (p *pipeline) drainBlocked(ctx context.Context) {
	for {
		p.mu.Lock()
		if len(p.blocked) == 0 {
			p.blockedActive--
			p.mu.Unlock()
			return
		}
		c := p.blocked[0]
		p.blocked = slices.Delete(p.blocked, 0, 1)
		wait := lockWait
		if len(p.blocked) > 0 {
			wait = shortLockWait // the rows of the other calls may be free
		}
		p.mu.Unlock()
		p.retry(ctx, c, wait)
	}
}

// retry sends one blocked call. If its member's row is still locked and there is time, the call goes to the end of the queue.
func (p *pipeline) retry(ctx context.Context, c *call, wait time.Duration) {
	err := c.ctx.Err()
	if err == nil {
		_, err = p.send(ctx, wait, []*call{c})
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if isLocked(err) && time.Now().Before(c.until) {
		p.blocked = append(p.blocked, c)
		return
	}
	if p.lockContention[c.uid]--; p.lockContention[c.uid] == 0 {
		delete(p.lockContention, c.uid)
	}
	if isLocked(err) {
		err = errs.ErrUnavailable.Because(err)
	}
	c.done <- err
}

// send commits the calls, or none of them, and says which failed; the first where that cannot be told. It
// relies on PostgreSQL treating everything before one Sync message, which is one pgx batch, as one transaction.
func (p *pipeline) send(ctx context.Context, wait time.Duration, calls []*call) (failed int, err error) {
	ctx, cancel := context.WithTimeout(ctx, sendTime)
	defer cancel()
	p.metrics.batch(ctx, len(calls))
	var batch pgx.Batch
	batch.Queue(`SELECT set_config('lock_timeout', $1, true)`, strconv.FormatInt(wait.Milliseconds(), 10))
	for i, c := range calls {
		batch.Queue(c.sql, c.args...).QueryRow(func(r pgx.Row) error {
			err := c.scan(r)
			if err != nil {
				failed = i
			}
			return err
		})
	}
	return failed, p.db.SendBatch(ctx, &batch).Close()
}
