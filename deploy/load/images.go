package main

import (
	"archive/tar"
	"compress/gzip"
	"context"
	"errors"
	"os"
	"path/filepath"
	"time"

	"serein.app/deploy/e2e/harness"
	"serein.app/deploy/local/stack"
	"serein.app/services/platform/pause"
)

const mebibyte = 1 << 20

// measureImages weighs the root file system of each image, and runs each program in its own as a pod does.
func measureImages(ctx context.Context, b *bench) (figures []Figure, err error) {
	if err := harness.CanEnter(ctx); err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "serein-load-")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	images, err := harness.BuildImages(ctx, filepath.Join(dir, "images"))
	if err != nil {
		return nil, err
	}
	product, err := harness.StartWith(ctx, stack.Options{DataDir: filepath.Join(dir, "data"), Launch: images.Launch})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, product.Stop()) }()
	for _, program := range stack.Programs() {
		of, err := b.measureImage(ctx, product, images, program)
		if err != nil {
			return figures, err
		}
		figures = append(figures, of...)
	}
	return figures, nil
}

func (b *bench) measureImage(ctx context.Context, product *harness.Harness, images *harness.Images, program string) ([]Figure, error) {
	size, err := images.Size(program)
	if err != nil {
		return nil, err
	}
	packed, err := packedSize(filepath.Join(images.Dir, program))
	if err != nil {
		return nil, err
	}
	figures := []Figure{
		{Name: program + ", files", Value: Quantity{float64(size) / mebibyte, "MiB"}},
		{Name: program + ", packed by gzip", Value: Quantity{float64(packed) / mebibyte, "MiB"}},
	}
	if images.Compiles(program) {
		if err := images.Forget(); err != nil {
			return nil, err
		}
		took, err := restart(ctx, product, program)
		if err != nil {
			return nil, err
		}
		figures = append(figures, Figure{Name: program + ", start until ready, nothing compiled", Value: seconds(took)})
	}
	var starts []time.Duration
	for range max(1, b.starts) {
		took, err := restart(ctx, product, program)
		if err != nil {
			return nil, err
		}
		starts = append(starts, took)
	}
	mib, err := b.memoryOf(ctx, product, program)
	if err != nil {
		return nil, err
	}
	b.say("  %s", program)
	return append(figures,
		Figure{Name: program + ", start until ready", Value: seconds(percentile(starts, 50))},
		Figure{Name: program + ", memory", Value: Quantity{mib, "MiB"}},
	), nil
}

// restart ends a program and says how long it takes until it is ready again.
func restart(ctx context.Context, product *harness.Harness, program string) (time.Duration, error) {
	if err := product.StopPart(program); err != nil {
		return 0, err
	}
	began := time.Now()
	err := product.StartPart(ctx, program)
	return time.Since(began), err
}

// memoryOf is the resident memory of a program that has just started, after a pause.
func (b *bench) memoryOf(ctx context.Context, product *harness.Harness, program string) (mib float64, err error) {
	if err := pause.For(ctx, b.rest); err != nil {
		return 0, err
	}
	pid, err := product.Pid(program)
	if err != nil {
		return 0, err
	}
	mib, _, err = resident(pid)
	return mib, err
}

// packedSize is how many bytes a registry would keep of a folder: a layer is a tar file, packed by gzip.
func packedSize(folder string) (int64, error) {
	var count counter
	packed := gzip.NewWriter(&count)
	layer := tar.NewWriter(packed)
	err := errors.Join(layer.AddFS(os.DirFS(folder)), layer.Close(), packed.Close())
	return int64(count), err
}

// counter counts what is written to it.
type counter int64

func (c *counter) Write(p []byte) (int, error) {
	*c += counter(len(p))
	return len(p), nil
}
