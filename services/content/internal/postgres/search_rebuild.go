package postgres

import (
	"context"
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5"

	"serein.app/services/content/internal/entry"
	"serein.app/services/content/internal/postgres/sqlcgen"
	"serein.app/services/platform/pause"
)

const (
	// searchVersion of the index. It is counted up whenever an item's terms or its plain words would come out otherwise
	// than in the release before: the index is then made anew.
	searchVersion = 1
	// rebuildPage is how many items are brought into the index at once.
	rebuildPage = 500
	// rebuildRetry is how long it waits when the database is away.
	rebuildRetry = 5 * time.Second
)

// KeepIndex makes the search's index anew where it is of another release, or of none, and tries again for as long as the
// database is away. Searches find what was there until it is done.
func (s *Store) KeepIndex(log *slog.Logger) func(context.Context) error {
	return func(ctx context.Context) error {
		for ctx.Err() == nil {
			done, err := s.RebuildIndex(ctx)
			if err == nil {
				if done {
					log.InfoContext(ctx, "the search's index was made anew", "version", searchVersion)
				}
				return nil
			}
			if ctx.Err() == nil {
				log.WarnContext(ctx, "the search's index is not made anew yet", "error", err)
			}
			_ = pause.For(ctx, rebuildRetry)
		}
		return nil
	}
}

// RebuildIndex makes the index anew in one transaction, where it is an older release's; it says whether it did. A newer one's stays, for
// the release that takes this one's place.
func (s *Store) RebuildIndex(ctx context.Context) (done bool, err error) {
	err = s.inTx(ctx, func(ctx context.Context, tx pgx.Tx) error {
		if err := s.queries.LockSearch(ctx, tx); err != nil {
			return err
		}
		version, err := s.queries.SearchVersion(ctx, tx)
		if done = version < searchVersion; err != nil || !done {
			return err
		}
		return s.rebuild(ctx, tx)
	})
	return done && err == nil, err
}

// clearIndex empties the index, and takes out what readers get no more. It reads whole tables, once a release.
var clearIndex = []string{
	`DELETE FROM search_postings`,
	`DELETE FROM search_words`,
	`DELETE FROM search_items i WHERE i.uid IS NULL AND NOT EXISTS (
		SELECT FROM published p WHERE p.environment = 'master' AND p.kind = 'Entry' AND p.id = i.id AND p.content_type = i.kind)`,
}

func (s *Store) rebuild(ctx context.Context, tx pgx.Tx) error {
	for _, clear := range clearIndex {
		if _, err := tx.Exec(ctx, clear); err != nil {
			return err
		}
	}
	locales, err := s.locales(ctx, tx, entry.Master)
	if err != nil {
		return err
	}
	for _, contentType := range []string{"article", "meditation"} {
		if err := s.refresh(ctx, tx, contentType, locales.Default()); err != nil {
			return err
		}
	}
	if err := s.reindexAll(ctx, tx); err != nil {
		return err
	}
	return s.queries.SetSearchVersion(ctx, tx, searchVersion)
}

// refresh writes what can be found of what readers get of a content type, the oldest first.
func (s *Store) refresh(ctx context.Context, tx pgx.Tx, contentType, locale string) error {
	after := sqlcgen.PublishedToSearchParams{Environment: entry.Master, ContentType: &contentType, Most: rebuildPage}
	for {
		rows, err := s.queries.PublishedToSearch(ctx, tx, after)
		if err != nil {
			return err
		}
		for _, row := range rows {
			p, err := toPublished(row)
			if err != nil {
				return err
			}
			item, _ := toSearch(p.ContentType, p.ID, p.Fields, locale)
			if _, err := s.write(ctx, tx, item); err != nil {
				return err
			}
			after.UpdatedAt, after.After = row.UpdatedAt, row.ID
		}
		if len(rows) < rebuildPage {
			return nil
		}
	}
}

// reindexAll gives the index, which is empty, the terms of all items.
func (s *Store) reindexAll(ctx context.Context, tx pgx.Tx) error {
	after := sqlcgen.SearchItemsAfterParams{After: -1, Most: rebuildPage}
	for {
		rows, err := s.queries.SearchItemsAfter(ctx, tx, after)
		if err != nil {
			return err
		}
		changes := make([]termsChange, len(rows))
		for i, row := range rows {
			changes[i] = termsChange{number: row.Number, after: toSearchItem(row).Terms()}
			after.After = row.Number
		}
		if err := s.reindex(ctx, tx, changes); err != nil {
			return err
		}
		if len(rows) < rebuildPage {
			return nil
		}
	}
}
