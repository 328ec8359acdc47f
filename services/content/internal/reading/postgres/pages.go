package postgres

import (
	"context"

	"serein.app/services/content/internal/entry"
	"serein.app/services/content/internal/reading"
	"serein.app/services/platform/postgres"
)

// Pages are what readers get of a content type in master that has few entries: at most 200.
func (s *Store) Pages(ctx context.Context, contentType string) (pages []reading.Page, err error) {
	err = s.together(ctx, s.readPages(ctx, contentType, &pages))
	return pages, err
}

// PagesOfTypes are what readers get of content types in master that have few entries, at most 200 each, by type and in one
// snapshot.
func (s *Store) PagesOfTypes(ctx context.Context, contentTypes ...string) (map[string][]reading.Page, error) {
	byType := make(map[string][]reading.Page, len(contentTypes))
	err := s.together(ctx, readOf(func(db postgres.Queryer) ([]entry.Published, error) {
		return s.entries.OfTypes(ctx, db, contentTypes...)
	}, func(found []entry.Published, locale string) error {
		for _, p := range found {
			byType[p.ContentType] = append(byType[p.ContentType], reading.PageOf(p, locale))
		}
		return nil
	}))
	return byType, err
}

// Page is what readers get of one entry of master. Errors: entry.ErrNotFound.
func (s *Store) Page(ctx context.Context, id string) (reading.Page, error) {
	var pages map[string]reading.Page
	if err := s.together(ctx, s.readEntries(ctx, []string{id}, &pages)); err != nil {
		return reading.Page{}, err
	}
	p, there := pages[id]
	if !there {
		return p, entry.ErrNotFound
	}
	return p, nil
}

// readPages reads the entries of a content type.
func (s *Store) readPages(ctx context.Context, contentType string, to *[]reading.Page) read {
	return readOf(func(db postgres.Queryer) ([]entry.Published, error) {
		return s.entries.OfTypes(ctx, db, contentType)
	}, func(found []entry.Published, locale string) error {
		*to = toPages(found, locale)
		return nil
	})
}

// readOrdered is readPages in the order that their editors gave them.
func (s *Store) readOrdered(ctx context.Context, contentType string, to *[]reading.Page) read {
	r := s.readPages(ctx, contentType, to)
	return read{r.ask, func(locale string) error {
		err := r.keep(locale)
		*to = reading.InOrder(*to)
		return err
	}}
}

// readWith reads the entries of a content type whose field has that value in a locale, which PostgreSQL finds by an index.
func (s *Store) readWith(ctx context.Context, contentType, locale, field string, value any, to *[]reading.Page) read {
	return readOf(func(db postgres.Queryer) ([]entry.Published, error) {
		return s.entries.OfTypeWith(ctx, db, contentType, entry.Fields{field: {locale: value}})
	}, func(found []entry.Published, locale string) error {
		*to = toPages(found, locale)
		return nil
	})
}

// readEntries reads entries by their ids.
func (s *Store) readEntries(ctx context.Context, ids []string, to *map[string]reading.Page) read {
	return readOf(func(db postgres.Queryer) ([]entry.Published, error) {
		return s.entries.Entries(ctx, db, ids)
	}, func(found []entry.Published, locale string) error {
		*to = make(map[string]reading.Page, len(found))
		for _, p := range found {
			(*to)[p.ID] = reading.PageOf(p, locale)
		}
		return nil
	})
}

func toPages(found []entry.Published, locale string) []reading.Page {
	pages := make([]reading.Page, len(found))
	for i, p := range found {
		pages[i] = reading.PageOf(p, locale)
	}
	return pages
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
func assetsAs[T any](ctx context.Context, s *Store, ids []string, as func(entry.Fields, string) (T, bool)) (found map[string]T, err error) {
	if len(ids) == 0 {
		return nil, nil //nolint:nilnil // there are none
	}
	err = s.together(ctx, readAssets(ctx, s, ids, as, &found))
	return found, err
}

func readAssets[T any](ctx context.Context, s *Store, ids []string, as func(entry.Fields, string) (T, bool), to *map[string]T) read {
	return readOf(func(db postgres.Queryer) (map[string]entry.Fields, error) {
		return s.entries.Assets(ctx, db, ids)
	}, func(found map[string]entry.Fields, locale string) error {
		*to = make(map[string]T, len(found))
		for id, fields := range found {
			if one, ok := as(fields, locale); ok {
				(*to)[id] = one
			}
		}
		return nil
	})
}
