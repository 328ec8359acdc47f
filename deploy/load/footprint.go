package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"serein.app/deploy/e2e/harness"
	"serein.app/deploy/local/stack"
)

// footprintMembers sign up, and then each of them has one meditation of every size.
const footprintMembers = 12

// footprint is what the product has stored at one moment, in bytes.
type footprint struct{ rows, log, events, files float64 }

// measureFootprint stores members and meditations, and measures what each of them adds to databases, write-ahead log, broker and recordings.
func measureFootprint(ctx context.Context, b *bench) (figures []Figure, err error) {
	product, leave, err := openProduct(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, leave()) }()
	before, err := stored(ctx, product)
	if err != nil {
		return nil, err
	}
	var members []*harness.Member
	for range footprintMembers {
		m, err := richMember(ctx, product)
		if err != nil {
			return nil, err
		}
		members = append(members, m)
	}
	joined, err := stored(ctx, product)
	if err != nil {
		return nil, err
	}
	figures = joined.figures(before, "a member", footprintMembers)
	// The first round fills tables that are empty, and is not counted.
	for round, size := range []string{"minimed", "minimed", "reset", "timeout"} {
		more, err := footprintOf(ctx, product, members, size)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", size, err)
		}
		b.say("  %s: %d made", size, len(members))
		if round > 0 {
			figures = append(figures, more...)
		}
	}
	return figures, nil
}

// footprintOf is what one meditation of a size adds.
func footprintOf(ctx context.Context, product *harness.Harness, members []*harness.Member, size string) ([]Figure, error) {
	before, err := stored(ctx, product)
	if err != nil {
		return nil, err
	}
	for i, m := range members {
		request := harness.SmallRequest(titles[i%len(titles)])
		request.SizeId = size
		if err := makeOne(ctx, m, request); err != nil {
			return nil, err
		}
	}
	after, err := stored(ctx, product)
	return after.figures(before, "a "+size, float64(len(members))), err
}

// figures are what each of n things has added.
func (f footprint) figures(before footprint, what string, n float64) []Figure {
	each := func(kind string, now, then float64) Figure {
		return Figure{Name: what + ", " + kind, Value: Quantity{(now - then) / n / 1024, "KiB"}}
	}
	return []Figure{
		each("tables and indexes", f.rows, before.rows), each("write-ahead log", f.log, before.log),
		each("events at the broker", f.events, before.events), each("recording", f.files, before.files),
	}
}

// stored looks at all databases, whose tables are counted by the page, and at the folders of the broker and of recordings.
func stored(ctx context.Context, product *harness.Harness) (f footprint, err error) {
	for _, service := range stack.Services() {
		bytes, err := harness.SQL[int64](ctx, product, service, "SELECT pg_database_size(current_database())")
		if err != nil {
			return f, err
		}
		f.rows += float64(bytes)
	}
	log, err := harness.SQL[int64](ctx, product, "billing", "SELECT (pg_current_wal_insert_lsn() - '0/0')::bigint")
	if err != nil {
		return f, err
	}
	f.log = float64(log)
	if f.events, err = folderBytes(filepath.Join(product.Dir, "nats")); err != nil {
		return f, err
	}
	f.files, err = folderBytes(filepath.Join(product.Dir, "blobs", "generation", "meditations"))
	return f, err
}

// folderBytes is the size of all files below a folder.
func folderBytes(folder string) (bytes float64, err error) {
	err = filepath.WalkDir(folder, func(_ string, entry fs.DirEntry, err error) error {
		switch {
		case errors.Is(err, os.ErrNotExist): // a file that was replaced meanwhile
			return nil
		case err != nil || entry.IsDir():
			return err
		}
		info, err := entry.Info()
		if errors.Is(err, os.ErrNotExist) {
			return nil
		}
		if err == nil {
			bytes += float64(info.Size())
		}
		return err
	})
	return bytes, err
}
