package postgres

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5"

	"serein.app/services/content/internal/entry"
	"serein.app/services/content/internal/search"
	"serein.app/services/content/internal/search/postgres/sqlcgen"
	"serein.app/services/platform/pause"
	"serein.app/services/platform/postgres"
)

const (
	// searchVersion is the version of the index. A developer raises it when a release computes an item's terms or plain words
	// differently from the release before: the next start then indexes all items again.
	searchVersion = 1
	// rebuildPage is how many items one transaction indexes again. Editors who publish at the same time wait for that transaction.
	rebuildPage = 50
	// sweepPage is how many posting sets one statement reads to find those of an older release.
	sweepPage = 5000
	// rebuildRetry is how long KeepIndex waits when the database is unavailable.
	rebuildRetry = 5 * time.Second
	// rebuildAgain is how long KeepIndex waits before it looks for items that an older release, still running, has indexed.
	rebuildAgain = time.Hour
)

// KeepIndex rebuilds the search index when it is an older release's or missing. It retries while the database is unavailable, and
// checks again every hour.
func (s *Store) KeepIndex(log *slog.Logger) func(context.Context) error {
	return func(ctx context.Context) error {
		for ctx.Err() == nil {
			done, err := s.RebuildIndex(ctx)
			wait := rebuildAgain
			if err != nil && ctx.Err() == nil {
				log.WarnContext(ctx, "the search index is not rebuilt yet", "error", err)
				wait = rebuildRetry
			}
			if done {
				log.InfoContext(ctx, "the search index was rebuilt", "version", searchVersion)
			}
			_ = pause.For(ctx, wait)
		}
		return nil
	}
}

// RebuildIndex rebuilds an older release's index and returns whether it did. Each transaction rebuilds one page of items: searches find
// an item by its former terms until its page is done, and a process that starts after a crash continues from there. When the index is
// this release's already, it indexes again the items that an older release has indexed since. It leaves a newer release's items
// alone, since that release is replacing this one.
func (s *Store) RebuildIndex(ctx context.Context) (done bool, err error) {
	version, err := s.queries.SearchVersion(ctx, s.db)
	if err != nil {
		return false, postgres.Translate(err, nil)
	}
	older := version < searchVersion
	if older {
		for _, kind := range []search.Kind{search.Article, search.Meditation} {
			if err := s.indexMissing(ctx, kind); err != nil {
				return false, err
			}
		}
	}
	for renewed := rebuildPage; renewed == rebuildPage; {
		if renewed, err = s.renewItems(ctx); err != nil {
			return false, err
		}
	}
	if !older {
		return false, nil
	}
	if err := s.sweepPostings(ctx); err != nil {
		return false, err
	}
	return true, postgres.Translate(s.queries.SetSearchVersion(ctx, s.db, searchVersion), nil)
}

// indexMissing indexes the published items of a kind that the index lacks, oldest first. They were published before the index existed.
func (s *Store) indexMissing(ctx context.Context, kind search.Kind) error {
	contentType := string(kind)
	after := sqlcgen.PublishedToSearchParams{Environment: entry.Master, Kind: contentType, ContentType: contentType, Most: rebuildPage}
	for {
		rows, err := s.queries.PublishedToSearch(ctx, s.db, after)
		if err != nil {
			return postgres.Translate(err, nil)
		}
		var missing []string
		for _, row := range rows {
			if after.UpdatedAt, after.After = row.UpdatedAt, row.ID; row.Missing {
				missing = append(missing, row.ID)
			}
		}
		if err := s.indexPublished(ctx, kind, missing); err != nil || len(rows) < rebuildPage {
			return err
		}
	}
}

func (s *Store) indexPublished(ctx context.Context, kind search.Kind, ids []string) error {
	if len(ids) == 0 {
		return nil
	}
	return s.inTx(ctx, func(ctx context.Context, tx pgx.Tx) error {
		if err := s.queries.LockSearch(ctx, tx); err != nil {
			return err
		}
		for _, id := range ids {
			item, there, err := s.published(ctx, tx, kind, id)
			if err != nil {
				return err
			}
			if !there {
				continue // it was taken from readers just now
			}
			if err := s.put(ctx, tx, item); err != nil {
				return err
			}
		}
		return nil
	})
}

// renewItems indexes again the next page of items that an older release has indexed, and returns how many there were. It removes items
// that readers no longer get.
func (s *Store) renewItems(ctx context.Context) (renewed int, err error) {
	err = s.inTx(ctx, func(ctx context.Context, tx pgx.Tx) error {
		if err := s.queries.LockSearch(ctx, tx); err != nil {
			return err
		}
		rows, err := s.queries.StaleSearchItems(ctx, tx, sqlcgen.StaleSearchItemsParams{Form: searchVersion, Most: rebuildPage})
		if err != nil {
			return err
		}
		var all []termsChange
		for _, row := range rows {
			changes, err := s.renewItem(ctx, tx, row)
			if err != nil {
				return err
			}
			all = append(all, changes...)
		}
		renewed = len(rows)
		return s.reindex(ctx, tx, all)
	})
	return renewed, err
}

func (s *Store) renewItem(ctx context.Context, tx pgx.Tx, row sqlcgen.SearchItem) ([]termsChange, error) {
	item, there := toSearchItem(row), true
	if item.UID == "" {
		var err error
		if item, there, err = s.published(ctx, tx, item.Kind, item.ID); err != nil {
			return nil, err
		}
	}
	if there {
		return s.write(ctx, tx, item)
	}
	gone, err := s.remove(ctx, tx, row)
	return []termsChange{gone}, err
}

// published is what can be found of an item as readers get it; there is false where they do not.
func (s *Store) published(ctx context.Context, tx pgx.Tx, kind search.Kind, id string) (i search.Item, there bool, err error) {
	p, err := s.entries.Entry(ctx, tx, entry.Key{Environment: entry.Master, Kind: entry.KindEntry, ID: id})
	if errors.Is(err, entry.ErrNotFound) {
		return i, false, nil
	}
	if err != nil {
		return i, false, err
	}
	locale, err := s.entries.DefaultLocale(ctx, tx, entry.Master)
	if err != nil {
		return i, false, err
	}
	i, there = toSearch(p.ContentType, p.ID, p.Fields, locale)
	return i, there && i.Kind == kind, nil
}

// sweepPostings removes the sets of terms that hold only numbers which older releases gave, with the words that nothing has any more.
func (s *Store) sweepPostings(ctx context.Context) error {
	after := sqlcgen.SearchPostingsAfterParams{Most: sweepPage}
	for {
		rows, next := 0, after
		err := s.inTx(ctx, func(ctx context.Context, tx pgx.Tx) (err error) {
			next = after // it may be tried again
			rows, err = s.sweepPage(ctx, tx, &next)
			return err
		})
		if after = next; err != nil || rows < sweepPage {
			return err
		}
	}
}

// sweepPage sweeps the next posting sets and returns how many it has read. It holds the index lock, so no transaction adds a number
// below the first.
func (s *Store) sweepPage(ctx context.Context, tx pgx.Tx, after *sqlcgen.SearchPostingsAfterParams) (int, error) {
	if err := s.queries.LockSearch(ctx, tx); err != nil {
		return 0, err
	}
	first, err := s.queries.FirstSearchNumbers(ctx, tx)
	if err != nil {
		return 0, err
	}
	rows, err := s.queries.SearchPostingsAfter(ctx, tx, *after)
	if err != nil {
		return 0, err
	}
	var gone sqlcgen.DeleteSearchPostingsParams
	var words []string
	for _, row := range rows {
		after.Place, after.Word, after.Block = row.Place, row.Word, row.Block
		if !isBelow(row.Block, first) {
			continue
		}
		gone.Places, gone.Words, gone.Blocks = append(gone.Places, row.Place), append(gone.Words, row.Word), append(gone.Blocks, row.Block)
		if search.Place(row.Place) == search.InText {
			words = append(words, row.Word)
		}
	}
	if err := s.queries.DeleteSearchPostings(ctx, tx, gone); err != nil || len(words) == 0 {
		return len(rows), err
	}
	return len(rows), s.queries.DropSearchWords(ctx, tx, sqlcgen.DropSearchWordsParams{Words: words, Place: int16(search.InText)})
}

// firstOfMembers is the first number of members' own.
const firstOfMembers = 1 << 40

// isBelow says whether no item is in that block any more.
func isBelow(block int64, first sqlcgen.FirstSearchNumbersRow) bool {
	if block < search.BlockOf(firstOfMembers) {
		return block < search.BlockOf(first.Everybodys)
	}
	return block < search.BlockOf(first.Members)
}
