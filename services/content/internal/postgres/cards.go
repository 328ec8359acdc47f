package postgres

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"serein.app/services/content/internal/columns"
	"serein.app/services/content/internal/entry"
	"serein.app/services/content/internal/postgres/sqlcgen"
	"serein.app/services/content/internal/reading"
	"serein.app/services/content/internal/search"
	"serein.app/services/platform/postgres"
)

// setCard writes the card of the entry that readers get from now on, and the lists that hold it. The caller holds the lock of
// LockChanges, so that transactions count the lists one after the other.
func (s *Store) setCard(ctx context.Context, tx pgx.Tx, p entry.Published, locale string) error {
	e, ok := reading.Of(p, locale)
	if !ok {
		return nil
	}
	card, err := json.Marshal(e.Card)
	if err != nil {
		return err
	}
	kind := string(e.Kind)
	rows := sqlcgen.ListParams{Kind: kind, ID: e.ID}
	for list, place := range e.Lists {
		rows.Lists, rows.Places = append(rows.Lists, list), append(rows.Places, place)
	}
	err = s.queries.SetCard(ctx, tx, sqlcgen.SetCardParams{
		Kind: kind, ID: e.ID, Slug: e.Slug, Card: card, Lists: rows.Lists, Words: e.Words, Seq: p.Seq, Form: reading.CardSchemaVersion,
	})
	if err != nil {
		return err
	}
	if err := s.queries.Unlist(ctx, tx, sqlcgen.UnlistParams{Kind: kind, ID: e.ID}); err != nil {
		return err
	}
	if err := s.queries.List(ctx, tx, rows); err != nil {
		return err
	}
	return s.queries.RememberNames(ctx, tx, sqlcgen.RememberNamesParams{Kind: kind, ID: e.ID, Names: e.Names})
}

// cardPage is how many are looked at at once when cards are made again.
const cardPage = 25

// RenewCards makes the cards of what was published before there were any, or by an older release with others.
func (s *Store) RenewCards(ctx context.Context) error {
	for _, kind := range []reading.Kind{reading.Article, reading.Meditation} {
		for after := int64(0); ; {
			rows, err := s.queries.StaleCards(ctx, s.db, sqlcgen.StaleCardsParams{
				Form: reading.CardSchemaVersion, Kind: string(kind), ContentType: string(kind), After: after, Most: cardPage,
			})
			if err != nil {
				return postgres.Translate(err, nil)
			}
			for _, row := range rows {
				after = row.Seq
				if !row.Stale {
					continue
				}
				if err := s.renewCard(ctx, row.ID); err != nil {
					return err
				}
			}
			if len(rows) < cardPage {
				break
			}
		}
	}
	return nil
}

// renewCard builds one card again from the published entry. It holds the lock, so that no publication comes between.
func (s *Store) renewCard(ctx context.Context, id string) error {
	return s.inTx(ctx, func(ctx context.Context, tx pgx.Tx) error {
		if err := s.queries.LockChanges(ctx, tx); err != nil {
			return err
		}
		row, err := s.queries.Published(ctx, tx, sqlcgen.PublishedParams{Environment: entry.Master, Kind: string(entry.KindEntry), ID: id})
		if errors.Is(err, pgx.ErrNoRows) {
			return nil // it was taken from readers just now
		}
		if err != nil {
			return err
		}
		p, err := toPublished(row)
		if err != nil {
			return err
		}
		locales, err := s.locales(ctx, tx, entry.Master)
		if err != nil {
			return err
		}
		return s.setCard(ctx, tx, p, locales.Default())
	})
}

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
	query := prefixes(words, nil)
	if total, err = s.countFound(ctx, f, query); err == nil && total == 0 {
		if query, err = s.forgiving(ctx, words); err == nil && query != "" {
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
		if cards[i], err = toCard(f.Kind, row.ID, row.Slug, row.Card); err != nil {
			return nil, nil, 0, err
		}
	}
	return cards, cursors, total, nil
}

func (s *Store) countFound(ctx context.Context, f reading.Filter, query string) (int, error) {
	found, err := s.queries.CountFound(ctx, s.db, sqlcgen.CountFoundParams{Query: query, List: f.Name(), Most: maxFound})
	return int(found), postgres.Translate(err, nil)
}

// forgiving is a search for the words or those that they may be with a typing error; empty where none may be another.
func (s *Store) forgiving(ctx context.Context, words []string) (string, error) {
	others, err := search.Forgiven(words, func(spellings []string) ([]string, error) {
		return s.search.Spelled(ctx, spellings)
	})
	if err != nil || len(others) == 0 {
		return "", postgres.Translate(err, nil)
	}
	return prefixes(words, others), nil
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
	return toCard(kind, row.ID, row.Slug, row.Card)
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
		if cards[i], err = toCard(kind, row.ID, row.Slug, row.Card); err != nil {
			return nil, err
		}
	}
	slices.SortFunc(cards, func(a, b reading.Card) int { return slices.Index(ids, a.ID) - slices.Index(ids, b.ID) })
	return cards, nil
}

func toCard(kind reading.Kind, id, slug string, card []byte) (c reading.Card, err error) {
	err = columns.Parse(card, &c, "card of "+id)
	c.Kind, c.ID, c.Slug = kind, id, slug
	return c, err
}

// prefixes is a search for all of the words, each the beginning of one, or one of the others that it may be. They hold letters
// and digits only.
func prefixes(words []string, others map[string][]string) string {
	all := make([]string, len(words))
	for i, word := range words {
		all[i] = "('" + word + "':*"
		for _, other := range others[word] {
			all[i] += " | '" + other + "'"
		}
		all[i] += ")"
	}
	return strings.Join(all, " & ")
}
