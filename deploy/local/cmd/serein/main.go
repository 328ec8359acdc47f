// Command serein runs the whole product on this machine: `make run`. With arguments it runs a
// service's own command against it: `serein billing replay 72h`.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"runtime/debug"
	"strconv"
	"syscall"
	"time"

	"serein.app/deploy/local/stack"
)

// memoryLimit is where the collector begins to work harder, in bytes. All services share this
// process; at work they need some 130 MiB, and a first start would keep twice as much for later.
const memoryLimit = 192 << 20

func main() {
	debug.SetMemoryLimit(memoryLimit)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if len(os.Args) > 1 {
		if err := command(ctx, os.Args[1], os.Args[2:]); err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		return
	}
	if err := run(ctx); err != nil {
		fmt.Printf("\nSerein stopped: %v\n", err)
		os.Exit(1)
	}
}

func command(ctx context.Context, service string, args []string) error {
	options, err := fromEnviron()
	if err != nil {
		return err
	}
	s, err := stack.Open(options)
	if err != nil {
		return err
	}
	return s.Do(ctx, service, args...)
}

func run(ctx context.Context) error {
	options, err := fromEnviron()
	if err != nil {
		return err
	}
	if err := logTo(filepath.Join(options.DataDir, "logs")); err != nil {
		return err
	}
	began := time.Now()
	s, err := stack.Start(ctx, options)
	if err != nil {
		return fmt.Errorf("%w (logs are in %s)", err, filepath.Join(options.DataDir, "logs"))
	}
	fmt.Printf("\nSerein is ready at %s\n", s.URL())
	fmt.Printf("  mails    %s\n  status   %s\n  data     %s\n", s.InboxURL(), s.StatusURL(), options.DataDir)
	fmt.Printf("Started in %.1f s. Ctrl-C stops it.\n", time.Since(began).Seconds())
	select {
	case <-ctx.Done():
		fmt.Println("\nStopping")
		return s.Stop()
	case err := <-s.Failed():
		return errors.Join(err, s.Stop())
	}
}

// fromEnviron reads what a newcomer may set; see README.md.
func fromEnviron() (stack.Options, error) {
	o := stack.Options{
		DataDir: or("DATA_DIR", ".data"), Root: ".", Tell: func(line string) { fmt.Println(line) },
		DatabaseURL: os.Getenv("DATABASE_URL"), NATSURL: os.Getenv("NATS_URL"),
		RedisURL: os.Getenv("REDIS_URL"), SMTPURL: os.Getenv("SMTP_URL"),
	}
	var portErr, inboxErr error
	o.Port, portErr = port("PORT", "8080")
	o.InboxPort, inboxErr = port("INBOX_PORT", "8025")
	return o, errors.Join(portErr, inboxErr)
}

func port(name, standard string) (int, error) {
	n, err := strconv.Atoi(or(name, standard))
	if err != nil || n < 0 || n > 65535 {
		return 0, fmt.Errorf("%s: %q is not a port", name, os.Getenv(name))
	}
	return n, nil
}

func or(name, standard string) string {
	if value := os.Getenv(name); value != "" {
		return value
	}
	return standard
}

// logTo sends the services' log lines to a file, so that the terminal stays readable.
func logTo(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	log, err := os.OpenFile(filepath.Join(dir, "serein.log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	os.Stderr = log
	return nil
}
