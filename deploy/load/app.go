package main

import (
	"context"
	"fmt"
	"os/exec"
	"regexp"
	"strconv"
)

var entryLine = regexp.MustCompile(`(?m)([0-9.]+) of\s+([0-9.]+) KB\s+entry$`)

// measureApp reads the weight that the app's build enforces.
func measureApp(ctx context.Context, _ *bench) ([]Figure, error) {
	cmd := exec.CommandContext(ctx, "node", "scripts/budget.mjs")
	cmd.Dir = "frontend"
	out, err := cmd.CombinedOutput()
	found := entryLine.FindSubmatch(out)
	if found == nil {
		return nil, fmt.Errorf("%s: %w\n%s", cmd, err, out)
	}
	kb, err := strconv.ParseFloat(string(found[1]), 64)
	if err != nil {
		return nil, err
	}
	most, err := strconv.ParseFloat(string(found[2]), 64)
	return []Figure{Figure{Name: "entry JavaScript, gzip", Value: Quantity{kb, "KB"}}.below(most)}, err
}
