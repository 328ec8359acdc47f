package postgres

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"serein.app/services/billing/internal/postgres/sqlcgen"
	"serein.app/services/platform/postgres"
)

// inOneTrip runs statements as one transaction in one round trip. statements notes them with Exec and ends with one Query, which sends
// them all. It runs again when PostgreSQL asks for it, as postgres.InTx does.
func (s *Store) inOneTrip(ctx context.Context, statements func(ctx context.Context, tx sqlcgen.DBTX) error) error {
	return postgres.Repeat(ctx, func(ctx context.Context) error { return statements(ctx, &batchTx{db: s.db}) })
}

// batchTx is the transaction of inOneTrip. PostgreSQL treats what comes before one Sync message, which is one pgx batch, as one
// transaction. Each statement sees what was committed before it began, so a lock that the first one takes protects those that follow.
type batchTx struct {
	db    *pgxpool.Pool
	batch pgx.Batch
}

var _ sqlcgen.DBTX = (*batchTx)(nil)

// Exec notes a statement. Its error is that of the Query at the end.
func (b *batchTx) Exec(_ context.Context, sql string, args ...any) (pgconn.CommandTag, error) {
	b.batch.Queue(sql, args...)
	return pgconn.CommandTag{}, nil
}

// Query sends all statements and gives the rows of this one. An error of the commit is the rows' error.
func (b *batchTx) Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error) {
	noted := b.batch.Len()
	b.batch.Queue(sql, args...)
	results := b.db.SendBatch(ctx, &b.batch)
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

// QueryRow is not needed and refused.
func (*batchTx) QueryRow(context.Context, string, ...any) pgx.Row { return refusedRow{} }

type refusedRow struct{}

func (refusedRow) Scan(...any) error { return errors.ErrUnsupported }

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
