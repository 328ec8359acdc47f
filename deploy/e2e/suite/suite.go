// Package suite is shared by the test packages of deploy/e2e. It runs the product and, if a package asks for it, Chromium. It searches for
// secrets while the tests run, and holds the steps and checks that at least two packages need.
//
// A step that only one package needs stays in that package. Code for the running product is in harness, code for the browser in browser.
package suite

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"serein.app/deploy/e2e/browser"
	"serein.app/deploy/e2e/canaries"
	"serein.app/deploy/e2e/harness"
	"serein.app/deploy/local/stack"
)

// Product is the running product of one test package, with the people who use it.
type Product struct {
	*harness.Harness

	// Chromium is nil in a package that has not asked for it.
	Chromium *browser.Browser
	// Images are what the programs run in; nil in a package that has not asked for them, and where NoImages says why there are none.
	Images   *harness.Images
	NoImages error
}

// Options are what a test package asks for.
type Options struct {
	// Chromium: its tests use a browser.
	Chromium bool
	// SlowNarrator: narrations take so long that a test always meets them under way.
	SlowNarrator bool
	// Images: each program runs in the root file system of its image, as the manifests start it, where the machine can do that. So it
	// does with IMAGES=1 in the environment.
	Images bool
	// HTTPS: the addresses in a browser are encrypted, which WebKit needs to keep a session's cookie.
	HTTPS bool
	// Replicas of each program; 0: as many as REPLICAS says, otherwise one.
	Replicas int
	// Environ is added to that of every program.
	Environ map[string]string
}

// narrationSpeed is that of a slow narrator, in seconds of sound a second: the shortest meditation takes about half a minute.
const narrationSpeed = "8"

// calling is how many tests without a browser run at once: they wait for the product more than they compute.
const calling = "4"

// Main starts the product of a package, runs its tests and gives the code that the process ends with. It fails, too, if a secret stands
// where it may not.
func Main(m *testing.M, product *Product, options Options) int {
	code, err := run(m, product, options)
	if err != nil {
		fmt.Fprintln(os.Stderr, errors.Join(err, note(os.Getenv(faultsFile), err)))
		return 1
	}
	return code
}

// faultsFile names a file, in the environment, for faults that no test has: a test that is run once more would hide them.
const faultsFile = "SUITE_FAULTS"

// note adds a fault to a file; without a name there is none.
func note(file string, fault error) error {
	if file == "" {
		return nil
	}
	out, err := os.OpenFile(file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600) //nolint:gosec // named by test.sh
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "%s: %v\n", filepath.Base(os.Args[0]), fault)
	return errors.Join(err, out.Close())
}

func run(m *testing.M, product *Product, options Options) (code int, err error) {
	dir, err := os.MkdirTemp("", "serein-e2e-")
	if err != nil {
		return 1, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	ctx := context.Background()
	// All tests come from one address, which would otherwise be asked to slow down; and a machine that stands still for a while is no fault.
	environ := map[string]string{"LIMIT_SCALE": "1000", "DEADLINE_SCALE": "10"}
	if options.SlowNarrator {
		environ["NARRATION_SPEED"] = narrationSpeed
	}
	maps.Copy(environ, options.Environ)
	replicas, err := replicas(options)
	if err != nil {
		return 1, err
	}
	wanted := stack.Options{DataDir: dir, Environ: environ, Replicas: replicas, HTTPS: options.HTTPS}
	if options.Images || os.Getenv("IMAGES") != "" {
		if product.NoImages = harness.CanEnter(ctx); product.NoImages == nil {
			if product.Images, err = harness.BuildImages(ctx, filepath.Join(dir, "images")); err != nil {
				return 1, err
			}
			wanted.Launch = product.Images.Launch
		}
	}
	product.Harness, err = harness.StartWith(ctx, wanted)
	if err != nil {
		return 1, err
	}
	defer func() { _ = product.Stop() }()
	if err := product.AwaitShop(ctx); err != nil {
		return 1, err
	}
	watch := canaries.New()
	for name, secret := range product.Secrets() {
		watch.Secret("the secret "+name, secret)
	}
	watch.Secret("a member's password", harness.Password)
	watch.Secret("a member's new password", NewPassword)
	if options.Chromium {
		started, stop, err := browser.Start(ctx, watch)
		defer stop()
		if err != nil {
			return 1, fmt.Errorf("start Chromium: %w", err)
		}
		product.Chromium = started
	} else if err := flag.Set("test.parallel", calling); err != nil {
		return 1, err
	}
	if code = m.Run(); code != 0 {
		fmt.Fprintf(os.Stderr, "the services' last warnings:\n%s", warnings(filepath.Join(dir, "logs")))
	}
	return code, leaked(dir, watch)
}

// replicas is how many of each program run: with REPLICAS=2 in the environment, or where a package asks for it, as in a cluster.
func replicas(options Options) (int, error) {
	if options.Replicas > 0 {
		return options.Replicas, nil
	}
	asked := cmp.Or(os.Getenv("REPLICAS"), "1")
	n, err := strconv.Atoi(asked)
	if err != nil || n < 1 || n > 5 {
		return 0, fmt.Errorf("REPLICAS: want a number from 1 to 5, not %q", asked)
	}
	return n, nil
}

// leaked searches the logs and mails that the services wrote during the tests for secrets, and adds the secrets that were found in pages.
func leaked(dir string, watch *canaries.Watch) error {
	return errors.Join(watch.Folder(filepath.Join(dir, "logs")), watch.Folder(filepath.Join(dir, "inbox")), watch.Err())
}
