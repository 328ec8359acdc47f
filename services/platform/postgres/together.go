package postgres

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
)

// Queryer is what the methods that sqlc generates ask.
type Queryer interface {
	Exec(ctx context.Context, sql string, args ...any) (pgconn.CommandTag, error)
	Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error)
	QueryRow(ctx context.Context, sql string, args ...any) pgx.Row
}

// Read asks one statement of db, or none, by a method that sqlc generated, and keeps the answer.
type Read func(db Queryer) error

// Together sends the statements of all reads to PostgreSQL in one round trip. It calls each read twice: the first time db notes the
// statement and the read ends with an error of db's; the second time, with the answers here, db answers. A read must ask the same
// both times, and keeps what it has read only where db has answered. Each statement sees what was committed before it began. Errors:
// that of the first read that fails, as pgx has it; the reads after it are not called again.
func Together(ctx context.Context, pool *pgxpool.Pool, reads ...Read) (err error) {
	var batch pgx.Batch
	for _, read := range reads {
		_ = read(noting{&batch}) // errNoted, or whatever the read makes of it
	}
	if batch.Len() == 0 {
		return nil
	}
	answers := pool.SendBatch(ctx, &batch)
	defer func() {
		if ended := answers.Close(); err == nil {
			err = ended
		}
	}()
	for _, read := range reads {
		if err = read(&answering{answers: answers}); err != nil {
			return err
		}
	}
	return nil
}

var (
	errNoted            = errors.New("postgres: the statement is noted and has no answer yet")
	errNotARead         = errors.New("postgres: only reads are asked together")
	errOneRead          = errors.New("postgres: a read asks one statement")
	_           Queryer = noting{}
	_           Queryer = (*answering)(nil)
	_           pgx.Row = failedRow{}
)

// noting adds statements to a batch.
type noting struct{ batch *pgx.Batch }

func (noting) Exec(context.Context, string, ...any) (pgconn.CommandTag, error) {
	return pgconn.CommandTag{}, errNotARead
}

func (n noting) Query(_ context.Context, sql string, args ...any) (pgx.Rows, error) {
	n.batch.Queue(sql, args...)
	return nil, errNoted
}

func (n noting) QueryRow(_ context.Context, sql string, args ...any) pgx.Row {
	n.batch.Queue(sql, args...)
	return failedRow{errNoted}
}

// answering gives one read its answer.
type answering struct {
	answers pgx.BatchResults
	given   bool
}

func (*answering) Exec(context.Context, string, ...any) (pgconn.CommandTag, error) {
	return pgconn.CommandTag{}, errNotARead
}

func (a *answering) Query(context.Context, string, ...any) (pgx.Rows, error) {
	if a.given {
		return nil, errOneRead
	}
	a.given = true
	return a.answers.Query()
}

func (a *answering) QueryRow(context.Context, string, ...any) pgx.Row {
	if a.given {
		return failedRow{errOneRead}
	}
	a.given = true
	return a.answers.QueryRow()
}

type failedRow struct{ err error }

func (r failedRow) Scan(...any) error { return r.err }
