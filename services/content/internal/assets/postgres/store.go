// Package postgres keeps which files of assets the blob store has, and since when no asset names each.
package postgres

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"serein.app/services/content/internal/assets"
	"serein.app/services/content/internal/assets/postgres/sqlcgen"
	"serein.app/services/content/internal/columns"
	"serein.app/services/content/internal/entry"
	"serein.app/services/platform/postgres"
)

var _ assets.Store = (*Store)(nil)

// Store is the files of assets.
type Store struct {
	db      *pgxpool.Pool
	queries *sqlcgen.Queries
}

// New makes the store.
func New(db *pgxpool.Pool) *Store { return &Store{db, sqlcgen.New()} }

// fileRemoving is the state of a file that a sweep has begun to remove.
const fileRemoving = "removing"

// KeepFile says that a file is wanted. Errors: assets.ErrRemoving.
func (s *Store) KeepFile(ctx context.Context, file string) error {
	n, err := s.queries.KeepAssetFile(ctx, s.db, file)
	if err == nil && n == 0 {
		return assets.ErrRemoving
	}
	return postgres.Translate(err, nil)
}

// AddFiles tells of files that the blob store has.
func (s *Store) AddFiles(ctx context.Context, files []string) error {
	return postgres.Translate(s.queries.AddAssetFiles(ctx, s.db, files), nil)
}

// Stored are the files in the blob store, by name.
//
// Files that only the audit log names do not count: a restored earlier version keeps the asset's current file, and a deleted asset is
// never restored.
func (s *Store) Stored(ctx context.Context, after string, most int) ([]assets.Stored, error) {
	rows, err := s.queries.AssetFiles(ctx, s.db, sqlcgen.AssetFilesParams{Root: entry.AssetRoot, After: after, Most: int32(most)})
	files := make([]assets.Stored, len(rows))
	for i, row := range rows {
		files[i] = assets.Stored{File: row.File, Named: row.Named, Unnamed: columns.Time(row.UnnamedAt), Removing: row.State == fileRemoving}
	}
	return files, postgres.Translate(err, nil)
}

// MarkFile says since when no asset names a file.
func (s *Store) MarkFile(ctx context.Context, file string, unnamed time.Time) error {
	return postgres.Translate(s.queries.MarkAssetFile(ctx, s.db, sqlcgen.MarkAssetFileParams{File: file, UnnamedAt: columns.NullableTime(unnamed)}), nil)
}

// Removing marks a file for removal and returns true, unless an upload has kept the file since before.
func (s *Store) Removing(ctx context.Context, file string, before time.Time) (bool, error) {
	n, err := s.queries.RemovingAssetFile(ctx, s.db, sqlcgen.RemovingAssetFileParams{File: file, Before: &before})
	return n > 0, postgres.Translate(err, nil)
}

// Removed says that the blob store has let go of a file.
func (s *Store) Removed(ctx context.Context, file string) error {
	return postgres.Translate(s.queries.RemovedAssetFile(ctx, s.db, file), nil)
}
