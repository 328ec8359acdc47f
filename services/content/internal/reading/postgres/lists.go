package postgres

import (
	"context"
	"errors"
	"slices"

	"github.com/jackc/pgx/v5"

	"serein.app/services/content/internal/entry"
	"serein.app/services/content/internal/reading"
	"serein.app/services/content/internal/reading/postgres/sqlcgen"
	"serein.app/services/platform/postgres"
)

// Cards are one page of the list that a filter shows, behind that place, and the place of the last.
func (s *Store) Cards(ctx context.Context, f reading.Filter, after reading.Cursor, most int) ([]reading.Card, []reading.Cursor, error) {
	var l reading.Listed
	err := s.together(ctx, s.readCards(ctx, f, after, most, &l))
	return l.Cards, l.Cursors, err
}

const (
	// nearCards of a list are looked through for a page first. The index of words costs what has the words, and is asked only
	// where the page is not full then, so that they are few.
	nearCards = 500
	// maxFound is how far a search counts.
	maxFound = 1000
)

// Search is Cards of those that have all words, each the beginning of one of theirs; where none has, of those that have them with
// one typing error a word, as the search of everything forgives it. Total is how many there are in all, counted to 1,000.
func (s *Store) Search(ctx context.Context, f reading.Filter, words []string, after reading.Cursor, most int) (cards []reading.Card, cursors []reading.Cursor, total int, err error) {
	query := reading.Query(words, nil)
	if total, err = s.countFound(ctx, f, query); err == nil && total == 0 {
		if query, err = reading.ForgivingQuery(words, s.spelled(ctx)); err == nil && query != "" {
			total, err = s.countFound(ctx, f, query)
		}
	}
	if err != nil || total == 0 {
		return nil, nil, 0, err
	}
	rows, err := s.searchCards(ctx, sqlcgen.SearchCardsParams{List: f.Name(), Query: query, Place: after.Place, ID: after.ID, Most: int32(most)})
	if err != nil {
		return nil, nil, 0, postgres.Translate(err, nil)
	}
	cards, cursors = make([]reading.Card, len(rows)), make([]reading.Cursor, len(rows))
	for i, row := range rows {
		cursors[i] = reading.Cursor{Place: row.Place, ID: row.ID}
		if cards[i], err = reading.ParseCard(f.Kind, row.ID, row.Slug, row.Card); err != nil {
			return nil, nil, 0, err
		}
	}
	return cards, cursors, total, nil
}

func (s *Store) countFound(ctx context.Context, f reading.Filter, query string) (int, error) {
	found, err := s.queries.CountFound(ctx, s.db, sqlcgen.CountFoundParams{Query: query, List: f.Name(), Most: maxFound})
	return int(found), postgres.Translate(err, nil)
}

// searchCards finds a page near by, or else by the words.
func (s *Store) searchCards(ctx context.Context, q sqlcgen.SearchCardsParams) ([]sqlcgen.SearchCardsRow, error) {
	near, err := s.queries.SearchNearCards(ctx, s.db, sqlcgen.SearchNearCardsParams{
		List: q.List, Place: q.Place, ID: q.ID, Near: nearCards, Query: q.Query, Most: q.Most,
	})
	if err != nil {
		return nil, err
	}
	if len(near) < int(q.Most) {
		return s.queries.SearchCards(ctx, s.db, q)
	}
	rows := make([]sqlcgen.SearchCardsRow, len(near))
	for i, row := range near {
		rows[i] = sqlcgen.SearchCardsRow(row)
	}
	return rows, nil
}

// CardNamed is the item with that slug, id, or former slug or title. Errors: reading.ErrNotFound.
func (s *Store) CardNamed(ctx context.Context, kind reading.Kind, name string) (reading.Card, error) {
	former := reading.Slug(name)
	if !entry.ValidID(name) {
		name = former
	}
	row, err := s.queries.CardNamed(ctx, s.db, sqlcgen.CardNamedParams{Kind: string(kind), Name: name, Former: former})
	if errors.Is(err, pgx.ErrNoRows) {
		return reading.Card{}, reading.ErrNotFound
	}
	if err != nil {
		return reading.Card{}, postgres.Translate(err, nil)
	}
	return reading.ParseCard(kind, row.ID, row.Slug, row.Card)
}

// CardsOf are those with these ids, in that order. What readers get no more is left out.
func (s *Store) CardsOf(ctx context.Context, kind reading.Kind, ids []string) ([]reading.Card, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	rows, err := s.queries.Cards(ctx, s.db, sqlcgen.CardsParams{Kind: string(kind), Ids: ids})
	if err != nil {
		return nil, postgres.Translate(err, nil)
	}
	return toCards(kind, rows, ids)
}

// toCards are the cards of the rows, in the order of the ids.
func toCards(kind reading.Kind, rows []sqlcgen.CardsRow, ids []string) (_ []reading.Card, err error) {
	cards := make([]reading.Card, len(rows))
	for i, row := range rows {
		if cards[i], err = reading.ParseCard(kind, row.ID, row.Slug, row.Card); err != nil {
			return nil, err
		}
	}
	slices.SortFunc(cards, func(a, b reading.Card) int { return slices.Index(ids, a.ID) - slices.Index(ids, b.ID) })
	return cards, nil
}

// spelled asks the search index which of its words have one of the spellings.
func (s *Store) spelled(ctx context.Context) func(spellings []string) ([]string, error) {
	return func(spellings []string) ([]string, error) {
		words, err := s.words.Spelled(ctx, spellings)
		return words, postgres.Translate(err, nil)
	}
}
