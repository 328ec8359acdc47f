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

	"serein.app/services/testkit/mutants"
)

// mutantTime bounds a test whose fault may let it wait for ever.
const mutantTime = "3m"

// plant switches each planted fault on and runs the test that must go red for it, and each test once without one: a test that is red
// anyhow, or is not there, proves nothing.
func plant(ctx context.Context, s *soak) error {
	var faults []error
	green := map[string]map[string]bool{} // the tests that pass, by package
	for _, m := range mutants.All {
		if green[m.Package] != nil {
			continue
		}
		passed, err := s.healthy(ctx, m.Package)
		if err != nil {
			return err
		}
		green[m.Package] = passed
	}
	red := 0
	for _, m := range mutants.All {
		if !green[m.Package][m.Test] {
			faults = append(faults, fmt.Errorf("%s does not pass without %s", m.Test, m.Name))
			continue
		}
		_, failed, err := s.planted(ctx, m.Name, m.Package, m.Test)
		switch {
		case err != nil:
			faults = append(faults, err)
		case !failed[m.Test]:
			faults = append(faults, fmt.Errorf("%s survives: %s stays green while the code %s", m.Name, m.Test, m.Does))
		default:
			say("  %s: %s is red", m.Name, m.Test)
			red++
		}
	}
	say("  %d of %d planted faults are seen, by tests of %d packages", red, len(mutants.All), len(green))
	return errors.Join(faults...)
}

// healthy runs all tests that a package has for planted faults, with none switched on.
func (s *soak) healthy(ctx context.Context, pkg string) (map[string]bool, error) {
	tests := map[string]bool{}
	for _, m := range mutants.All {
		if m.Package == pkg {
			tests[m.Test] = true
		}
	}
	passed, _, err := s.planted(ctx, "", pkg, strings.Join(slices.Sorted(maps.Keys(tests)), "|"))
	return passed, err
}

// planted runs tests with a fault switched on; "" is none. What cannot be built or run at all is an error, a red test is not.
func (s *soak) planted(ctx context.Context, name, pkg, tests string) (passed, failed map[string]bool, err error) {
	cmd := exec.CommandContext(ctx, "go", "run", "./deploy/local/cmd/testdb", "go", "test", "-tags", "mutants", "-vet=off", "-count=1", "-v",
		"-timeout", mutantTime, "-run", "^("+tests+")$", "serein.app/"+pkg)
	cmd.Dir, cmd.Env = s.root, append(os.Environ(), "MUTANT="+name)
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
