// Package service is what all services share around their own wiring: the main function (load
// the configuration, run or migrate, map an error to an exit code) and the start of the parts
// that every service is made of. Only main exits the process.
package service

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"serein.app/services/platform/config"
	"serein.app/services/platform/outbox"
)

// Program is what a service's main hands over.
type Program[C any] struct {
	Name string
	// Run serves until ctx ends.
	Run func(ctx context.Context, cfg C) error
	// Migrate brings the database up to date as its owner; nil where there is no database.
	Migrate func(ctx context.Context, ownerURL string) error
}

// Main runs `<name>`, `<name> migrate` (with MIGRATE_DATABASE_URL) or `<name> replay 72h`
// (publishes the events of that time again) and gives the exit code.
func Main[C any](p Program[C]) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := p.dispatch(ctx, os.Args[1:]); err != nil {
		fmt.Fprintf(os.Stderr, "%s: %v\n", p.Name, err)
		return 1
	}
	return 0
}

func (p Program[C]) dispatch(ctx context.Context, args []string) error {
	switch {
	case len(args) == 0:
		cfg, err := config.Load[C](config.Environ())
		if err != nil {
			return fmt.Errorf("configuration: %w", err)
		}
		return p.Run(ctx, cfg)
	case args[0] == "migrate" && len(args) == 1 && p.Migrate != nil:
		url := os.Getenv("MIGRATE_DATABASE_URL")
		if url == "" {
			return errors.New("MIGRATE_DATABASE_URL is not set")
		}
		return p.Migrate(ctx, url)
	case args[0] == "replay" && len(args) == 2 && p.Migrate != nil:
		return replay(ctx, args[1])
	}
	return fmt.Errorf("usage: %s [migrate | replay DURATION]", p.Name)
}

func replay(ctx context.Context, duration string) error {
	back, err := time.ParseDuration(duration)
	if err != nil {
		return err
	}
	db, err := pgxpool.New(ctx, os.Getenv("DATABASE_URL"))
	if err != nil {
		return errors.New("DATABASE_URL is not a valid address")
	}
	defer db.Close()
	n, err := outbox.Replay(ctx, db, time.Now().Add(-back))
	if err == nil {
		fmt.Printf("%d events will be published again\n", n) //nolint:forbidigo // a command's output
	}
	return err
}
