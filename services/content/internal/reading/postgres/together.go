package postgres

import (
	"context"

	"github.com/google/uuid"

	"serein.app/services/content/internal/columns"
	"serein.app/services/content/internal/entry"
	"serein.app/services/content/internal/reading"
	"serein.app/services/content/internal/reading/postgres/sqlcgen"
	"serein.app/services/platform/postgres"
)

// read is one statement, and what is made of its rows.
type read struct {
	ask postgres.Read
	// keep is called when the rows of all reads are here, with the default locale of master.
	keep func(locale string) error
}

// readOf asks a query and keeps its rows.
func readOf[R any](query func(db postgres.Queryer) (R, error), keep func(rows R, locale string) error) read {
	var rows R
	return read{
		ask:  func(db postgres.Queryer) (err error) { rows, err = query(db); return err },
		keep: func(locale string) error { return keep(rows, locale) },
	}
}

// together makes reads in one round trip, which brings master's default locale as well. Without reads it asks nothing.
func (s *Store) together(ctx context.Context, reads ...read) error {
	if len(reads) == 0 {
		return nil
	}
	var locale string
	asked := []postgres.Read{func(db postgres.Queryer) (err error) {
		locale, err = s.entries.DefaultLocale(ctx, db, entry.Master)
		return err
	}}
	for _, r := range reads {
		asked = append(asked, r.ask)
	}
	if err := postgres.Together(ctx, s.db, asked...); err != nil {
		return postgres.Translate(err, nil)
	}
	for _, r := range reads {
		if err := r.keep(locale); err != nil {
			return err
		}
	}
	return nil
}

// keepLocale is a read that asks nothing and keeps the locale.
func keepLocale(to *string) read {
	return read{func(postgres.Queryer) error { return nil }, func(locale string) error {
		*to = locale
		return nil
	}}
}

// Surroundings reads what is shown with cards, in one round trip.
func (s *Store) Surroundings(ctx context.Context, asked reading.SurroundingsAsked) (around reading.Surroundings, err error) {
	var reads []read
	var ids, pictures []string
	byKind := map[reading.Kind][]string{}
	for _, c := range asked.Cards {
		ids, byKind[c.Kind] = append(ids, c.ID), append(byKind[c.Kind], c.ID)
		if c.Picture != "" {
			pictures = append(pictures, c.Picture)
		}
	}
	around.Standings = map[reading.Kind]map[string]reading.UserItemState{}
	for kind, of := range byKind {
		reads = append(reads, s.readStandings(ctx, asked.UID, kind, of, around.Standings))
	}
	if len(pictures) > 0 {
		reads = append(reads, readAssets(ctx, s, pictures, reading.PictureOf, &around.Pictures))
	}
	if asked.Categories {
		reads = append(reads, s.readOrdered(ctx, "category", &around.Categories))
	}
	if asked.Texts && len(ids) > 0 {
		reads = append(reads, s.readEntries(ctx, ids, &around.Texts))
	}
	if len(asked.Lists) > 0 {
		reads = append(reads, s.readCounts(ctx, asked.Lists, &around.Counts))
	}
	err = s.together(ctx, reads...)
	return around, err
}

// Listing is one page of the list that a filter shows, behind that place, with all categories, in one round trip.
func (s *Store) Listing(ctx context.Context, f reading.Filter, after reading.Cursor, most int) (l reading.Listed, err error) {
	err = s.together(ctx, s.readCards(ctx, f, after, most, &l), s.readOrdered(ctx, "category", &l.Categories))
	return l, err
}

// HomePages reads what Home begins with, in two round trips: the quote of that number, and that many of the newest articles.
func (s *Store) HomePages(ctx context.Context, quote, newest int) (home reading.HomePages, err error) {
	var l reading.Listed
	var locale string
	err = s.together(ctx,
		s.readPages(ctx, "homepage", &home.Missions), s.readOrdered(ctx, "storeItem", &home.Items), s.readOrdered(ctx, "category", &home.Categories),
		s.readCards(ctx, reading.Filter{Kind: reading.Article}, reading.First, newest, &l), keepLocale(&locale),
	)
	if err != nil {
		return home, err
	}
	home.Newest = l.Cards
	err = s.together(ctx, s.readWith(ctx, "quote", locale, "order", quote, &home.Quotes), s.readCardsOf(ctx, reading.Meditation, home.Leads(), &home.Meditations))
	return home, err
}

func (s *Store) readCards(ctx context.Context, f reading.Filter, after reading.Cursor, most int, to *reading.Listed) read {
	return readOf(func(db postgres.Queryer) ([]sqlcgen.ListCardsRow, error) {
		return s.queries.ListCards(ctx, db, sqlcgen.ListCardsParams{List: f.Name(), Place: after.Place, ID: after.ID, Most: int32(most)})
	}, func(rows []sqlcgen.ListCardsRow, _ string) (err error) {
		to.Cards, to.Cursors = make([]reading.Card, len(rows)), make([]reading.Cursor, len(rows))
		for i, row := range rows {
			to.Cursors[i] = reading.Cursor{Place: row.Place, ID: row.ID}
			if to.Cards[i], err = reading.ParseCard(f.Kind, row.ID, row.Slug, row.Card); err != nil {
				return err
			}
		}
		return nil
	})
}

// readCardsOf reads the cards with these ids, in that order.
func (s *Store) readCardsOf(ctx context.Context, kind reading.Kind, ids []string, to *[]reading.Card) read {
	return readOf(func(db postgres.Queryer) ([]sqlcgen.CardsRow, error) {
		return s.queries.Cards(ctx, db, sqlcgen.CardsParams{Kind: string(kind), Ids: columns.List(ids)})
	}, func(rows []sqlcgen.CardsRow, _ string) (err error) {
		*to, err = toCards(kind, rows, ids)
		return err
	})
}

func (s *Store) readCounts(ctx context.Context, lists []string, to *map[string]int) read {
	return readOf(func(db postgres.Queryer) ([]sqlcgen.ListCount, error) {
		return s.queries.CountListed(ctx, db, lists)
	}, func(rows []sqlcgen.ListCount, _ string) error {
		*to = make(map[string]int, len(rows))
		for _, row := range rows {
			(*to)[row.List] = int(row.Cards)
		}
		return nil
	})
}

// readStandings keeps the states of items of a kind in to, by their ids.
func (s *Store) readStandings(ctx context.Context, uid uuid.UUID, kind reading.Kind, ids []string, to map[reading.Kind]map[string]reading.UserItemState) read {
	return readOf(func(db postgres.Queryer) (map[string]reading.UserItemState, error) {
		return s.standings.Standings(ctx, db, uid, kind, ids...)
	}, func(standings map[string]reading.UserItemState, _ string) error {
		to[kind] = standings
		return nil
	})
}
