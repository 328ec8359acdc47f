package year

import (
	"context"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"serein.app/services/testkit"
)

// statement is one that reads or writes tables, with the comments before it.
var statement = regexp.MustCompile(`^(\s*--.*\n)*\s*(SELECT|INSERT|UPDATE|DELETE|WITH)\s`)

// Recorder notes the statements that a pool runs, for code whose SQL stands between its lines.
type Recorder struct {
	mu         sync.Mutex
	statements map[string][]any
}

// Record gives a pool to the database, and what notes its statements.
func Record(tb testing.TB, db testkit.DB) (*pgxpool.Pool, *Recorder) {
	tb.Helper()
	r := &Recorder{statements: map[string][]any{}}
	cfg := db.Pool.Config()
	cfg.ConnConfig.Tracer = r
	pool, err := pgxpool.NewWithConfig(context.Background(), cfg)
	require.NoError(tb, err)
	tb.Cleanup(pool.Close)
	return pool, r
}

// TraceQueryStart notes a statement that reads or writes tables, with the values of its first run.
func (r *Recorder) TraceQueryStart(ctx context.Context, _ *pgx.Conn, data pgx.TraceQueryStartData) context.Context {
	r.mu.Lock()
	defer r.mu.Unlock()
	_, known := r.statements[data.SQL]
	if !known && statement.MatchString(data.SQL) && !strings.Contains(data.SQL, "advisory_lock") {
		r.statements[data.SQL] = data.Args
	}
	return ctx
}

// TraceQueryEnd has nothing to note.
func (*Recorder) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}

// Recorded says whether a statement with these words was noted.
func (r *Recorder) Recorded(words string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	for sql := range r.statements {
		if strings.Contains(sql, words) {
			return true
		}
	}
	return false
}

// CheckRecorded checks all that was noted.
func (y *Year) CheckRecorded(r *Recorder) {
	y.tb.Helper()
	r.mu.Lock()
	defer r.mu.Unlock()
	for sql, args := range r.statements {
		name := strings.Join(strings.Fields(sql), " ")
		y.Check(name[:min(len(name), 60)], sql, args...)
	}
}
