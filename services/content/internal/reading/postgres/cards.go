package postgres

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/jackc/pgx/v5"

	"serein.app/services/content/internal/entry"
	"serein.app/services/content/internal/reading"
	"serein.app/services/content/internal/reading/postgres/sqlcgen"
	"serein.app/services/platform/postgres"
)

// SetCard writes the card of the entry that readers get from now on, and the lists that hold it. The caller holds the lock of published
// changes, so that transactions count the lists one after the other.
func (s *Store) SetCard(ctx context.Context, tx pgx.Tx, p entry.Published, locale string) error {
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
	return postgres.Translate(postgres.InTx(ctx, s.db, func(ctx context.Context, tx pgx.Tx) error {
		if err := s.entries.LockChanges(ctx, tx); err != nil {
			return err
		}
		p, err := s.entries.Entry(ctx, tx, entry.Key{Environment: entry.Master, Kind: entry.KindEntry, ID: id})
		if errors.Is(err, entry.ErrNotFound) {
			return nil // it was taken from readers just now
		}
		if err != nil {
			return err
		}
		locale, err := s.entries.DefaultLocale(ctx, tx, entry.Master)
		if err != nil {
			return err
		}
		return s.SetCard(ctx, tx, p, locale)
	}), nil)
}
