package postgres

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"serein.app/services/generation/internal/postgres/sqlcgen"
)

// pipeline runs several statements as one transaction in one round trip: Exec only notes its
// statement, and the QueryRow that ends the pipeline sends them all. PostgreSQL treats what stands
// before one Sync message, which is one pgx batch, as one transaction; each statement sees what was
// committed before it began, so a lock that is taken first protects those that follow.
type pipeline struct {
	db    *pgxpool.Pool
	batch pgx.Batch
}

var _ sqlcgen.DBTX = (*pipeline)(nil)

// Exec notes a statement. That it fails is the error of the QueryRow at the end.
func (p *pipeline) Exec(_ context.Context, sql string, args ...any) (pgconn.CommandTag, error) {
	p.batch.Queue(sql, args...)
	return pgconn.CommandTag{}, nil
}

// Query is not needed and refused.
func (*pipeline) Query(context.Context, string, ...any) (pgx.Rows, error) {
	return nil, errors.ErrUnsupported
}

// QueryRow sends everything when its row is scanned.
func (p *pipeline) QueryRow(ctx context.Context, sql string, args ...any) pgx.Row {
	return pipelineRow(func(dest ...any) error {
		p.batch.Queue(sql, args...).QueryRow(func(row pgx.Row) error { return row.Scan(dest...) })
		return p.db.SendBatch(ctx, &p.batch).Close()
	})
}

type pipelineRow func(dest ...any) error

func (r pipelineRow) Scan(dest ...any) error { return r(dest...) }
