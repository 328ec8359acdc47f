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
// dead letters), River's, then the service's own from the folder "migrations" of fsys. Two processes
// that migrate at once wait for each other.
func Migrate(ctx context.Context, url string, fsys fs.FS) (err error) {
	cfg, err := pgx.ParseConfig(url)
	if err != nil {
		return errors.New("the migration address is not valid")
	}
	db := stdlib.OpenDB(*cfg)
	defer func() { err = errors.Join(err, db.Close()) }()
	if err := up(ctx, db, platformMigrations, "platform_migrations"); err != nil {
		return fmt.Errorf("platform migrations: %w", err)
	}
	if err := migrateJobs(ctx, url); err != nil {
		return fmt.Errorf("job queue migrations: %w", err)
	}
	if err := up(ctx, db, fsys, "service_migrations"); err != nil {
		return fmt.Errorf("migrations: %w", err)
	}
	return nil
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
	locker, err := lock.NewPostgresSessionLocker()
	if err != nil {
		return err
	}
	files, err := fs.Sub(fsys, "migrations")
	if err != nil {
		return err
	}
	provider, err := goose.NewProvider(goose.DialectCustom, db, files, goose.WithStore(store), goose.WithSessionLocker(locker))
	if errors.Is(err, goose.ErrNoMigrations) {
		return nil
	}
	if err != nil {
		return err
	}
	_, err = provider.Up(ctx)
	return err
}
