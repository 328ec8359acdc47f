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
	first, err := startOnce(ctx, program, dir)
	if err != nil {
		return nil, err
	}
	figures = []Figure{{Name: "first start, no data folder", Value: seconds(first.ready)}}
	for _, s := range first.steps {
		figures = append(figures, Figure{Name: "of it: " + lower(s.name), Value: seconds(s.took)})
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
	again, err := startWithout(ctx, b, program, dir)
	if err != nil {
		return figures, err
	}
	figures = append(figures, again...)
	return append(
		figures, Figure{Name: "warm start, worst", Value: seconds(slices.Max(waits))}.below(5),
		Figure{Name: "warm start, median", Value: seconds(percentile(waits, 50))},
	), nil
}

// startWithout takes away what only the first start makes, one thing at a time.
func startWithout(ctx context.Context, b *bench, program, dir string) ([]Figure, error) {
	var figures []Figure
	for _, lost := range []struct{ name, folder string }{
		{"start without compiled WebAssembly", "cache"}, {"start without ambient tracks", "blobs/content"},
	} {
		if err := os.RemoveAll(filepath.Join(dir, lost.folder)); err != nil {
			return nil, err
		}
		r, err := startOnce(ctx, program, dir)
		if err != nil {
			return nil, err
		}
		b.say("  %s %.2f s", lost.name, r.ready.Seconds())
		figures = append(figures, Figure{Name: lost.name, Value: seconds(r.ready)})
	}
	return figures, nil
}

func startOnce(ctx context.Context, program, dir string) (*running, error) {
	r, err := startStack(ctx, program, dir)
	if err != nil {
		return nil, err
	}
	return r, r.stop()
}

func lower(text string) string { return strings.ToLower(text[:1]) + text[1:] }
