package postgres

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"

	"serein.app/services/content/internal/entry"
	"serein.app/services/content/internal/postgres/sqlcgen"
)

// checkDraft finds what no draft may hold, and gives the item with its title.
func (s *Store) checkDraft(ctx context.Context, tx pgx.Tx, i entry.Item) (entry.Item, error) {
	t, locales, err := s.rules(ctx, tx, i)
	if err != nil {
		return i, err
	}
	if err := t.CheckDraft(i.Fields, locales); err != nil {
		return i, err
	}
	i.Title = t.Title(i.Fields, locales.Default())
	return i, entry.CheckTerms(i.Tags, i.Concepts)
}

// checkPublish finds what readers must not get, but for values that must be unique: see publish.
func (s *Store) checkPublish(ctx context.Context, tx pgx.Tx, i entry.Item) (entry.ContentType, entry.Locales, error) {
	t, locales, err := s.rules(ctx, tx, i)
	if err != nil {
		return t, locales, err
	}
	if err := t.CheckPublish(i.Fields, locales); err != nil {
		return t, locales, err
	}
	if err := s.checkReferences(ctx, tx, t, i); err != nil {
		return t, locales, err
	}
	var ids []string
	for _, l := range t.Links(i.Fields) {
		if l.Kind == entry.KindEntry {
			ids = append(ids, l.ID)
		}
	}
	if len(ids) == 0 {
		return t, locales, nil
	}
	rows, err := s.queries.TypesOf(ctx, tx, sqlcgen.TypesOfParams{Environment: i.Environment, Ids: ids})
	if err != nil {
		return t, locales, err
	}
	types := make(map[string]string, len(rows))
	for _, row := range rows {
		types[row.ID] = row.ContentType
	}
	return t, locales, t.CheckLinks(i.Fields, types)
}

// checkReferences finds what properties of objects lead to and readers do not get.
func (s *Store) checkReferences(ctx context.Context, tx pgx.Tx, t entry.ContentType, i entry.Item) error {
	references := t.References(i.Fields)
	if len(references) == 0 {
		return nil
	}
	ids := make([]string, len(references))
	for n, r := range references {
		ids[n] = r.ID
	}
	rows, err := s.queries.PublishedTypes(ctx, tx, sqlcgen.PublishedTypesParams{Environment: i.Environment, Ids: ids})
	if err != nil {
		return err
	}
	types := make(map[string]string, len(rows))
	for _, row := range rows {
		types[row.ID] = row.ContentType
	}
	return entry.CheckReferences(references, types)
}

// rules are what the item's fields must keep to.
func (s *Store) rules(ctx context.Context, db sqlcgen.DBTX, i entry.Item) (entry.ContentType, entry.Locales, error) {
	locales, err := s.locales(ctx, db, i.Environment)
	if err != nil {
		return entry.ContentType{}, nil, err
	}
	if i.Kind == entry.KindAsset {
		return entry.Asset(), locales, nil
	}
	t, err := s.contentType(ctx, db, i.Environment, i.ContentType)
	return t, locales, err
}

func (s *Store) contentType(ctx context.Context, db sqlcgen.DBTX, environment, id string) (entry.ContentType, error) {
	row, err := s.queries.ContentType(ctx, db, sqlcgen.ContentTypeParams{Environment: environment, ID: id})
	if errors.Is(err, pgx.ErrNoRows) {
		return entry.ContentType{}, entry.ErrTypeNotFound
	}
	if err != nil {
		return entry.ContentType{}, err
	}
	return toContentType(row)
}

func (s *Store) locales(ctx context.Context, db sqlcgen.DBTX, environment string) (entry.Locales, error) {
	return s.Reads.locales(ctx, db, environment)
}
