// Package service is what all services share around their own wiring: the main function (load
// the configuration, run or migrate, map an error to an exit code) and the start of the parts
// that every service is made of. Only main exits the process.
package service

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"google.golang.org/protobuf/proto"

	"serein.app/services/platform/config"
	"serein.app/services/platform/outbox"
	"serein.app/services/platform/retention"
)

// Program is a service as it is started: from the environment, to serve or for one command.
type Program[C any] struct {
	Name string
	// Run serves until ctx ends.
	Run func(ctx context.Context, cfg C) error
	// Migrate brings the database up to date as its owner; nil where there is no database.
	Migrate func(ctx context.Context, ownerURL string) error
	// Retention lists the policies that remove rows from the service's own tables; nil if no row is removed.
	Retention []retention.Policy
	// Consumes are the events of other services that it handles, an empty message of each kind: the
	// broker lets it read these and no others.
	Consumes []proto.Message
	// Follows are the services that it follows (bus.Follow), for the broker likewise.
	Follows []string
	// Commands are the service's own, for operators; nil for none.
	Commands map[string]Command
}

// Main runs the program with the process's environment and arguments, and gives the exit code: 0
// when it is done, 2 when it was called wrongly, 1 for every other failure.
func Main[C any](p Program[C]) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := p.Do(ctx, config.Environ(), os.Args[1:]); err != nil {
		fmt.Fprintf(os.Stderr, "%s: %v\n", p.Name, err)
		if errors.Is(err, ErrUsage) {
			return 2
		}
		return 1
	}
	return 0
}

// Do serves where there are no arguments. Otherwise it runs `migrate` (with
// MIGRATE_DATABASE_URL), `replay 72h` (publishes the events of that time again) or one of the
// service's own commands. None of them goes to another machine without TLS: see TrustedNetwork.
func (p Program[C]) Do(ctx context.Context, environ map[string]string, args []string) error {
	plain := checkPlain(environ)
	switch {
	case len(args) == 0:
		cfg, err := config.Load[C](environ)
		if err = errors.Join(err, plain); err != nil {
			return fmt.Errorf("configuration: %w", err)
		}
		return p.Run(ctx, cfg)
	case plain != nil:
		return plain
	case args[0] == "migrate" && len(args) == 1 && p.Migrate != nil:
		url := environ["MIGRATE_DATABASE_URL"]
		if url == "" {
			return errors.New("MIGRATE_DATABASE_URL is not set")
		}
		return p.Migrate(ctx, url)
	case args[0] == "replay" && len(args) == 2 && p.Migrate != nil:
		return replay(ctx, environ["DATABASE_URL"], args[1])
	}
	if command, ok := p.Commands[args[0]]; ok {
		return command.do(ctx, p.Name+" "+args[0], environ, args[1:])
	}
	return usageError{p.usage()}
}

func (p Program[C]) usage() string {
	var ways []string
	if p.Migrate != nil {
		ways = append(ways, "migrate", "replay DURATION")
	}
	for _, name := range slices.Sorted(maps.Keys(p.Commands)) {
		ways = append(ways, strings.TrimSpace(name+" "+p.Commands[name].Usage))
	}
	return fmt.Sprintf("usage: %s [%s]", p.Name, strings.Join(ways, " | "))
}

func replay(ctx context.Context, url, duration string) error {
	back, err := time.ParseDuration(duration)
	if err != nil {
		return err
	}
	db, err := pgxpool.New(ctx, url)
	if err != nil {
		return errors.New("DATABASE_URL: want an address such as postgres://user:password@host:5432/database")
	}
	defer db.Close()
	n, err := outbox.Replay(ctx, db, time.Now().Add(-back))
	if err == nil {
		fmt.Printf("%d events will be published again\n", n) //nolint:forbidigo // a command's output
	}
	return err
}
