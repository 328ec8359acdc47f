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
	// lockWait is how long a batch waits for a member's row that somebody else holds, while it holds those
	// of others. A batch that has waited once is less patient with the next such row.
	lockWait      = 200 * time.Millisecond
	shortLockWait = 20 * time.Millisecond
	// patient is how many flushers go on with the calls of members whose row is held, each call alone.
	patient = 1
)

// sendTime bounds one round trip; callTime a call from its arrival. A caller may give up earlier: what was sent goes on.
var sendTime, callTime = deadline.Of(5 * time.Second), deadline.Of(10 * time.Second)

// lockNotAvailable is the SQLSTATE of a lock that was not had in time.
const lockNotAvailable = "55P03"

// call is one call of a SQL function that answers one row. Every such function must be
// harmless to repeat with the same arguments.
type call struct {
	// ctx of the caller: a call that was set aside is not sent once its caller has left.
	ctx context.Context //nolint:containedctx // calls of many callers travel together
	// uid whose row the function locks.
	uid  uuid.UUID
	sql  string
	args []any
	// scan reads the answer's row into something of the call's own.
	scan func(pgx.Row) error
	// until when it is tried where its member's row is held.
	until time.Time
	done  chan error
}

// pipeline gathers the calls that arrive while others are under way and sends them to
// PostgreSQL together: one round trip and one commit for many members. A call that finds
// nothing under way leaves at once, so gathering never makes anybody wait longer.
//
// Calls of a member whose row is held by somebody else would hold up everybody in their batch. They are set
// aside and go alone, one after another and round about, until the row is free or their time is over.
type pipeline struct {
	db      *pgxpool.Pool
	metrics *metrics
	mu      sync.Mutex
	waiting []*call
	active  int
	// aside are the calls of members whose row was found held, and held how many of them each member has,
	// those under way included.
	aside       []*call
	held        map[uuid.UUID]int
	asideActive int
}

func newPipeline(db *pgxpool.Pool) *pipeline {
	return &pipeline{db: db, held: map[uuid.UUID]int{}}
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
	if p.held[c.uid] > 0 {
		p.putAside(c)
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

// putAside needs mu.
func (p *pipeline) putAside(c *call) {
	p.held[c.uid]++
	p.aside = append(p.aside, c)
	if p.asideActive < patient {
		p.asideActive++
		go p.drainAside(context.WithoutCancel(c.ctx))
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

// flush commits the batch. A call that the database refuses is taken out and the others go again: one whose
// member's row is held is set aside with all of that member's, every other goes alone, so that its error is its
// own. Where the connection was lost all go once more; a database that does not answer is not asked again.
func (p *pipeline) flush(ctx context.Context, batch []*call) {
	wait, lost := lockWait, false
	for len(batch) > 0 {
		failed, err := p.send(ctx, wait, batch)
		switch {
		case isHeld(err):
			wait = shortLockWait
			p.metrics.lockWait(ctx)
			batch = p.setAside(batch, batch[failed].uid)
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

// isHeld says that a row was not to be had in time, isRefused that the database has answered at all.
func isHeld(err error) bool {
	var pe *pgconn.PgError
	return errors.As(err, &pe) && pe.Code == lockNotAvailable
}

func isRefused(err error) bool {
	var pe *pgconn.PgError
	return errors.As(err, &pe)
}

// setAside puts the member's calls aside and gives the others.
func (p *pipeline) setAside(batch []*call, uid uuid.UUID) []*call {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.DeleteFunc(batch, func(c *call) bool {
		if c.uid == uid {
			p.putAside(c)
		}
		return c.uid == uid
	})
}

// drainAside sends the calls that were set aside, each alone, until there are none.
func (p *pipeline) drainAside(ctx context.Context) {
	for {
		p.mu.Lock()
		if len(p.aside) == 0 {
			p.asideActive--
			p.mu.Unlock()
			return
		}
		c := p.aside[0]
		p.aside = slices.Delete(p.aside, 0, 1)
		wait := lockWait
		if len(p.aside) > 0 {
			wait = shortLockWait // others may be free meanwhile
		}
		p.mu.Unlock()
		p.insist(ctx, c, wait)
	}
}

// insist sends one call; while its member's row is still held and there is time, it comes again after the others.
func (p *pipeline) insist(ctx context.Context, c *call, wait time.Duration) {
	err := c.ctx.Err()
	if err == nil {
		_, err = p.send(ctx, wait, []*call{c})
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if isHeld(err) && time.Now().Before(c.until) {
		p.aside = append(p.aside, c)
		return
	}
	if p.held[c.uid]--; p.held[c.uid] == 0 {
		delete(p.held, c.uid)
	}
	if isHeld(err) {
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
