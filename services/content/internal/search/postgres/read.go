package postgres

import (
	"context"

	"serein.app/services/content/internal/search"
	"serein.app/services/content/internal/search/postgres/sqlcgen"
	"serein.app/services/platform/postgres"
)

// maxWords is how many words with one beginning are looked at, in their order. Beginnings of up to three letters are kept by
// themselves and have no such bound.
const maxWords = 2000

// SearchIndex is the index as searches read it.
type SearchIndex struct{ store *Store }

var _ search.Index = SearchIndex{}

// SearchIndex gives it.
func (s *Store) SearchIndex() SearchIndex { return SearchIndex{s} }

// Facets are the sets of items that every member may find, that this member may find, and that are unverified.
func (x SearchIndex) Facets(ctx context.Context, owned string) (map[search.Term]search.Set, error) {
	places, words := termColumns([]search.Term{
		{Place: search.OfKind, Word: string(search.Article)},
		{Place: search.OfKind, Word: string(search.Meditation)},
		{Place: search.IsUnverified},
		{Place: search.OfMember, Word: owned},
	})
	rows, err := x.store.queries.SearchTerms(ctx, x.store.db, sqlcgen.SearchTermsParams{Places: places, Words: words})
	sets := map[search.Term]search.Set{}
	for _, row := range rows {
		decode(sets, row.Place, row.Word, row.Block, row.Items)
	}
	return sets, postgres.Translate(err, nil)
}

// Categories in the editors' order, with what is filed there.
func (x SearchIndex) Categories(ctx context.Context, blocks []int64) ([]search.Category, error) {
	rows, err := x.store.entries.Categories(ctx, x.store.db)
	if err != nil {
		return nil, postgres.Translate(err, nil)
	}
	all := make([]search.Category, len(rows))
	terms := make([]search.Term, len(rows))
	for i, row := range rows {
		all[i] = search.Category{ID: row.ID, Name: row.Name}
		terms[i] = search.Term{Place: search.InCategory, Word: row.ID}
	}
	sets, err := x.store.postings(ctx, x.store.db, terms, blocks)
	for i, t := range terms {
		all[i].Items = sets[t]
	}
	return all, postgres.Translate(err, nil)
}

// Words that begin so, and words that have one of the spellings.
func (x SearchIndex) Words(ctx context.Context, beginning string, spellings []string) (longer, candidates []string, err error) {
	if beginning != "" {
		longer, err = x.store.queries.SearchWordsFrom(ctx, x.store.db, sqlcgen.SearchWordsFromParams{
			Beginning: beginning, Behind: beginning + "\U0010FFFF", Most: maxWords,
		})
	}
	if err == nil && len(spellings) > 0 {
		candidates, err = x.store.queries.SearchWordsSpelled(ctx, x.store.db, spellings)
	}
	return longer, candidates, postgres.Translate(err, nil)
}

// Postings are the sets of terms in blocks.
func (x SearchIndex) Postings(ctx context.Context, terms []search.Term, blocks []int64) (map[search.Term]search.Set, error) {
	sets, err := x.store.postings(ctx, x.store.db, terms, blocks)
	return sets, postgres.Translate(err, nil)
}

// Items of these numbers.
func (x SearchIndex) Items(ctx context.Context, numbers []int64) (map[int64]search.Item, error) {
	rows, err := x.store.queries.SearchItems(ctx, x.store.db, numbers)
	items := make(map[int64]search.Item, len(rows))
	for _, row := range rows {
		items[row.Number] = toSearchItem(row)
	}
	return items, postgres.Translate(err, nil)
}
