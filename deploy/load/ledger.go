package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"time"
)

// The README's generated parts stand between and before these lines.
const (
	tableBegins = "<!-- measured: begin -->"
	tableEnds   = "<!-- measured: end -->"
	ledgerEnds  = "<!-- ledger: end -->"
)

// kept are the figures that the ledger follows over time, in the order of its columns.
var kept = []string{
	"Generate to first sound, p50", "Generate to first sound, p95", "Timeout, Generate to ready, worst",
	"holds and captures, RPC and relay", "signed-in read, one service behind", "warm start, worst",
	"resident at rest", "more after 100 meditations", "entry JavaScript, gzip",
}

// writeTable puts the rows into the README in place of the last ones, and adds a line to its ledger.
func writeTable(ctx context.Context, path string, rows []row) error {
	readme, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	commit, err := exec.CommandContext(ctx, "git", "rev-parse", "--short", "HEAD").Output()
	if err != nil {
		return fmt.Errorf("the commit: %w", err)
	}
	run := stamp{date: time.Now().Format(time.DateOnly), commit: strings.TrimSpace(string(commit))}
	text, err := run.update(string(readme), rows)
	if err != nil {
		return err
	}
	return os.WriteFile(path, []byte(text), 0o644) //nolint:gosec // a document
}

// stamp says when a run was, and of what.
type stamp struct{ date, commit string }

func (s stamp) update(readme string, rows []row) (string, error) {
	head, rest, began := strings.Cut(readme, tableBegins)
	_, tail, ended := strings.Cut(rest, tableEnds)
	if !began || !ended || !strings.Contains(tail, ledgerEnds) {
		return "", fmt.Errorf("the README lacks %s, %s or %s", tableBegins, tableEnds, ledgerEnds)
	}
	machine := fmt.Sprintf("%s, commit %s, %d cores, %s, %s/%s.", s.date, s.commit,
		runtime.GOMAXPROCS(0), runtime.Version(), runtime.GOOS, runtime.GOARCH)
	tail = strings.Replace(tail, ledgerEnds, s.line(rows)+ledgerEnds, 1)
	return head + tableBegins + "\n" + machine + "\n\n" + table(rows) + tableEnds + tail, nil
}

// line is one run in the ledger: a figure with a limit is kept as its ratio.
func (s stamp) line(rows []row) string {
	cells := []string{s.date, s.commit}
	for _, name := range kept {
		cells = append(cells, short(rows, name))
	}
	return "| " + strings.Join(cells, " | ") + " |\n"
}

func short(rows []row, name string) string {
	for _, r := range rows {
		switch {
		case r.figure.Name != name:
		case r.figure.LimitName != "":
			return fmt.Sprintf("%.2f", r.figure.Ratio())
		default:
			return r.figure.Value.String()
		}
	}
	return ""
}
