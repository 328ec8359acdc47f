// Package joining reads stored segments one after another, as the whole recording that they are.
package joining

import (
	"context"
	"errors"
	"io"

	"serein.app/services/platform/blob"
)

// Reader reads the files under keys in their order, with one open at a time.
type Reader struct {
	ctx   context.Context //nolint:containedctx // io.Reader has no place for it
	blobs blob.Store
	keys  []string
	open  io.ReadSeekCloser
	lost  error
}

// NewReader makes a Reader; Close must be called.
func NewReader(ctx context.Context, blobs blob.Store, keys []string) *Reader {
	return &Reader{ctx: ctx, blobs: blobs, keys: keys}
}

// Lost is why a file could not be opened, nil where all could: stores may not pass a reader's error on.
func (r *Reader) Lost() error { return r.lost }

// Read reads on, opening the next file where one ends.
func (r *Reader) Read(p []byte) (int, error) {
	for {
		if r.open == nil {
			if len(r.keys) == 0 {
				return 0, io.EOF
			}
			file, _, err := r.blobs.Open(r.ctx, r.keys[0])
			if err != nil {
				r.lost = err
				return 0, err
			}
			r.open, r.keys = file, r.keys[1:]
		}
		n, err := r.open.Read(p)
		if !errors.Is(err, io.EOF) {
			return n, err
		}
		err = r.Close()
		if n > 0 || err != nil {
			return n, err
		}
	}
}

// Close closes what is open.
func (r *Reader) Close() error {
	if r.open == nil {
		return nil
	}
	err := r.open.Close()
	r.open = nil
	return err
}
