// Package postgres opens a service's database, runs its transactions and translates its
// errors. It owns no SQL of any service.
package postgres

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strconv"
	"time"

	"github.com/exaring/otelpgx"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/sethvargo/go-retry"
	pgxuuid "github.com/vgarvardt/pgx-google-uuid/v5"

	errorsv1 "serein.app/proto/gen/serein/errors/v1"
	"serein.app/services/platform/config"
	"serein.app/services/platform/deadline"
	"serein.app/services/platform/errs"
	"serein.app/services/platform/telemetry"
)

// Config of a service's database, with the service's own role.
type Config struct {
	// URL is the address of the service's own database, with the service's own role.
	URL config.URL `env:"DATABASE_URL,required"`
	// MaxConns is the most connections that the pool opens. Seven small pools share one server on a
	// developer's machine.
	MaxConns int32 `env:"DATABASE_MAX_CONNS" envDefault:"8"`
}

// statementTime ends a statement that hangs, and a transaction that nothing is asked of; nothing here takes seconds.
var statementTime = deadline.Of(15 * time.Second)

// connectTime bounds a connection's beginning.
var connectTime = deadline.Of(3 * time.Second)

// Open makes the pool. It connects at first use, so a service starts while the database is away.
func Open(ctx context.Context, cfg Config, tel *telemetry.Telemetry) (*pgxpool.Pool, error) {
	pc, err := pgxpool.ParseConfig(cfg.URL.Reveal())
	if err != nil {
		// pgx quotes the address in its error, with the password in it.
		return nil, errors.New("DATABASE_URL: want an address such as postgres://user:password@host:5432/database")
	}
	pc.MaxConns = cfg.MaxConns
	pc.MinConns = 0
	pc.MaxConnIdleTime = time.Minute // an idle connection costs the server some 5 MiB
	pc.HealthCheckPeriod = 15 * time.Second
	pc.ConnConfig.ConnectTimeout = connectTime
	limit := strconv.FormatInt(statementTime.Milliseconds(), 10)
	pc.ConnConfig.RuntimeParams["statement_timeout"] = limit
	pc.ConnConfig.RuntimeParams["idle_in_transaction_session_timeout"] = limit
	pc.ConnConfig.RuntimeParams["timezone"] = "UTC"
	// A statement is planned once a connection. By default its first five runs are planned each, which on connections that
	// rest and change costs a member's press a seventh of its time; the tests of a year check these plans.
	pc.ConnConfig.RuntimeParams["plan_cache_mode"] = "force_generic_plan"
	watchSilence(pc.ConnConfig)
	if pc.ConnConfig.TLSConfig != nil {
		certs := &certificates{address: cfg.URL.Reveal(), log: slog.New(slog.DiscardHandler), last: pc.ConnConfig.Copy()}
		if tel != nil {
			certs.log = tel.Log
		}
		pc.BeforeConnect = certs.renew
	}
	pc.AfterConnect = func(_ context.Context, conn *pgx.Conn) error {
		pgxuuid.Register(conn.TypeMap()) // ids travel as 16 bytes; without it as text, printed and parsed
		return nil
	}
	if tel != nil {
		pc.ConnConfig.Tracer = otelpgx.NewTracer(otelpgx.WithTracerProvider(tel.Tracing),
			otelpgx.WithMeterProvider(tel.Metrics), otelpgx.WithDisableSQLStatementInAttributes())
	}
	return pgxpool.NewWithConfig(ctx, pc)
}

// InTx runs fn in one transaction. The whole of fn runs again when PostgreSQL asks for it
// (serialisation failure, deadlock), at most three times, so fn must do nothing but SQL.
func InTx(ctx context.Context, db Beginner, fn func(ctx context.Context, tx pgx.Tx) error) error {
	return Again(ctx, func(ctx context.Context) error {
		return pgx.BeginFunc(ctx, db, func(tx pgx.Tx) error { return fn(ctx, tx) })
	})
}

// Again is InTx for one statement, which is a transaction by itself.
func Again(ctx context.Context, statement func(ctx context.Context) error) error {
	backoff := retry.WithMaxRetries(3, retry.WithJitterPercent(50, retry.NewExponential(5*time.Millisecond)))
	return retry.Do(ctx, backoff, func(ctx context.Context) error {
		err := statement(ctx)
		if again(err) {
			return retry.RetryableError(err)
		}
		return err
	})
}

// Beginner begins transactions: a pool, or one connection.
type Beginner interface {
	Begin(ctx context.Context) (pgx.Tx, error)
}

// SQLSTATE codes, from PostgreSQL's appendix A.
const (
	serializationFailure = "40001"
	deadlockDetected     = "40P01"
	uniqueViolation      = "23505"
	foreignKeyViolation  = "23503"
	checkViolation       = "23514"
	exclusionViolation   = "23P01"
	queryCanceled        = "57014" // by statement_timeout: repeating it would take as long again
)

// ErrTooLong is what a statement's end by statement_timeout becomes, beside its cause. It is no declared error: mostly it is a fault.
var ErrTooLong = errors.New("statement timeout")

func again(err error) bool {
	var pe *pgconn.PgError
	return errors.As(err, &pe) && (pe.Code == serializationFailure || pe.Code == deadlockDetected)
}

// ErrNotFound is what no rows become.
var ErrNotFound = errs.New(errs.NotFound, errorsv1.Reason_REASON_NOT_FOUND, "There is no such thing.")

// Translate turns the driver's errors into declared ones, once, at the store's edge: no rows
// into ErrNotFound, a broken constraint into the error that constraints names for it, a lost
// connection into Unavailable. Everything else stays as it is, and so is Internal; also a statement
// that took too long, since waiting does not mend it.
func Translate(err error, constraints map[string]*errs.Error) error {
	var pe *pgconn.PgError
	var known *errs.Error
	var netErr *pgconn.ConnectError
	switch {
	case err == nil, errors.As(err, &known):
		return err
	case errors.Is(err, pgx.ErrNoRows):
		return ErrNotFound.Because(err)
	case errors.As(err, &pe):
		return translateState(err, pe, constraints)
	case errors.As(err, &netErr), pgconn.SafeToRetry(err):
		return errs.ErrUnavailable.Because(err)
	}
	return err
}

func translateState(err error, pe *pgconn.PgError, constraints map[string]*errs.Error) error {
	switch pe.Code {
	case uniqueViolation, foreignKeyViolation, checkViolation, exclusionViolation:
		if e, ok := constraints[pe.ConstraintName]; ok {
			return e.Because(err)
		}
		return fmt.Errorf("constraint %s: %w", pe.ConstraintName, err)
	}
	if pe.Code == queryCanceled {
		return fmt.Errorf("%w: %w", ErrTooLong, err)
	}
	if len(pe.Code) == 5 && (pe.Code[:2] == "57" || pe.Code[:2] == "53" || pe.Code[:2] == "08") {
		return errs.ErrUnavailable.Because(err)
	}
	return err
}
