package postgres

import (
	"context"
	"strings"
	"time"
	"unicode"

	"serein.app/services/content/internal/entry"
	"serein.app/services/content/internal/postgres/sqlcgen"
	"serein.app/services/platform/pagetoken"
	"serein.app/services/platform/postgres"
)

// Cursor is where a page of items ended, the newest first: the time by which they are sorted, and the id of the last one.
type Cursor struct {
	At pagetoken.Time
	ID string
}

// Newest is the cursor of a first page.
var Newest = Cursor{At: pagetoken.Time{Time: time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC)}}

// Drafts are one page of the entries of a content type, or of the assets where that is empty, the newest first.
// search is for the beginnings of words in their titles, empty for all; after is the cursor of the last one seen,
// or Newest.
func (s *Store) Drafts(ctx context.Context, environment, contentType, search string, after Cursor, most int) ([]entry.Item, error) {
	rows, err := s.drafts(ctx, sqlcgen.SearchEntriesParams{
		Environment: environment, ContentType: &contentType, Words: words(search), UpdatedAt: after.At.Time, After: after.ID, Most: int32(most),
	})
	if err != nil {
		return nil, postgres.Translate(err, nil)
	}
	return toItems(rows)
}

func (s *Store) drafts(ctx context.Context, p sqlcgen.SearchEntriesParams) ([]sqlcgen.Item, error) {
	switch assets := *p.ContentType == ""; {
	case assets && p.Words == "":
		return s.queries.ListAssets(ctx, s.db, sqlcgen.ListAssetsParams{
			Environment: p.Environment, UpdatedAt: p.UpdatedAt, After: p.After, Most: p.Most,
		})
	case assets:
		rows, err := s.queries.SearchAssets(ctx, s.db, sqlcgen.SearchAssetsParams{
			Environment: p.Environment, Words: p.Words, UpdatedAt: p.UpdatedAt, After: p.After, Most: p.Most,
		})
		return foundRows(rows), err
	case p.Words == "":
		return s.queries.ListEntries(ctx, s.db, sqlcgen.ListEntriesParams{
			Environment: p.Environment, ContentType: p.ContentType, UpdatedAt: p.UpdatedAt, After: p.After, Most: p.Most,
		})
	}
	rows, err := s.queries.SearchEntries(ctx, s.db, p)
	return foundRows(rows), err
}

func foundRows[R sqlcgen.SearchEntriesRow | sqlcgen.SearchAssetsRow](rows []R) []sqlcgen.Item {
	items := make([]sqlcgen.Item, len(rows))
	for i, row := range rows {
		items[i] = sqlcgen.Item(row)
	}
	return items
}

// words turns a search text into a tsquery that matches all its words by prefix; it returns an empty string for a text without
// words. It searches a word with punctuation both whole, as the index holds actors' names, and by its parts, as it holds titles.
func words(search string) string {
	var all []string
	for _, word := range strings.FieldsFunc(strings.ToLower(search), func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }) {
		parts := strings.FieldsFunc(word, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
		if len(parts) == 0 {
			continue
		}
		whole := prefix(word)
		for i, part := range parts {
			parts[i] = prefix(part)
		}
		all = append(all, "("+whole+" | "+strings.Join(parts, " & ")+")")
	}
	return strings.Join(all, " & ")
}

var quote = strings.NewReplacer(`\`, `\\`, `'`, `''`)

func prefix(word string) string { return "'" + quote.Replace(word) + "':*" }
