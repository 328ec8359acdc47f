// Command load measures the product: each figure beside the limit that the machine itself sets,
// and beside what this repository asks for. `make bench` runs all of it; see README.md.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"serein.app/services/testkit/repository"
)

// part is a group of figures that are measured together.
type part struct {
	name    string
	measure func(context.Context, *bench) ([]Figure, error)
}

var parts = []part{
	{"first-audio", measureAudio},
	{"first-audio-outside", measureOutside},
	{"billing", measureBilling},
	{"selling", measureSelling},
	{"events", measureEvents},
	{"gateway", measureGateway},
	{"sign-in", measureSignIn},
	{"whole", measureWhole},
	{"ledger", measureLongLedger},
	{"journey", measureJourney},
	{"content", measureContent},
	{"start", measureStart},
	{"memory", measureMemory},
	{"footprint", measureFootprint},
	{"images", measureImages},
	{"app", measureApp},
	{"lighthouse", measureLighthouse},
}

// bench is one run and what was asked of it.
type bench struct {
	// root is the repository's folder, the working folder as well.
	root string
	// requests of Generate for the first sound, and timeouts narrated whole.
	requests, timeouts int
	// callers at once and how long each rate is measured.
	callers int
	during  time.Duration
	// starts of the stack, and meditations made before memory is looked at again.
	starts, meditations int
	// rest is the pause before memory is looked at.
	rest     time.Duration
	progress io.Writer
}

func main() {
	if len(os.Args) > 1 && os.Args[1] == bareCommand {
		if err := serveBare(os.Args[2:]); err != nil {
			fmt.Fprintln(os.Stderr, "load:", err)
			os.Exit(1)
		}
		return
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "load:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	b := &bench{progress: os.Stderr}
	only := flag.String("only", "", "parts to measure, with commas between: "+names())
	write := flag.Bool("write", false, "write the table into deploy/load/README.md")
	flag.IntVar(&b.requests, "requests", 40, "how often Generate is sent for the first sound")
	flag.IntVar(&b.timeouts, "timeouts", 3, "how many whole Timeouts are made")
	flag.IntVar(&b.callers, "callers", 32, "callers of billing at once")
	flag.DurationVar(&b.during, "during", 10*time.Second, "how long each rate is measured")
	flag.IntVar(&b.starts, "starts", 5, "warm starts, of the stack and of each image")
	flag.IntVar(&b.meditations, "meditations", 100, "meditations made before memory is looked at again")
	flag.DurationVar(&b.rest, "rest", 10*time.Second, "pause before memory is looked at")
	flag.Parse()

	chosen, err := choose(*only)
	if err != nil {
		return err
	}
	if *write && len(chosen) < len(parts) {
		return errors.New("-write keeps a whole table: leave out -only")
	}
	if b.root, err = repository.Root(); err != nil {
		return err
	}
	if err := os.Chdir(b.root); err != nil {
		return err
	}
	rows, fault := b.measure(ctx, chosen)
	fmt.Print(table(rows))
	if fault == nil && *write {
		return writeTable(ctx, filepath.Join("deploy", "load", "README.md"), rows)
	}
	return fault
}

// measure goes on with the next part where one cannot be measured.
func (b *bench) measure(ctx context.Context, chosen []part) ([]row, error) {
	var rows []row
	var faults []error
	for _, p := range chosen {
		b.say("%s", p.name)
		figures, err := p.measure(ctx, b)
		for _, f := range figures {
			rows = append(rows, row{p.name, f})
		}
		if err != nil {
			faults = append(faults, fmt.Errorf("%s: %w", p.name, err))
			b.say("  %v", err)
		}
		if ctx.Err() != nil {
			break
		}
	}
	return rows, errors.Join(faults...)
}

// say tells what is going on, beside the table.
func (b *bench) say(format string, args ...any) { _, _ = fmt.Fprintf(b.progress, format+"\n", args...) }

func names() string {
	var all []string
	for _, p := range parts {
		all = append(all, p.name)
	}
	return strings.Join(all, ",")
}

// choose finds the named parts, in their own order; no names are all of them.
func choose(only string) ([]part, error) {
	if only == "" {
		return parts, nil
	}
	wanted := strings.Split(only, ",")
	var chosen []part
	for _, p := range parts {
		if slices.Contains(wanted, p.name) {
			chosen = append(chosen, p)
		}
	}
	if len(chosen) != len(wanted) {
		return nil, fmt.Errorf("-only %s: the parts are %s", only, names())
	}
	return chosen, nil
}
