package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strings"

	"serein.app/deploy/load/soak/faults"
)

// mutantTime bounds a test whose fault may let it wait for ever.
const mutantTime = "3m"

// plant compiles each planted fault in, one at a time, and runs the test that must go red for it. It runs each test without a fault
// first: a test that is red then, or does not exist, proves nothing.
func plant(ctx context.Context, s *soak) (err error) {
	all, err := s.chosenFaults()
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "serein-faults-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	green, err := s.healthy(ctx, all)
	if err != nil {
		return err
	}
	red := 0
	var survivors []error
	for _, f := range all {
		err := s.see(ctx, f, dir, green)
		if err == nil {
			say("  %s: %s is red", f.Name, f.Test)
			red++
		}
		survivors = append(survivors, err)
	}
	say("  %d of %d planted faults are seen, by tests of %d packages", red, len(all), len(green))
	return errors.Join(survivors...)
}

// chosenFaults are those that were asked for; all of them by default.
func (s *soak) chosenFaults() ([]faults.Fault, error) {
	all, err := faults.All()
	if err != nil || s.faults == "" {
		return all, err
	}
	var chosen []faults.Fault
	for name := range strings.SplitSeq(s.faults, ",") {
		at := slices.IndexFunc(all, func(f faults.Fault) bool { return f.Name == name })
		if at < 0 {
			return nil, fmt.Errorf("there is no fault %q", name)
		}
		chosen = append(chosen, all[at])
	}
	return chosen, nil
}

// healthy gives the tests that pass without a fault, by package.
func (s *soak) healthy(ctx context.Context, all []faults.Fault) (map[string]map[string]bool, error) {
	tests := map[string]map[string]bool{}
	for _, f := range all {
		if tests[f.Package] == nil {
			tests[f.Package] = map[string]bool{}
		}
		tests[f.Package][f.Test] = true
	}
	green := map[string]map[string]bool{}
	for _, pkg := range slices.Sorted(maps.Keys(tests)) {
		passed, _, err := s.tested(ctx, pkg, strings.Join(slices.Sorted(maps.Keys(tests[pkg])), "|"), "")
		if err != nil {
			return nil, err
		}
		green[pkg] = passed
	}
	return green, nil
}

// see runs a fault's test with the fault, whose sources it writes below dir. It fails if the test does not go red.
func (s *soak) see(ctx context.Context, f faults.Fault, dir string, green map[string]map[string]bool) error {
	if !green[f.Package][f.Test] {
		return fmt.Errorf("%s does not pass without %s", f.Test, f.Name)
	}
	overlay, err := f.Overlay(s.root, dir)
	if err != nil {
		return err
	}
	_, failed, err := s.tested(ctx, f.Package, f.Test, overlay)
	if err == nil && !failed[f.Test] {
		err = fmt.Errorf("%s survives: %s stays green while the code %s", f.Name, f.Test, f.Does)
	}
	return err
}

// tested runs tests of a package, compiled with an overlay; "" is none. It fails if they cannot be compiled or run; a red test is no failure.
func (s *soak) tested(ctx context.Context, pkg, tests, overlay string) (passed, failed map[string]bool, err error) {
	cmd := exec.CommandContext(ctx, "go", "run", "./deploy/local/cmd/testdb", "go", "test", "-overlay", overlay, "-vet=off", "-count=1", "-v",
		"-timeout", mutantTime, "-run", "^("+tests+")$", "serein.app/"+pkg)
	cmd.Dir = s.root
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	ran := cmd.Run()
	passed, failed = outcomes(out.String())
	if len(passed)+len(failed) == 0 {
		return nil, nil, fmt.Errorf("the tests of %s did not run (%w):\n%s", pkg, ran, out.String())
	}
	return passed, failed, nil
}

// outcomes reads go test -v. A test that waits for ever, or takes the process with it, has failed too.
func outcomes(text string) (passed, failed map[string]bool) {
	passed, failed = map[string]bool{}, map[string]bool{}
	for line := range strings.Lines(text) {
		if rest, ok := strings.CutPrefix(line, "--- PASS: "); ok {
			passed[strings.Fields(rest)[0]] = true
		}
		if rest, ok := strings.CutPrefix(line, "--- FAIL: "); ok {
			failed[strings.Fields(rest)[0]] = true
		}
	}
	return passed, failed
}
