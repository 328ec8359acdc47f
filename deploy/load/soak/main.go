// Command soak runs the product for long under what is unfriendly: parts that die, and more work than can be
// done. `make soak` runs all of it; see README.md. It fails when a promise was broken.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"serein.app/deploy/e2e/harness"
	"serein.app/services/testkit/repository"
)

// part is one trial.
type part struct {
	name string
	run  func(context.Context, *soak) error
}

var parts = []part{
	{"storm", storm},
	{"overload", overload},
	{"year", year},
	{"fuzz", fuzz},
	{"lives", live},
	{"members", liveAYear},
	{"mutants", plant},
	{"purchases", buy},
}

// soak is one run and what was asked of it.
type soak struct {
	root    string
	minutes float64
	members int
	// times is how much more is asked for than the machine can make.
	times float64
	// purchases that are paid while parts die.
	purchases int
	// inputs of each fuzz target.
	inputs int
	// steps of random lives, and how many live for a year.
	steps, lives int
	// faults that are planted, by their names with commas between; all of them where it is empty.
	faults string
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "soak:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context) (err error) {
	s := &soak{}
	only := flag.String("only", "storm,overload,purchases,mutants",
		"parts to run, with commas between: storm,overload,purchases,mutants,year,fuzz,lives,members")
	flag.Float64Var(&s.minutes, "minutes", 10, "how long the storm and the overload last; what was accepted is waited for afterwards")
	flag.IntVar(&s.members, "members", 16, "members in the storm")
	flag.Float64Var(&s.times, "times", 3, "how much more is asked for than can be made")
	flag.IntVar(&s.purchases, "purchases", 300, "purchases that are paid while parts die")
	flag.IntVar(&s.inputs, "inputs", 1_000_000, "inputs of each fuzz target")
	flag.IntVar(&s.steps, "steps", 2_000_000, "random steps through the lives of members")
	flag.IntVar(&s.lives, "lives", 10_000, "members who live for a year")
	flag.StringVar(&s.faults, "faults", "", "planted faults to run, by their names with commas between (default all)")
	flag.Parse()
	if s.root, err = repository.Root(); err != nil {
		return err
	}
	if err := os.Chdir(s.root); err != nil {
		return err
	}
	var faults []error
	for name := range strings.SplitSeq(*only, ",") {
		at := slices.IndexFunc(parts, func(p part) bool { return p.name == name })
		if at < 0 {
			return fmt.Errorf("there is no part %q", name)
		}
		say("%s", name)
		if err := parts[at].run(ctx, s); err != nil {
			faults = append(faults, fmt.Errorf("%s: %w", name, err))
		}
	}
	return errors.Join(faults...)
}

func (s *soak) during() time.Duration { return time.Duration(s.minutes * float64(time.Minute)) }

// open starts the product in a folder that goes with it, unless something went wrong: then it is left for a look.
func (s *soak) open(ctx context.Context) (product *harness.Harness, leave func(error) error, err error) {
	dir, err := os.MkdirTemp("", "serein-soak-")
	if err != nil {
		return nil, nil, err
	}
	// Everybody comes from one address here, which would otherwise be asked to slow down.
	product, err = harness.Start(ctx, dir, map[string]string{"LIMIT_SCALE": "1000000"})
	if err != nil {
		return nil, nil, errors.Join(err, os.RemoveAll(dir))
	}
	return product, func(fault error) error {
		if fault != nil {
			say("  the logs are in %s", filepath.Join(dir, "logs"))
			return errors.Join(fault, product.Stop())
		}
		return errors.Join(product.Stop(), os.RemoveAll(dir))
	}, nil
}

func say(format string, args ...any) {
	fmt.Fprintf(os.Stderr, time.Now().Format(time.TimeOnly)+" "+format+"\n", args...)
}
