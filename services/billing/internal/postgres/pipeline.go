package postgres

import (
	"bytes"
	"context"
	"slices"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// How calls are gathered. Measured with BenchmarkCredits (see the README).
const (
	// flushers is how many batches may be under way at once: half of the pool, so that reads go on.
	flushers = 4
	// batchSize is the most calls in one batch: a failed batch repeats them all.
	batchSize = 64
	// flushTime bounds one batch. A caller may give up earlier; the batch goes on.
	flushTime = 10 * time.Second
)

// call is one call of a SQL function that answers one row. Every such function must be
// harmless to repeat with the same arguments.
type call struct {
	// uid whose row the function locks.
	uid  uuid.UUID
	sql  string
	args []any
	// scan reads the answer's row into something of the call's own.
	scan func(pgx.Row) error
	done chan error
}

// pipeline gathers the calls that arrive while others are under way and sends them to
// PostgreSQL together: one round trip and one commit for many members. A call that finds
// nothing under way leaves at once, so gathering never makes anybody wait longer.
type pipeline struct {
	db      *pgxpool.Pool
	mu      sync.Mutex
	waiting []*call
	active  int
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
	c.done = make(chan error, 1)
	p.mu.Lock()
	p.waiting = append(p.waiting, c)
	if p.active < flushers {
		p.active++
		go p.drain(context.WithoutCancel(ctx))
	}
	p.mu.Unlock()
	select {
	case err := <-c.done:
		return err
	case <-ctx.Done():
		return ctx.Err()
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

// flush commits the batch. One failing call fails them all, so then each goes alone.
func (p *pipeline) flush(ctx context.Context, batch []*call) {
	ctx, cancel := context.WithTimeout(ctx, flushTime)
	defer cancel()
	err := p.send(ctx, batch)
	for _, c := range batch {
		if err != nil && len(batch) > 1 {
			c.done <- p.send(ctx, []*call{c})
			continue
		}
		c.done <- err
	}
}

// send relies on PostgreSQL treating everything before one Sync message, which is one pgx
// batch, as one transaction.
func (p *pipeline) send(ctx context.Context, calls []*call) error {
	var batch pgx.Batch
	for _, c := range calls {
		batch.Queue(c.sql, c.args...).QueryRow(c.scan)
	}
	return p.db.SendBatch(ctx, &batch).Close()
}
