package postgres

import (
	"context"
	"encoding/json"

	"serein.app/services/content/internal/entry"
	"serein.app/services/content/internal/postgres/sqlcgen"
	"serein.app/services/content/internal/reading"
	"serein.app/services/platform/postgres"
)

// Pages are what readers get of a content type in master that has few entries: at most 200.
func (s *Store) Pages(ctx context.Context, contentType string) ([]reading.Page, error) {
	locales, err := s.locales(ctx, s.db, entry.Master)
	if err != nil {
		return nil, postgres.Translate(err, nil)
	}
	rows, err := s.queries.PublishedOf(ctx, s.db, sqlcgen.PublishedOfParams{Environment: entry.Master, ContentType: contentType})
	return toPages(rows, locales.Default(), err)
}

// PagesOfTypes are what readers get of content types in master that have few entries, at most 200 each, by type and in one
// snapshot.
func (s *Store) PagesOfTypes(ctx context.Context, contentTypes ...string) (map[string][]reading.Page, error) {
	locales, err := s.locales(ctx, s.db, entry.Master)
	if err != nil {
		return nil, postgres.Translate(err, nil)
	}
	rows, err := s.queries.PublishedOfAll(ctx, s.db, sqlcgen.PublishedOfAllParams{Environment: entry.Master, ContentTypes: contentTypes})
	pages, err := toPages(rows, locales.Default(), err)
	byType := make(map[string][]reading.Page, len(contentTypes))
	for i, p := range pages {
		of := *rows[i].ContentType // entries have one
		byType[of] = append(byType[of], p)
	}
	return byType, err
}

// PagesWith are those of a content type whose field has that value.
func (s *Store) PagesWith(ctx context.Context, contentType, field string, value any) ([]reading.Page, error) {
	locales, err := s.locales(ctx, s.db, entry.Master)
	if err != nil {
		return nil, postgres.Translate(err, nil)
	}
	data, err := json.Marshal(entry.Fields{field: {locales.Default(): value}})
	if err != nil {
		return nil, err
	}
	rows, err := s.queries.PublishedWith(ctx, s.db, sqlcgen.PublishedWithParams{Environment: entry.Master, ContentType: contentType, Value: data})
	return toPages(rows, locales.Default(), err)
}

// Page is what readers get of one entry of master. Errors: entry.ErrNotFound.
func (s *Store) Page(ctx context.Context, id string) (reading.Page, error) {
	p, err := s.Published(ctx, entry.Key{Environment: entry.Master, Kind: entry.KindEntry, ID: id})
	if err != nil {
		return reading.Page{}, err
	}
	locales, err := s.locales(ctx, s.db, entry.Master)
	return reading.PageOf(p, locales.Default()), postgres.Translate(err, nil)
}

// PagesOf are what readers get of entries of master, by their ids.
func (s *Store) PagesOf(ctx context.Context, ids ...string) (map[string]reading.Page, error) {
	locales, err := s.locales(ctx, s.db, entry.Master)
	if err != nil {
		return nil, postgres.Translate(err, nil)
	}
	rows, err := s.queries.PublishedEntries(ctx, s.db, sqlcgen.PublishedEntriesParams{Environment: entry.Master, Ids: list(ids)})
	pages, err := toPages(rows, locales.Default(), err)
	byID := make(map[string]reading.Page, len(pages))
	for _, p := range pages {
		byID[p.ID] = p
	}
	return byID, err
}

func toPages(rows []sqlcgen.Published, locale string, err error) ([]reading.Page, error) {
	if err != nil {
		return nil, postgres.Translate(err, nil)
	}
	pages := make([]reading.Page, len(rows))
	for i, row := range rows {
		p, err := toPublished(row)
		if err != nil {
			return nil, err
		}
		pages[i] = reading.PageOf(p, locale)
	}
	return pages, nil
}

// Pictures are those assets of master that readers can look at, by their ids.
func (s *Store) Pictures(ctx context.Context, ids []string) (map[string]reading.Picture, error) {
	return assetsAs(ctx, s, ids, reading.PictureOf)
}

// Sounds are where those assets lie that are sounds, by id.
func (s *Store) Sounds(ctx context.Context, ids []string) (map[string]string, error) {
	return assetsAs(ctx, s, ids, reading.SoundOf)
}

// assetsAs reads published assets of master as what they are asked for, those that are so.
func assetsAs[T any](ctx context.Context, s *Store, ids []string, read func(entry.Fields, string) (T, bool)) (map[string]T, error) {
	if len(ids) == 0 {
		return nil, nil //nolint:nilnil // there are none
	}
	locales, err := s.locales(ctx, s.db, entry.Master)
	if err != nil {
		return nil, postgres.Translate(err, nil)
	}
	rows, err := s.queries.PublishedAssets(ctx, s.db, sqlcgen.PublishedAssetsParams{Environment: entry.Master, Ids: ids})
	if err != nil {
		return nil, postgres.Translate(err, nil)
	}
	found := make(map[string]T, len(rows))
	for _, row := range rows {
		var fields entry.Fields
		if err := parse(row.Fields, &fields, "asset "+row.ID); err != nil {
			return nil, err
		}
		if one, ok := read(fields, locales.Default()); ok {
			found[row.ID] = one
		}
	}
	return found, nil
}
