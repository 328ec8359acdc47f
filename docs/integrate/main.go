// Command integrate is what another service does with Serein: it reads a member's ledger over gRPC, and follows what
// members spend on NATS JetStream. It imports public libraries and the contracts alone, so that it can be copied.
//
//	integrate ledger UID     prints the ledger of a member, the newest entry first
//	integrate follow FILE    keeps a line in FILE for each time that a member spends credits, and prints it
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Args[1:]); err != nil {
		slog.Error("stopped", "error", err)
		stop()
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string) error {
	var files certificates
	flags := flag.NewFlagSet("integrate", flag.ContinueOnError)
	flags.StringVar(&files.authority, "ca", "", "PEM `file` of the authority that the other side's certificate is of; empty: the system's")
	flags.StringVar(&files.certificate, "cert", "", "PEM `file` of the certificate that this program shows")
	flags.StringVar(&files.key, "key", "", "PEM `file` of that certificate's key")
	if err := flags.Parse(args); err != nil {
		return err
	}
	switch command, on := flags.Arg(0), flags.Arg(1); {
	case flags.NArg() == 2 && command == "ledger":
		return printLedger(ctx, files, on, os.Stdout)
	case flags.NArg() == 2 && command == "follow":
		return follow(ctx, files, on, os.Stdout)
	}
	return errors.New("usage: integrate [-ca FILE] [-cert FILE -key FILE] ledger UID | follow FILE")
}

// environ reads variables that all must be set. Secrets come by the environment, where a list of processes does not show them.
func environ(names ...string) (map[string]string, error) {
	values := map[string]string{}
	var missing []error
	for _, name := range names {
		if values[name] = os.Getenv(name); values[name] == "" {
			missing = append(missing, fmt.Errorf("%s is not set", name))
		}
	}
	return values, errors.Join(missing...)
}
