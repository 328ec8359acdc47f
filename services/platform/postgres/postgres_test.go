package postgres_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	errorsv1 "serein.app/proto/gen/serein/errors/v1"
	"serein.app/services/platform/config"
	"serein.app/services/platform/deadline"
	"serein.app/services/platform/errs"
	"serein.app/services/platform/postgres"
	"serein.app/services/testkit"
)

const schema = `-- +goose Up
CREATE TABLE parents (id int PRIMARY KEY);
CREATE TABLE things (
	id     int PRIMARY KEY,
	n      int NOT NULL DEFAULT 0 CONSTRAINT things_n CHECK (n >= 0),
	parent int CONSTRAINT things_parent REFERENCES parents
);
-- +goose Down
DROP TABLE things;
`

var migrations = fstest.MapFS{"migrations/001_things.sql": {Data: []byte(schema)}}

func migrate(ctx context.Context, url string) error { return postgres.Migrate(ctx, url, migrations) }

func TestATransactionThatPostgreSQLAsksToRepeatIsRepeated(t *testing.T) {
	t.Parallel()
	db := testkit.Postgres(t, "mail", migrate).Pool
	_, err := db.Exec(t.Context(), "INSERT INTO things VALUES (1), (2)")
	require.NoError(t, err)
	// Two transactions that lock the same rows in opposite order: one of them is a victim, once.
	var both sync.WaitGroup
	locked := make(chan struct{}, 2)
	for _, order := range [][2]int{{1, 2}, {2, 1}} {
		both.Go(func() {
			first := true
			require.NoError(t, postgres.InTx(t.Context(), db, func(ctx context.Context, tx pgx.Tx) error {
				if _, err := tx.Exec(ctx, "UPDATE things SET n = n + 1 WHERE id = $1", order[0]); err != nil {
					return err
				}
				if first {
					first = false
					locked <- struct{}{}
					require.Eventually(t, func() bool { return len(locked) == 2 }, testkit.Patience, time.Millisecond)
				}
				_, err := tx.Exec(ctx, "UPDATE things SET n = n + 1 WHERE id = $1", order[1])
				return err
			}))
		})
	}
	both.Wait()
	var sum int
	require.NoError(t, db.QueryRow(t.Context(), "SELECT sum(n) FROM things").Scan(&sum))
	require.Equal(t, 4, sum)
}

func TestATransactionThatNeverGetsThroughEnds(t *testing.T) {
	t.Parallel()
	db := testkit.Postgres(t, "mail", migrate).Pool
	times := 0
	err := postgres.InTx(t.Context(), db, func(context.Context, pgx.Tx) error {
		times++
		return &pgconn.PgError{Code: "40001"}
	})
	require.Error(t, err)
	require.Equal(t, 4, times)
	times = 0
	own := errors.New("mine")
	require.ErrorIs(t, postgres.InTx(t.Context(), db, func(context.Context, pgx.Tx) error { times++; return own }), own)
	require.Equal(t, 1, times, "other failures are not repeated")
}

func TestAFailedTransactionLeavesNothing(t *testing.T) {
	t.Parallel()
	db := testkit.Postgres(t, "mail", migrate).Pool
	require.Error(t, postgres.InTx(t.Context(), db, func(ctx context.Context, tx pgx.Tx) error {
		_, err := tx.Exec(ctx, "INSERT INTO things VALUES (1)")
		require.NoError(t, err)
		return errors.New("changed my mind")
	}))
	var n int
	require.NoError(t, db.QueryRow(t.Context(), "SELECT count(*) FROM things").Scan(&n))
	require.Zero(t, n)
}

func TestTheDriversErrorsBecomeDeclaredOnes(t *testing.T) {
	t.Parallel()
	db := testkit.Postgres(t, "mail", migrate).Pool
	exec := func(sql string) error {
		_, err := db.Exec(t.Context(), sql)
		return err
	}
	require.NoError(t, exec("INSERT INTO things VALUES (1)"))
	taken := errs.New(errs.Conflict, errorsv1.Reason_REASON_USERNAME_EXISTS, "Taken.")
	negative := errs.New(errs.Invalid, errorsv1.Reason_REASON_INVALID_ARGUMENT, "Negative.")
	orphan := errs.New(errs.NotFound, errorsv1.Reason_REASON_USER_NOT_FOUND, "No parent.")
	constraints := map[string]*errs.Error{"things_pkey": taken, "things_n": negative, "things_parent": orphan}
	translate := func(err error) error { return postgres.Translate(err, constraints) }

	require.NoError(t, translate(nil))
	require.ErrorIs(t, translate(exec("INSERT INTO things VALUES (1)")), taken)
	require.ErrorIs(t, translate(exec("INSERT INTO things VALUES (2, -1)")), negative)
	require.ErrorIs(t, translate(exec("INSERT INTO things VALUES (2, 0, 7)")), orphan)
	require.ErrorIs(t, translate(fmt.Errorf("find: %w", db.QueryRow(t.Context(), "SELECT id FROM things WHERE id = 9").Scan(new(int)))), postgres.ErrNotFound)
	require.ErrorIs(t, translate(fmt.Errorf("wrapped: %w", taken)), taken, "what is declared stays")

	undeclared := postgres.Translate(exec("INSERT INTO things VALUES (1)"), nil)
	require.Equal(t, errs.Internal, errs.KindOf(undeclared))
	require.ErrorContains(t, undeclared, "things_pkey", "the log says which constraint nobody named")
	require.Equal(t, errs.Internal, errs.KindOf(translate(exec("SELECT nonsense"))))
}

func TestOnlyWhatWaitingMendsIsUnavailable(t *testing.T) {
	t.Parallel()
	for code, want := range map[string]errs.Kind{
		"57P01": errs.Unavailable, // the administrator shuts the server down
		"57P03": errs.Unavailable, // it is still starting
		"53300": errs.Unavailable, // too many connections
		"08006": errs.Unavailable, // the connection broke
		"57014": errs.Internal,    // the statement took too long, and will again
		"22P02": errs.Internal,    // no number
		"42P01": errs.Internal,    // no table
	} {
		err := postgres.Translate(fmt.Errorf("query: %w", &pgconn.PgError{Code: code}), nil)
		require.Equal(t, want, errs.KindOf(err), code)
	}
}

func TestAStatementThatTakesTooLongIsNotAPartThatIsAway(t *testing.T) {
	t.Parallel()
	db := testkit.Postgres(t, "mail", migrate).Pool
	err := pgx.BeginFunc(t.Context(), db, func(tx pgx.Tx) error {
		_, err := tx.Exec(t.Context(), "SET LOCAL statement_timeout = '10ms'; SELECT pg_sleep(10)")
		return err
	})
	require.Equal(t, errs.Internal, errs.KindOf(postgres.Translate(err, nil)))
	require.ErrorContains(t, postgres.Translate(err, nil), "statement timeout")
}

func TestAServerThatCannotBeReachedIsUnavailableAndIsNotAskedToStart(t *testing.T) {
	t.Parallel()
	db, err := postgres.Open(t.Context(), postgres.Config{URL: "postgres://mail:hunter2@127.0.0.1:1/mail", MaxConns: 2}, nil)
	require.NoError(t, err, "a service starts while its database is away")
	t.Cleanup(db.Close)
	err = postgres.Translate(db.Ping(t.Context()), nil)
	require.ErrorIs(t, err, errs.ErrUnavailable)
	require.NotContains(t, err.Error(), "hunter2")
}

func TestEverySessionIsBoundedAndInUTC(t *testing.T) {
	t.Parallel()
	db := testkit.Postgres(t, "mail", migrate).Pool
	limit := fmt.Sprintf("%gs", deadline.Of(15*time.Second).Seconds())
	for setting, want := range map[string]string{
		"statement_timeout": limit, "idle_in_transaction_session_timeout": limit, "TimeZone": "UTC",
	} {
		var got string
		require.NoError(t, db.QueryRow(t.Context(), "SELECT current_setting($1)", setting).Scan(&got))
		require.Equal(t, want, got, setting)
	}
}

func TestAnAddressThatIsNoneIsRefusedWithoutItsPassword(t *testing.T) {
	t.Parallel()
	const bad = "postgres://mail:hunter2@host:port/mail"
	_, err := postgres.Open(t.Context(), postgres.Config{URL: config.URL(bad)}, nil)
	require.ErrorContains(t, err, "DATABASE_URL")
	require.NotContains(t, err.Error(), "hunter2")
	err = postgres.Migrate(t.Context(), bad, migrations)
	require.Error(t, err)
	require.NotContains(t, err.Error(), "hunter2")
}

// A roll-out starts several replicas, and each may migrate.
func TestMigratingAgainOrAtOnceChangesNothing(t *testing.T) {
	t.Parallel()
	db := testkit.Postgres(t, "mail", func(context.Context, string) error { return nil })
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() { require.NoError(t, migrate(t.Context(), db.OwnerURL)) })
	}
	all.Wait()
	require.NoError(t, migrate(t.Context(), db.OwnerURL))
	for _, table := range []string{"outbox", "inbox", "river_job", "things"} {
		var n int
		require.NoError(t, db.Pool.QueryRow(t.Context(), "SELECT count(*) FROM "+pgx.Identifier{table}.Sanitize()).Scan(&n), table)
	}
}

func TestABrokenMigrationIsReportedAndTheNextRunGoesOn(t *testing.T) {
	t.Parallel()
	db := testkit.Postgres(t, "mail", migrate)
	next := fstest.MapFS{"migrations/001_things.sql": migrations["migrations/001_things.sql"], "migrations/002_more.sql": {Data: []byte("-- +goose Up\nCREATE TABLE more (id int); SELECT nonsense;")}}
	require.ErrorContains(t, postgres.Migrate(t.Context(), db.OwnerURL, next), "nonsense")
	_, err := db.Pool.Exec(t.Context(), "SELECT FROM more")
	require.ErrorContains(t, err, "42P01", "nothing of it stands")
	next["migrations/002_more.sql"] = &fstest.MapFile{Data: []byte("-- +goose Up\nCREATE TABLE more (id int);")}
	require.NoError(t, postgres.Migrate(t.Context(), db.OwnerURL, next))
}

func TestProvisioningAgainRepairsThePasswords(t *testing.T) {
	t.Parallel()
	db := testkit.Postgres(t, "mail", migrate)
	admin, err := pgx.Connect(t.Context(), db.AdminURL)
	require.NoError(t, err)
	t.Cleanup(func() { _ = admin.Close(context.Background()) })
	// No other test uses this service's name, so no other test loses its role.
	const service, first, second = "provisioned", "the first ' password", "the second \\ password"
	name := "t_provisioned_" + fmt.Sprint(time.Now().UnixNano())
	t.Cleanup(func() { _, _ = admin.Exec(context.Background(), "DROP DATABASE IF EXISTS "+name+" WITH (FORCE)") })
	for _, password := range []string{first, second} {
		require.NoError(t, postgres.Provision(t.Context(), admin, postgres.Database{Name: name, Service: service, OwnerPassword: "owner " + password, Password: password}))
		url, err := postgres.WithLogin(db.AdminURL, name, service, password)
		require.NoError(t, err)
		pool, err := pgxpool.New(t.Context(), url)
		require.NoError(t, err)
		require.NoError(t, pool.Ping(t.Context()))
		_, err = pool.Exec(t.Context(), "CREATE TABLE mine (id int)")
		require.ErrorContains(t, err, "42501", "the service changes no table")
		pool.Close()
	}
	old, err := postgres.WithLogin(db.AdminURL, name, service, first)
	require.NoError(t, err)
	_, err = pgx.Connect(t.Context(), old)
	require.ErrorContains(t, err, "28P01", "the first password is over")
}

// withFunctions is the test's schema with files of functions.
func withFunctions(files map[string]string) fstest.MapFS {
	all := fstest.MapFS{"migrations/001_things.sql": migrations["migrations/001_things.sql"]}
	for name, text := range files {
		all["functions/"+name] = &fstest.MapFile{Data: []byte(text)}
	}
	return all
}

func answers(t *testing.T, db testkit.DB, want int, name string) {
	t.Helper()
	var got int
	require.NoError(t, db.Pool.QueryRow(t.Context(), "SELECT "+name+"()").Scan(&got))
	require.Equal(t, want, got, name)
}

func TestEveryRunAppliesTheFunctionsAfterTheNumberedMigrations(t *testing.T) {
	t.Parallel()
	db := testkit.Postgres(t, "mail", migrate)
	const counts = "CREATE OR REPLACE FUNCTION things_now() RETURNS bigint LANGUAGE sql AS $$ SELECT count(*) FROM things; SELECT %d::bigint $$;"
	files := map[string]string{
		"b.sql": fmt.Sprintf(counts, 1),
		"a.sql": "CREATE OR REPLACE FUNCTION one() RETURNS int LANGUAGE sql AS 'SELECT 1';\nGRANT EXECUTE ON FUNCTION one TO mail;",
	}
	for range 2 {
		require.NoError(t, postgres.Migrate(t.Context(), db.OwnerURL, withFunctions(files)))
		answers(t, db, 1, "things_now")
		answers(t, db, 1, "one")
	}
	files["b.sql"] = fmt.Sprintf(counts, 2)
	files["c.sql"] = "DROP FUNCTION IF EXISTS one();"
	delete(files, "a.sql")
	require.NoError(t, postgres.Migrate(t.Context(), db.OwnerURL, withFunctions(files)))
	answers(t, db, 2, "things_now")
	_, err := db.Pool.Exec(t.Context(), "SELECT one()")
	require.ErrorContains(t, err, "42883", "a function is dropped by name")
}

func TestAFaultInOneFileLeavesEveryFunctionAsItWas(t *testing.T) {
	t.Parallel()
	db := testkit.Postgres(t, "mail", migrate)
	const answer = "CREATE OR REPLACE FUNCTION %s() RETURNS int LANGUAGE sql AS 'SELECT %d';"
	require.NoError(t, postgres.Migrate(t.Context(), db.OwnerURL, withFunctions(map[string]string{
		"a.sql": fmt.Sprintf(answer, "a", 1), "b.sql": fmt.Sprintf(answer, "b", 1),
	})))
	err := postgres.Migrate(t.Context(), db.OwnerURL, withFunctions(map[string]string{
		"a.sql": fmt.Sprintf(answer, "a", 2), "b.sql": fmt.Sprintf(answer, "b", 2) + " SELECT nonsense;",
	}))
	require.ErrorContains(t, err, "functions/b.sql")
	require.ErrorContains(t, err, "nonsense")
	answers(t, db, 1, "a")
	answers(t, db, 1, "b")
}
