package postgres

import (
	"context"
	"time"

	"serein.app/services/content/internal/keeping"
	"serein.app/services/content/internal/keeping/postgres/sqlcgen"
	"serein.app/services/content/internal/reading"
	"serein.app/services/platform/postgres"
)

// Saved are one page of a shelf of what the member gets still, the last first, behind that place, and how many there are of it in all.
func (s *Store) Saved(ctx context.Context, asked keeping.Asked, shelf keeping.Shelf, after reading.Cursor, most int) (cards []reading.Card, cursors []reading.Cursor, total int, err error) {
	counts, rows, err := s.saved(ctx, asked, shelf, sqlcgen.SearchSavedParams{
		Uid: asked.UID, Kind: string(shelf.Kind), Intro: shelf.Intro, SavedAt: momentOf(after), Item: after.ID, AllCards: asked.All, Most: int32(most),
	})
	if err != nil || counts[shelf] == 0 {
		return nil, nil, 0, postgres.Translate(err, nil)
	}
	cards, cursors = make([]reading.Card, len(rows)), make([]reading.Cursor, len(rows))
	for i, row := range rows {
		cursors[i] = reading.Cursor{Place: row.SavedAt.UnixMicro(), ID: row.ID}
		if cards[i], err = reading.ParseCard(shelf.Kind, row.ID, row.Slug, row.Card); err != nil {
			return nil, nil, 0, err
		}
	}
	return cards, cursors, counts[shelf], nil
}

// saved counts all shelves and reads one page of this shelf, in one round trip where no words are searched for.
func (s *Store) saved(ctx context.Context, asked keeping.Asked, shelf keeping.Shelf, page sqlcgen.SearchSavedParams) (counts map[keeping.Shelf]int, rows []sqlcgen.SearchSavedRow, err error) {
	if len(asked.Words) == 0 {
		err = postgres.Together(ctx, s.db, func(db postgres.Queryer) (err error) {
			counts, err = s.countSavedCards(ctx, db, asked)
			return err
		}, func(db postgres.Queryer) (err error) {
			rows, err = s.listSaved(ctx, db, page)
			return err
		})
		return counts, rows, err
	}
	if counts, page.Query, err = s.countSaved(ctx, asked); err != nil || counts[shelf] == 0 {
		return counts, nil, err
	}
	rows, err = s.queries.SearchSaved(ctx, s.db, page)
	return counts, rows, err
}

// CountSaved says how many Saved has of each shelf; an empty shelf is left out.
func (s *Store) CountSaved(ctx context.Context, asked keeping.Asked) (map[keeping.Shelf]int, error) {
	counts, _, err := s.countSaved(ctx, asked)
	return counts, postgres.Translate(err, nil)
}

// countSaved counts, and gives the query by which it was found; empty where nothing is searched for. A typing error is forgiven where no
// shelf has the words, so that all of them answer the same question.
func (s *Store) countSaved(ctx context.Context, asked keeping.Asked) (counts map[keeping.Shelf]int, query string, err error) {
	if len(asked.Words) == 0 {
		counts, err = s.countSavedCards(ctx, s.db, asked)
		return counts, "", err
	}
	query = reading.Query(asked.Words, nil)
	if counts, err = s.countFoundSaved(ctx, asked, query); err != nil || len(counts) > 0 {
		return counts, query, err
	}
	query, err = reading.ForgivingQuery(asked.Words, func(spellings []string) ([]string, error) { return s.words.Spelled(ctx, spellings) })
	if err == nil && query != "" {
		counts, err = s.countFoundSaved(ctx, asked, query)
	}
	return counts, query, err
}

func (s *Store) countFoundSaved(ctx context.Context, asked keeping.Asked, query string) (map[keeping.Shelf]int, error) {
	rows, err := s.queries.CountSavedFound(ctx, s.db, sqlcgen.CountSavedFoundParams{Uid: asked.UID, AllCards: asked.All, Query: query})
	counts := make(map[keeping.Shelf]int, len(rows))
	for _, row := range rows {
		counts[keeping.Shelf{Kind: reading.Kind(row.Kind), Intro: row.Intro}] = int(row.Saved)
	}
	return counts, err
}

func (s *Store) countSavedCards(ctx context.Context, db postgres.Queryer, asked keeping.Asked) (map[keeping.Shelf]int, error) {
	rows, err := s.queries.CountSavedCards(ctx, db, sqlcgen.CountSavedCardsParams{Uid: asked.UID, AllCards: asked.All})
	counts := make(map[keeping.Shelf]int, len(rows))
	for _, row := range rows {
		counts[keeping.Shelf{Kind: reading.Kind(row.Kind), Intro: row.Intro}] = int(row.Saved)
	}
	return counts, err
}

func (s *Store) listSaved(ctx context.Context, db postgres.Queryer, q sqlcgen.SearchSavedParams) ([]sqlcgen.SearchSavedRow, error) {
	all, err := s.queries.ListSaved(ctx, db, sqlcgen.ListSavedParams{
		Uid: q.Uid, Kind: q.Kind, SavedAt: q.SavedAt, Item: q.Item, Intro: q.Intro, AllCards: q.AllCards, Most: q.Most,
	})
	rows := make([]sqlcgen.SearchSavedRow, len(all))
	for i, row := range all {
		rows[i] = sqlcgen.SearchSavedRow(row)
	}
	return rows, err
}

// lastMoment is later than all that is saved, and within what a timestamptz can hold.
var lastMoment = time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC)

// momentOf a place, within what a timestamptz can hold.
func momentOf(p reading.Cursor) time.Time {
	return time.UnixMicro(min(max(p.Place, 0), lastMoment.UnixMicro())).UTC()
}
