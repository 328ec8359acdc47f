package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
)

// year runs the tests that make a year of rows at their full size, one after another: they measure times.
func year(ctx context.Context, s *soak) error {
	return s.goTest(ctx, []string{"YEAR_ROWS=1000000"}, "-count", "1", "-p", "1", "-run", "AfterAYear", "-timeout", "2h", "serein.app/services/...")
}

// lives is the package whose tests live for long.
const lives = "serein.app/services/billing/internal/life"

// live takes random steps through the lives of members, and says how many there were.
func live(ctx context.Context, s *soak) error {
	return s.goTest(ctx, []string{fmt.Sprint("LIFE_STEPS=", s.steps)}, "-count", "1", "-v", "-run", "EveryLife", "-timeout", "48h", lives)
}

// liveAYear has many members live for a year, and counts the books.
func liveAYear(ctx context.Context, s *soak) error {
	return s.goTest(ctx, []string{fmt.Sprint("LIFE_MEMBERS=", s.lives)}, "-count", "1", "-v", "-run", "AYearOfMembers", "-timeout", "48h", lives)
}

// slow targets get one input in that many: those of others cost microseconds, a spoken script costs a second.
var slow = map[string]int{"FuzzAnyScriptIsNarratedToItsEnd": 1000}

// shortening bounds how often an input that reaches new code is tried shorter; by default that takes a minute each and
// most of the time: 2,900 inputs a second instead of 20,000.
const shortening = "10x"

// fuzz gives every fuzz target its number of inputs, one target after another.
func fuzz(ctx context.Context, s *soak) error {
	targets, err := s.targets(ctx)
	if err != nil {
		return err
	}
	say("  %d targets, %d inputs each or a share of it", len(targets), s.inputs)
	var faults []error
	for _, t := range targets {
		inputs := max(s.inputs/max(slow[t.name], 1), 1)
		say("  %s %s: %d", t.pkg, t.name, inputs)
		err := s.goTest(ctx, nil, "-run", "^$", "-fuzz", "^"+t.name+"$", "-fuzztime", strconv.Itoa(inputs)+"x",
			"-fuzzminimizetime", shortening, "-timeout", "6h", t.pkg)
		if err != nil {
			faults = append(faults, fmt.Errorf("%s %s: %w", t.pkg, t.name, err))
		}
	}
	return errors.Join(faults...)
}

type target struct{ pkg, name string }

// targets finds all of them: a name stands in the tests' sources, below the package's folder.
func (s *soak) targets(ctx context.Context) (found []target, err error) {
	files, err := s.output(ctx, "git", "grep", "-oE", `^func Fuzz[A-Za-z0-9_]+`, "--", "*_test.go")
	if err != nil {
		return nil, err
	}
	for line := range strings.Lines(files) {
		file, declared, _ := strings.Cut(strings.TrimSpace(line), ":")
		folder := file[:strings.LastIndexByte(file, '/')]
		found = append(found, target{"./" + folder, strings.TrimPrefix(declared, "func ")})
	}
	return found, nil
}

func (s *soak) output(ctx context.Context, name string, args ...string) (string, error) {
	var out bytes.Buffer
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = s.root, &out, os.Stderr
	err := cmd.Run()
	return out.String(), err
}

// goTest runs tests beside one PostgreSQL.
func (s *soak) goTest(ctx context.Context, environ []string, args ...string) error {
	cmd := exec.CommandContext(ctx, "go", append([]string{"run", "./deploy/local/cmd/testdb", "go", "test"}, args...)...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = s.root, os.Stderr, os.Stderr
	cmd.Env = append(os.Environ(), environ...)
	return cmd.Run()
}
