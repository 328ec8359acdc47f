package main

import (
	"bufio"
	"context"
	"fmt"
	"os/exec"
	"strconv"
	"strings"
	"time"
)

// results maps a benchmark and a unit to what each run gave.
type results map[string]map[string][]float64

// get is the median of a benchmark's runs, or an error where there were none.
func (r results) get(name, unit string) (float64, error) {
	runs := r[name][unit]
	if len(runs) == 0 {
		return 0, fmt.Errorf("the benchmark %s gave no %s", name, unit)
	}
	return median(runs), nil
}

// goBench runs Go benchmarks of a package, for the time given and so many times.
func goBench(ctx context.Context, dir, pattern string, during time.Duration, count int) (results, error) {
	return runBench(ctx, nil, dir, pattern, during, count)
}

// goBenchWithDatabase is goBench with a throw-away PostgreSQL beside it.
func goBenchWithDatabase(ctx context.Context, dir, pattern string, during time.Duration, count int) (results, error) {
	return runBench(ctx, []string{"go", "run", "./deploy/local/cmd/testdb"}, dir, pattern, during, count)
}

func runBench(ctx context.Context, within []string, dir, pattern string, during time.Duration, count int) (results, error) {
	args := append(within, "go", "test", "-C", dir, "-run", "^$", "-bench", pattern,
		"-benchtime", during.String(), "-count", strconv.Itoa(count), ".")
	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		return nil, fmt.Errorf("%s: %w\n%s", cmd, err, out)
	}
	return parseBench(string(out)), nil
}

// parseBench reads lines like "BenchmarkSpeak-2  24  81066 ns/op  33.5 speech-s/s".
func parseBench(text string) results {
	found := results{}
	for lines := bufio.NewScanner(strings.NewReader(text)); lines.Scan(); {
		fields := strings.Fields(lines.Text())
		if len(fields) < 4 || !strings.HasPrefix(fields[0], "Benchmark") {
			continue
		}
		name := strings.TrimPrefix(fields[0], "Benchmark")
		if at := strings.LastIndexByte(name, '-'); at > 0 {
			name = name[:at]
		}
		if found[name] == nil {
			found[name] = map[string][]float64{}
		}
		for i := 2; i+1 < len(fields); i += 2 {
			if n, err := strconv.ParseFloat(fields[i], 64); err == nil {
				found[name][fields[i+1]] = append(found[name][fields[i+1]], n)
			}
		}
	}
	return found
}

// voicePace is how fast the synthesiser speaks on all cores, with nothing around it.
func voicePace(ctx context.Context, b *bench) (float64, error) {
	r, err := goBench(ctx, "services/generation/internal/flite", "^BenchmarkSpeakOnAllCores$", b.during/2, 1)
	if err != nil {
		return 0, err
	}
	return r.get("SpeakOnAllCores", "speech-s/s")
}

// add takes over the runs of another.
func (r results) add(other results) {
	for name, units := range other {
		if r[name] == nil {
			r[name] = map[string][]float64{}
		}
		for unit, runs := range units {
			r[name][unit] = append(r[name][unit], runs...)
		}
	}
}
