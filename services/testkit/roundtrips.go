package testkit

import (
	"context"
	"net"
	"sync/atomic"
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"
)

// RoundTrips counts on the wire how often somebody waited for PostgreSQL: each read after a write,
// whatever was in it (BEGIN, COMMIT, a batch, a ping).
type RoundTrips struct{ n atomic.Int64 }

// CountRoundTrips gives a pool of one connection to the same database, and what counts it.
func (db DB) CountRoundTrips(tb testing.TB) (*pgxpool.Pool, *RoundTrips) {
	tb.Helper()
	counter := &RoundTrips{}
	cfg := db.Pool.Config()
	cfg.MaxConns = 1
	dial := cfg.ConnConfig.DialFunc
	cfg.ConnConfig.DialFunc = func(ctx context.Context, network, addr string) (net.Conn, error) {
		conn, err := dial(ctx, network, addr)
		return &countedConn{Conn: conn, counter: counter}, err
	}
	pool, err := pgxpool.NewWithConfig(context.Background(), cfg)
	require.NoError(tb, err)
	tb.Cleanup(pool.Close)
	return pool, counter
}

// Least runs fn a few times and gives the fewest round trips that one took: the first time a
// connection prepares its statements, and a pool asks whether a connection that was idle for a
// second is alive.
func (r *RoundTrips) Least(fn func()) int64 {
	least := int64(-1)
	for range 5 {
		before := r.n.Load()
		fn()
		if took := r.n.Load() - before; least < 0 || took < least {
			least = took
		}
	}
	return least
}

type countedConn struct {
	net.Conn
	counter *RoundTrips
	asked   atomic.Bool
}

func (c *countedConn) Write(p []byte) (int, error) {
	c.asked.Store(true)
	return c.Conn.Write(p)
}

// Read counts when the answer is here: a slow write has its answer read before it has been asked.
func (c *countedConn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	if n > 0 && c.asked.Swap(false) {
		c.counter.n.Add(1)
	}
	return n, err
}
