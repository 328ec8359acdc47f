package postgres

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/database"
	"github.com/pressly/goose/v3/lock"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/rivermigrate"
)

//go:embed migrations/*.sql
var platformMigrations embed.FS

// Migrate brings a database up to date as its owner: the platform's tables (outbox, inbox,
// dead letters), River's, then the service's own from the folder "migrations" of fsys, and last its SQL functions
// from the folder "functions", if fsys has one. Two processes that migrate at once wait for each other.
//
// Every run applies all files of "functions", in the order of their names and in one transaction: a fault in one of
// them leaves every function as it was. So the files can be applied again and again: CREATE OR REPLACE, DROP IF EXISTS, REVOKE, GRANT.
func Migrate(ctx context.Context, url string, fsys fs.FS) (err error) {
	cfg, err := pgx.ParseConfig(url)
	if err != nil {
		return errors.New("the migration address is not valid")
	}
	db := stdlib.OpenDB(*cfg)
	defer func() { err = errors.Join(err, db.Close()) }()
	return locked(ctx, db, func(conn *sql.Conn) error {
		if err := up(ctx, db, platformMigrations, "platform_migrations"); err != nil {
			return fmt.Errorf("platform migrations: %w", err)
		}
		if err := migrateJobs(ctx, url); err != nil {
			return fmt.Errorf("job queue migrations: %w", err)
		}
		if err := up(ctx, db, fsys, "service_migrations"); err != nil {
			return fmt.Errorf("migrations: %w", err)
		}
		if err := applyFunctions(ctx, conn, fsys); err != nil {
			return fmt.Errorf("functions: %w", err)
		}
		return nil
	})
}

// locked does work while a connection holds the lock of the database's migrations. It is goose's own lock, so that a release that leaves
// the lock to goose waits too.
func locked(ctx context.Context, db *sql.DB, work func(*sql.Conn) error) (err error) {
	locker, err := lock.NewPostgresSessionLocker(lock.WithLockTimeout(1, 300)) // asks each second for five minutes
	if err != nil {
		return err
	}
	conn, err := db.Conn(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, conn.Close()) }()
	if err := locker.SessionLock(ctx, conn); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, locker.SessionUnlock(context.WithoutCancel(ctx), conn)) }()
	return work(conn)
}

func applyFunctions(ctx context.Context, conn *sql.Conn, fsys fs.FS) error {
	files, err := fs.Glob(fsys, "functions/*.sql")
	if err != nil || len(files) == 0 {
		return err
	}
	return conn.Raw(func(driver any) error {
		return pgx.BeginFunc(ctx, driver.(*stdlib.Conn).Conn(), func(tx pgx.Tx) error {
			for _, file := range files {
				statements, err := fs.ReadFile(fsys, file)
				if err != nil {
					return err
				}
				// The simple protocol takes several statements at once.
				if _, err := tx.Exec(ctx, string(statements), pgx.QueryExecModeSimpleProtocol); err != nil {
					return fmt.Errorf("%s: %w", file, err)
				}
			}
			return nil
		})
	})
}

func migrateJobs(ctx context.Context, url string) error {
	pool, err := pgxpool.New(ctx, url)
	if err != nil {
		return err
	}
	defer pool.Close()
	migrator, err := rivermigrate.New(riverpgxv5.New(pool), nil)
	if err != nil {
		return err
	}
	_, err = migrator.Migrate(ctx, rivermigrate.DirectionUp, nil)
	return err
}

func up(ctx context.Context, db *sql.DB, fsys fs.FS, table string) error {
	store, err := database.NewStore(database.DialectPostgres, table)
	if err != nil {
		return err
	}
	files, err := fs.Sub(fsys, "migrations")
	if err != nil {
		return err
	}
	provider, err := goose.NewProvider(goose.DialectCustom, db, files, goose.WithStore(store))
	if errors.Is(err, goose.ErrNoMigrations) {
		return nil
	}
	if err != nil {
		return err
	}
	_, err = provider.Up(ctx)
	return err
}
