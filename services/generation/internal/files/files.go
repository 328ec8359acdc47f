// Package files makes the blob store the domain's place for audio.
package files

import (
	"context"
	"errors"
	"io"

	"serein.app/services/generation/internal/meditation"
	"serein.app/services/platform/blob"
)

// Files adapts.
type Files struct{ store blob.Store }

var _ meditation.Blobs = (*Files)(nil)

// New makes Files of a store.
func New(store blob.Store) *Files { return &Files{store} }

// Put keeps size bytes of r under the key, all or nothing.
func (f *Files) Put(ctx context.Context, key string, r io.Reader, size int64) error {
	return f.store.Put(ctx, key, r, size)
}

// Open opens what is kept; NotFound if there is nothing.
func (f *Files) Open(ctx context.Context, key string) (io.ReadSeekCloser, error) {
	file, _, err := f.store.Open(ctx, key)
	return file, err
}

// Clear deletes everything whose key begins with the prefix.
func (f *Files) Clear(ctx context.Context, prefix string) error {
	keys, err := f.store.List(ctx, prefix)
	for _, key := range keys {
		err = errors.Join(err, f.store.Delete(ctx, key))
	}
	return err
}
