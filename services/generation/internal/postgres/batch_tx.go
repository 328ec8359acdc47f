package postgres

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"serein.app/services/generation/internal/postgres/sqlcgen"
)

// batchTx runs several statements as one transaction in one round trip: Exec only notes its
// statement, and the QueryRow that ends the transaction sends them all. PostgreSQL treats what stands
// before one Sync message, which is one pgx batch, as one transaction; each statement sees what was
// committed before it began, so a lock that is taken first protects those that follow.
type batchTx struct {
	db    *pgxpool.Pool
	batch pgx.Batch
}

var _ sqlcgen.DBTX = (*batchTx)(nil)

// Exec notes a statement. That it fails is the error of the QueryRow at the end.
func (b *batchTx) Exec(_ context.Context, sql string, args ...any) (pgconn.CommandTag, error) {
	b.batch.Queue(sql, args...)
	return pgconn.CommandTag{}, nil
}

// Query is not needed and refused.
func (*batchTx) Query(context.Context, string, ...any) (pgx.Rows, error) {
	return nil, errors.ErrUnsupported
}

// QueryRow sends everything when its row is scanned.
func (b *batchTx) QueryRow(ctx context.Context, sql string, args ...any) pgx.Row {
	return batchRow(func(dest ...any) error {
		b.batch.Queue(sql, args...).QueryRow(func(row pgx.Row) error { return row.Scan(dest...) })
		return b.db.SendBatch(ctx, &b.batch).Close()
	})
}

type batchRow func(dest ...any) error

func (r batchRow) Scan(dest ...any) error { return r(dest...) }
