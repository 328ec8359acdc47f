package assets

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"time"

	"go.opentelemetry.io/otel/metric"

	errorsv1 "serein.app/proto/gen/serein/errors/v1"
	"serein.app/services/content/internal/entry"
	"serein.app/services/platform/blob"
	"serein.app/services/platform/errs"
)

// KeptUnnamed is how long a file stays when no asset names it any more: pages that are open show it still, and the same
// picture may be sent again.
const KeptUnnamed = 30 * 24 * time.Hour

// ErrRemoving says that the same file, which nothing has named for long, is being removed this moment.
var ErrRemoving = errs.New(errs.Unavailable, errorsv1.Reason_REASON_UNAVAILABLE, "We can’t keep this file at the moment. Please try again in a minute.")

// Stored is a file in the blob store.
type Stored struct {
	// File is its hash and name, as in its address.
	File string
	// Named says whether an asset names it now, Unnamed since when that was found not to be so; the zero time for never.
	Named   bool
	Unnamed time.Time
	// Removing says that a sweep has begun to remove it.
	Removing bool
}

// Store knows which files there are, and what names them.
type Store interface {
	// KeepFile says that a file is wanted, named or not, from now on. ErrRemoving.
	KeepFile(ctx context.Context, file string) error
	// AddFiles tells of files that the blob store has; those that are known stay as they are.
	AddFiles(ctx context.Context, files []string) error
	// Stored are the files in the blob store, by name, behind after.
	Stored(ctx context.Context, after string, most int) ([]Stored, error)
	// MarkFile says since when no asset names a file, the zero time for one that is named.
	MarkFile(ctx context.Context, file string, unnamed time.Time) error
	// Removing marks a file that no asset has named since before for removal. Until Removed, uploads of the file are refused. Removing
	// returns false when an upload has kept the file in the meantime.
	Removing(ctx context.Context, file string, before time.Time) (bool, error)
	// Removed records that the blob store no longer has the file.
	Removed(ctx context.Context, file string) error
}

// Ports are what the files need from outside. All are required.
type Ports struct {
	Store Store
	Blobs blob.Store
	// Lead does work where no other process does it at this moment.
	Lead func(ctx context.Context, work func(context.Context) error) error
	Now  func() time.Time
	Log  *slog.Logger
}

// Files are those of all assets, in the blob store. It is safe for concurrent use.
type Files struct {
	Ports

	failures metric.Int64Counter
}

// NewFiles counts the sweeps that fail. Nothing is removed before Run.
func NewFiles(p Ports, meter metric.Meter) (*Files, error) {
	failures, err := meter.Int64Counter("serein.content.assets.failures", metric.WithUnit("{turn}"),
		metric.WithDescription("Sweeps of the files of assets that could not look at all of them, or remove one; the log says which. Tried "+
			"again every five minutes: more than a few in a row need somebody"))
	return &Files{p, failures}, err
}

// Keep makes the file that others see and keeps that. Errors: those of Make, ErrRemoving.
//
// That it is wanted is written down first: a sweep that has not begun to remove it by then leaves it alone.
func (s *Files) Keep(ctx context.Context, name string, content []byte) (entry.File, error) {
	f, made, err := Make(ctx, name, content)
	if err != nil {
		return f, err
	}
	hash, file, _ := entry.AssetOf(f.URL)
	if err := s.Store.KeepFile(ctx, hash+"/"+file); err != nil {
		return f, err
	}
	key := Key(hash, file)
	there, info, err := s.Blobs.Open(ctx, key)
	if err == nil {
		_ = there.Close()
		if info.Size == f.Size {
			return f, nil
		}
	} else if !errors.Is(err, blob.ErrNotFound) {
		return f, err
	}
	return f, s.Blobs.Put(ctx, key, bytes.NewReader(made), f.Size)
}

// root of the files of assets in the blob store.
const root = "assets/"

// Key of a file in the blob store.
func Key(hash, name string) string { return root + hash + "/" + name }

// fileOf a key; ok is false for what no asset could name.
func fileOf(key string) (file string, ok bool) {
	hash, name, _ := strings.Cut(strings.TrimPrefix(key, root), "/")
	_, _, ok = entry.AssetOf(entry.AssetURL(hash, name))
	return hash + "/" + name, ok
}
