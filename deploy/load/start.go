package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// measureStart starts the stack as `make run` does, first without a data folder and then with it.
func measureStart(ctx context.Context, b *bench) (figures []Figure, err error) {
	program, err := buildStack(ctx, b.root)
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "serein-load-")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	if figures, err = b.firstStart(ctx, program, dir); err != nil {
		return nil, err
	}
	var waits []time.Duration
	for range b.starts {
		warm, err := startOnce(ctx, program, dir)
		if err != nil {
			return figures, err
		}
		waits = append(waits, warm.ready)
		b.say("  warm start %.2f s", warm.ready.Seconds())
	}
	if len(waits) == 0 {
		return figures, nil
	}
	figures = append(
		figures, Figure{Name: "warm start, worst", Value: seconds(slices.Max(waits))}.below(5),
		Figure{Name: "warm start, median", Value: seconds(percentile(waits, 50))},
	)
	if err := os.RemoveAll(filepath.Join(dir, "cache")); err != nil {
		return figures, err
	}
	compiling, err := startOnce(ctx, program, dir)
	if err != nil {
		return figures, err
	}
	return append(figures, Figure{Name: "warm but for the compiled WebAssembly", Value: seconds(compiling.ready)}), nil
}

// firstStart has nothing to build on; it goes on until everything is made.
func (b *bench) firstStart(ctx context.Context, program, dir string) ([]Figure, error) {
	began := time.Now()
	first, err := startStack(ctx, program, dir)
	if err != nil {
		return nil, err
	}
	figures := []Figure{{Name: "first start, no data folder", Value: seconds(first.ready)}}
	for _, s := range first.steps {
		figures = append(figures, Figure{Name: "of it: " + lower(s.name), Value: seconds(s.took)})
	}
	product, err := first.harness(b.root)
	if err == nil {
		err = awaitTracks(ctx, product)
	}
	figures = append(figures, Figure{Name: "first start until every ambient track can be heard", Value: seconds(time.Since(began))})
	return figures, errors.Join(err, first.stop())
}

func startOnce(ctx context.Context, program, dir string) (*running, error) {
	r, err := startStack(ctx, program, dir)
	if err != nil {
		return nil, err
	}
	return r, r.stop()
}

func lower(text string) string { return strings.ToLower(text[:1]) + text[1:] }
