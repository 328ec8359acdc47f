// Package year shows that a service's statements cost the same after a year as on the first week. It
// fills one database with a week's rows and one with a year's, runs each statement in both and compares
// what it touched: plans, rows and pages, which no busy machine changes. A run that is asked for the full
// size (see RowsVariable) compares times as well.
//
// It rolls every statement back and knows no service: tests bring the rows and the statements.
package year

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"serein.app/services/platform/retention"
	"serein.app/services/testkit"
)

// RowsVariable names how many rows a service's largest table gets, a few millions for a real year. Only
// then are times measured: the part "year" of deploy/load/soak sets it.
const RowsVariable = "YEAR_ROWS"

// Sizes and limits.
const (
	week = 4000  // rows of the small database
	some = 60000 // of the large one, where no year is asked for: enough that a scan is seen
	// bigTable is how many rows make a sequential scan a fault.
	bigTable = some / 20
	// mostRows and mostPages bound what any statement may touch: a batch of 200 with what hangs on it.
	mostRows, mostPages = 3000, 12000
	// growth is how much more the large database may cost than the small one; pages and rows of
	// statements that touch next to none vary by spare, an index of the large one being a level deeper.
	growth, spareRows, sparePages = 1.5, 20, 20
	// mostTime bounds a statement, and spareTime what two runs of the same differ by.
	mostTime, spareTime = 20 * time.Millisecond, 200 * time.Microsecond
	runs                = 25
	pageRuns            = 3
)

// Year is the two databases.
type Year struct {
	tb           testing.TB
	small, large *database
	timed        bool
	costs        []string // a line for each statement, logged below the faults
}

type database struct {
	testkit.DB
	// conn runs every statement. The pool may hand out a new connection at each turn, which reads the catalogue's pages as well.
	conn *pgxpool.Conn
	big  map[string]bool // tables with many rows
}

// Open makes and fills the databases of a service. Each statement of fill is run with the number of rows
// as $1, or without an argument where it names none; foreign keys are not checked meanwhile.
func Open(tb testing.TB, service string, migrate func(ctx context.Context, ownerURL string) error, fill ...string) *Year {
	tb.Helper()
	rows, timed := some, false
	if asked := os.Getenv(RowsVariable); asked != "" {
		n, err := strconv.Atoi(asked)
		require.NoError(tb, err, RowsVariable)
		rows, timed = n, true
	}
	y := &Year{tb: tb, small: open(tb, service, migrate, week, fill), large: open(tb, service, migrate, rows, fill), timed: timed}
	tb.Cleanup(func() { tb.Log("rows and pages after a week → after a year\n" + strings.Join(y.costs, "\n")) })
	return y
}

// wholeSample makes ANALYZE read every row of a table that has no more than some, so that the same rows give the same plans.
// It samples 300 rows for each unit of the target (see ANALYZE in the manual of PostgreSQL).
const wholeSample = "SET default_statistics_target = 300"

func open(tb testing.TB, service string, migrate func(context.Context, string) error, rows int, fill []string) *database {
	tb.Helper()
	ctx := context.WithoutCancel(tb.Context())
	d := &database{DB: testkit.Postgres(tb, service, migrate), big: map[string]bool{}}
	admin, err := pgx.Connect(ctx, d.AdminURL)
	require.NoError(tb, err)
	defer func() { _ = admin.Close(ctx) }()
	_, err = admin.Exec(ctx, "SET session_replication_role = replica; SET synchronous_commit = off; SET work_mem = '256MB'")
	require.NoError(tb, err)
	for _, statement := range append(slices.Clone(platform), fill...) {
		described, err := admin.Prepare(ctx, "", statement)
		require.NoError(tb, err, statement)
		args := []any{rows}[:len(described.ParamOIDs)]
		_, err = admin.Exec(ctx, statement, args...)
		require.NoError(tb, err, statement)
	}
	_, err = admin.Exec(ctx, wholeSample)
	require.NoError(tb, err)
	_, err = admin.Exec(ctx, "VACUUM ANALYZE")
	require.NoError(tb, err)
	found, err := admin.Query(ctx, "SELECT relname::text FROM pg_class WHERE relkind = 'r' AND reltuples >= $1", bigTable)
	require.NoError(tb, err)
	names, err := pgx.CollectRows(found, pgx.RowTo[string])
	require.NoError(tb, err)
	for _, name := range names {
		d.big[name] = true
	}
	d.conn, err = d.Pool.Acquire(ctx)
	require.NoError(tb, err)
	tb.Cleanup(d.conn.Release)
	return d
}

// Databases are the small one and the large one.
func (y *Year) Databases() []testkit.DB { return []testkit.DB{y.small.DB, y.large.DB} }

// Check runs a statement in both databases, with its plan for these values and with the one for any, and
// fails where the large one costs more than it may.
func (y *Year) Check(name, sql string, args ...any) {
	y.tb.Helper()
	few, many := y.small.cost(y.tb, name, sql, args), y.large.cost(y.tb, name, sql, args)
	if tooManyPages(few, many) {
		y.large.vacuum(y.tb)
		many.pages = y.large.pages(y.tb, name, sql, args)
	}
	y.costs = append(y.costs, fmt.Sprintf("%-32s rows %5d → %5d   pages %5d → %5d", name, few.rows, many.rows, few.pages, many.pages))
	for table := range many.scanned {
		if y.large.big[table] {
			y.tb.Errorf("%s reads the whole of %s\n%s", name, table, y.large.explain(y.tb, sql))
		}
	}
	if many.rows > mostRows || float64(many.rows) > growth*float64(few.rows)+spareRows {
		y.tb.Errorf("%s touches %d rows instead of %d\n%s", name, many.rows, few.rows, y.large.explain(y.tb, sql))
	}
	if tooManyPages(few, many) {
		y.tb.Errorf("%s touches %d pages instead of %d\n%s", name, many.pages, few.pages, y.large.explain(y.tb, sql))
	}
	if y.timed {
		y.checkTime(name, sql, args)
	}
}

func tooManyPages(few, many cost) bool {
	return many.pages > mostPages || float64(many.pages) > growth*float64(few.pages)+sparePages
}

func (y *Year) checkTime(name, sql string, args []any) {
	y.tb.Helper()
	few, many := y.small.time(y.tb, sql, args), y.large.time(y.tb, sql, args)
	y.tb.Logf("%-32s time %v → %v", name, few, many)
	if many > mostTime || float64(many) > growth*float64(few)+float64(spareTime) {
		y.tb.Errorf("%s takes %v instead of %v\n%s", name, many, few, y.large.explain(y.tb, sql))
	}
}

// CheckRetention checks what the policies remove by, and how they measure.
func (y *Year) CheckRetention(policies []retention.Policy) {
	y.tb.Helper()
	for _, p := range policies {
		if p.Table == "" {
			continue
		}
		before := time.Now().Add(-p.Keep)
		if p.Remove == nil {
			y.Check("remove "+p.Name, p.DeleteSQL(), before, retention.BatchSize)
		}
		y.Check("oldest of "+p.Name, p.OldestSQL(), before)
	}
}

// cost is what a statement touched.
type cost struct {
	rows, pages int64
	scanned     map[string]bool
}

// cost runs the statement, rolled back, by both of its plans, and gives the dearer one's.
func (d *database) cost(tb testing.TB, name, sql string, args []any) (c cost) {
	tb.Helper()
	c.scanned = map[string]bool{}
	for _, mode := range []string{"force_custom_plan", "force_generic_plan"} {
		d.rolledBack(tb, mode, func(ctx context.Context, tx pgx.Tx) {
			before := touched(ctx, tb, tx)
			rows, err := tx.Query(ctx, sql, args...)
			require.NoError(tb, err, name)
			rows.Close()
			require.NoError(tb, rows.Err(), name)
			var read int64
			for table, now := range touched(ctx, tb, tx) {
				read += now.rows - before[table].rows
				if now.scans > before[table].scans {
					c.scanned[table] = true
				}
			}
			c.rows = max(c.rows, read)
		})
	}
	c.pages = d.pages(tb, name, sql, args)
	return c
}

// pages is the fewest of some runs: the first run of a statement, and one whose caches another part of the server has emptied
// meanwhile, read pages of the catalogue as well.
func (d *database) pages(tb testing.TB, name, sql string, args []any) int64 {
	tb.Helper()
	fewest := int64(math.MaxInt64)
	for range pageRuns {
		d.rolledBack(tb, "force_custom_plan", func(ctx context.Context, tx pgx.Tx) {
			var plans []byte
			require.NoError(tb, tx.QueryRow(ctx, "EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON)\n"+sql, args...).Scan(&plans), name)
			var parsed []struct {
				Plan struct {
					Hit  int64 `json:"Shared Hit Blocks"`
					Read int64 `json:"Shared Read Blocks"`
				}
			}
			require.NoError(tb, json.Unmarshal(plans, &parsed), name)
			fewest = min(fewest, parsed[0].Plan.Hit+parsed[0].Plan.Read)
		})
	}
	return fewest
}

// vacuum removes the rows that the runs before have left when they were rolled back. Mostly the server prunes them from a page that
// an update needs; while a transaction is open in any database it does not, and the update writes other pages and every index.
func (d *database) vacuum(tb testing.TB) {
	tb.Helper()
	ctx := context.WithoutCancel(tb.Context())
	admin, err := pgx.Connect(ctx, d.AdminURL)
	require.NoError(tb, err)
	defer func() { _ = admin.Close(ctx) }()
	_, err = admin.Exec(ctx, "VACUUM")
	require.NoError(tb, err)
}

// time is the shortest of some runs, planned as the product plans: what else the machine does only makes runs longer.
func (d *database) time(tb testing.TB, sql string, args []any) time.Duration {
	tb.Helper()
	shortest := time.Hour
	for range runs {
		d.rolledBack(tb, "force_generic_plan", func(ctx context.Context, tx pgx.Tx) {
			began := time.Now()
			_, err := tx.Exec(ctx, sql, args...)
			shortest = min(shortest, time.Since(began))
			require.NoError(tb, err)
		})
	}
	return shortest
}

func (d *database) rolledBack(tb testing.TB, mode string, run func(context.Context, pgx.Tx)) {
	tb.Helper()
	ctx := context.WithoutCancel(tb.Context())
	tx, err := d.conn.Begin(ctx)
	require.NoError(tb, err)
	defer func() { _ = tx.Rollback(ctx) }()
	// A parallel worker's reading would be counted elsewhere.
	_, err = tx.Exec(ctx, "SET LOCAL max_parallel_workers_per_gather = 0")
	require.NoError(tb, err)
	_, err = tx.Exec(ctx, fmt.Sprintf("SET LOCAL plan_cache_mode = %s", mode))
	require.NoError(tb, err)
	run(ctx, tx)
}

// use is what this connection has read of a table, also inside functions and for foreign keys.
type use struct{ scans, rows int64 }

func touched(ctx context.Context, tb testing.TB, tx pgx.Tx) map[string]use {
	tb.Helper()
	rows, err := tx.Query(ctx, "SELECT relname::text, seq_scan, seq_tup_read + coalesce(idx_tup_fetch, 0) FROM pg_stat_xact_user_tables")
	require.NoError(tb, err)
	found := map[string]use{}
	var table string
	var u use
	_, err = pgx.ForEachRow(rows, []any{&table, &u.scans, &u.rows}, func() error { found[table] = u; return nil })
	require.NoError(tb, err)
	return found
}

// explain is the plan for any values, for the reader of a failure.
func (d *database) explain(tb testing.TB, sql string) string {
	tb.Helper()
	// Without parameters, since it is the plan for any.
	results, err := d.conn.Conn().PgConn().Exec(context.WithoutCancel(tb.Context()), "EXPLAIN (GENERIC_PLAN)\n"+sql).ReadAll()
	if err != nil {
		return err.Error()
	}
	var plan strings.Builder
	for _, row := range results[0].Rows {
		plan.WriteString("\t" + string(row[0]) + "\n")
	}
	return plan.String()
}
