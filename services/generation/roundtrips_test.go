package generation

import (
	"context"
	"net"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"serein.app/services/generation/internal/meditation"
	store "serein.app/services/generation/internal/postgres"
	"serein.app/services/platform/outbox"
)

// turnarounds counts on the wire how often somebody waited for PostgreSQL: a read after a write,
// whatever was in it (BEGIN, COMMIT, a batch, a ping).
type turnarounds struct{ n atomic.Int64 }

type countedConn struct {
	net.Conn
	counter *turnarounds
	asked   atomic.Bool
}

func (c *countedConn) Write(p []byte) (int, error) {
	c.asked.Store(true)
	return c.Conn.Write(p)
}

func (c *countedConn) Read(p []byte) (int, error) {
	if c.asked.Swap(false) {
		c.counter.n.Add(1)
	}
	return c.Conn.Read(p)
}

// countedPool is a pool of one connection to the harness's database.
func (h *house) countedPool() (*pgxpool.Pool, *turnarounds) {
	h.t.Helper()
	counter := &turnarounds{}
	cfg := h.db.Pool.Config()
	cfg.MaxConns = 1
	dial := cfg.ConnConfig.DialFunc
	cfg.ConnConfig.DialFunc = func(ctx context.Context, network, addr string) (net.Conn, error) {
		conn, err := dial(ctx, network, addr)
		return &countedConn{Conn: conn, counter: counter}, err
	}
	pool, err := pgxpool.NewWithConfig(h.t.Context(), cfg)
	require.NoError(h.t, err)
	h.t.Cleanup(pool.Close)
	return pool, counter
}

// A request asks this database twice: to write it down, and to make it work once its cost is held.
// With billing's one (its own test counts it) and the balance that the screen shows afterwards, a
// press of Generate is four round trips; before they were joined it was twelve.
func TestARequestTakesTwoRoundTripsToTheDatabase(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	pool, counter := h.countedPool()
	p := h.start(0, time.Minute, func(ports *meditation.Ports) {
		ports.Store = store.New(pool, outbox.New(pool, h.broker, Name, ports.Log, time.Now))
	})
	// The first request of a connection has its statements prepared; the pool asks whether a
	// connection is alive that was idle for a second. So the least of several counts.
	least := int64(100)
	for range 5 {
		before := counter.n.Load()
		_, err := p.Create(t.Context(), h.member(2), request())
		require.NoError(t, err)
		least = min(least, counter.n.Load()-before)
	}
	require.Equal(t, int64(2), least)
	require.Equal(t, 5, h.count(`SELECT count(*) FROM meditations WHERE state = 'queued'`))
	require.Equal(t, map[string]int{"requested": 5}, h.events())
}
