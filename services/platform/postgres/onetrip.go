package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
)

// InOneTrip runs statements as one transaction in one round trip. statements notes them with Exec and ends with one Query or QueryRow,
// which sends them all; it asks nothing after that. It runs again when PostgreSQL asks for it, as with InTx. PostgreSQL treats what comes
// before one Sync message, which is one pgx batch, as one transaction. Each statement sees what was committed before it began, so a lock
// that the first one takes protects those that follow.
func InOneTrip(ctx context.Context, pool *pgxpool.Pool, statements func(ctx context.Context, tx Queryer) error) error {
	return Repeat(ctx, func(ctx context.Context) error { return statements(ctx, &oneTrip{pool: pool}) })
}

// oneTrip is the transaction of InOneTrip.
type oneTrip struct {
	pool  *pgxpool.Pool
	batch pgx.Batch
}

var _ Queryer = (*oneTrip)(nil)

// Exec notes a statement. Its error is that of the Query or QueryRow at the end.
func (o *oneTrip) Exec(_ context.Context, sql string, args ...any) (pgconn.CommandTag, error) {
	o.batch.Queue(sql, args...)
	return pgconn.CommandTag{}, nil
}

// Query sends all statements and gives the rows of this one. An error of the commit is the rows' error.
func (o *oneTrip) Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error) {
	noted := o.batch.Len()
	o.batch.Queue(sql, args...)
	results := o.pool.SendBatch(ctx, &o.batch)
	for range noted {
		if _, err := results.Exec(); err != nil {
			_ = results.Close() // gives the same error again
			return nil, err
		}
	}
	rows, err := results.Query()
	if err != nil {
		_ = results.Close()
		return nil, err
	}
	return &lastRows{Rows: rows, results: results}, nil
}

// QueryRow sends all statements when the row of this one is scanned. An error of the commit is the row's error.
func (o *oneTrip) QueryRow(ctx context.Context, sql string, args ...any) pgx.Row {
	return lastRow(func(dest ...any) error {
		o.batch.Queue(sql, args...).QueryRow(func(row pgx.Row) error { return row.Scan(dest...) })
		return o.pool.SendBatch(ctx, &o.batch).Close()
	})
}

type lastRow func(dest ...any) error

func (r lastRow) Scan(dest ...any) error { return r(dest...) }

// lastRows are the rows of a batch's last statement. They end with the commit.
type lastRows struct {
	pgx.Rows
	results pgx.BatchResults
	closed  bool
	commit  error
}

// Close reads to the end of the batch.
func (r *lastRows) Close() {
	if r.closed {
		return
	}
	r.closed = true
	r.Rows.Close()
	r.commit = r.results.Close()
}

// Err closes the rows and gives the first error, the commit's included. It is called after the last row.
func (r *lastRows) Err() error {
	r.Close()
	if err := r.Rows.Err(); err != nil {
		return err
	}
	return r.commit
}
