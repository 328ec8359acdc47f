// Command serein runs the whole product on this machine: `make run`. With arguments it runs a
// service's own command against it, `serein billing replay 72h`, or prints an access token for its
// REST calls: `serein token` prints a program's, `serein token member` that of the member who then signs in. `serein
// broker-access` prints the part of the broker's configuration that says who may do what. `serein client
// serein-reports` and `serein consumer reports` print the environment of a program that is another service. `serein
// cluster-secrets` prints the Secrets of a developers' cluster.
package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/signal"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
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
			fmt.Fprintln(os.Stderr, err)
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
	switch service {
	case "token":
		return token(ctx, s, args)
	case "broker-access":
		access, err := s.BrokerAccess()
		fmt.Print(access)
		return err
	case "cluster-secrets":
		secrets, err := s.ClusterSecrets()
		fmt.Println(string(secrets))
		return err
	case "client":
		return export(s.ClientEnviron, args)
	case "consumer":
		return export(s.ConsumerEnviron, args)
	}
	return s.Do(ctx, service, args...)
}

// token prints an access token alone, so that TOKEN=$(.cache/serein token) holds it; what there is to
// say beside it goes to the terminal's other stream.
func token(ctx context.Context, s *stack.Stack, args []string) (err error) {
	var made string
	switch strings.Join(args, " ") {
	case "":
		made, err = s.Token(ctx, stack.ProgramClient, stack.RESTScopes...)
	case "member":
		made, err = s.MemberToken(ctx, func(address string) {
			fmt.Fprintf(os.Stderr, "Open this address in a browser and sign in:\n%s\n", address)
		})
	default:
		return errors.New("usage: serein token [member]")
	}
	if err != nil {
		return err
	}
	fmt.Println(made)
	return nil
}

// export prints what a shell takes over by eval.
func export(of func(name string) (map[string]string, error), args []string) error {
	if len(args) != 1 {
		return errors.New("usage: serein client CLIENT-ID or serein consumer NAME")
	}
	environ, err := of(args[0])
	for _, name := range slices.Sorted(maps.Keys(environ)) {
		fmt.Printf("export %s='%s'\n", name, environ[name])
	}
	return err
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
