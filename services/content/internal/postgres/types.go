package postgres

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"

	"github.com/jackc/pgx/v5"

	"serein.app/services/content/internal/entry"
	"serein.app/services/content/internal/postgres/sqlcgen"
	"serein.app/services/platform/errs"
	"serein.app/services/platform/postgres"
)

// ContentType reads the content type of that id. It returns entry.ErrTypeNotFound when the type does not exist.
func (s *Store) ContentType(ctx context.Context, environment, id string) (entry.ContentType, error) {
	t, err := s.contentType(ctx, s.db, environment, id)
	return t, postgres.Translate(err, nil)
}

// ContentTypes of an environment, by their ids.
func (s *Store) ContentTypes(ctx context.Context, environment string) ([]entry.ContentType, error) {
	rows, err := s.queries.ContentTypes(ctx, s.db, environment)
	if err != nil {
		return nil, postgres.Translate(err, nil)
	}
	types := make([]entry.ContentType, len(rows))
	for i, row := range rows {
		if types[i], err = toContentType(row); err != nil {
			return nil, err
		}
	}
	return types, nil
}

// Counts are how many entries the content types of an environment have, drafts and archived ones too.
func (s *Store) Counts(ctx context.Context, environment string) (map[string]int, error) {
	rows, err := s.queries.CountEntries(ctx, s.db, environment)
	counts := make(map[string]int, len(rows))
	for _, row := range rows {
		counts[row.ContentType] = int(row.Entries)
	}
	return counts, postgres.Translate(err, nil)
}

// SetContentType makes a content type (its version is 0 then) or changes the one whose version the caller saw.
// Entries stay as they are: what a field no longer allows is found when an entry is next changed.
func (s *Store) SetContentType(ctx context.Context, by entry.Actor, t entry.ContentType) (entry.ContentType, error) {
	return s.setContentType(ctx, t, func(before sqlcgen.ContentType) (sqlcgen.ContentType, error) {
		if int(before.Version) != t.Version {
			return before, entry.ErrVersion
		}
		if by.Editor {
			before.EditedAt = new(s.now())
		}
		return before, nil
	})
}

// ApplyContentType is SetContentType for the files of seed/. It leaves a content type alone that an editor has changed since.
func (s *Store) ApplyContentType(ctx context.Context, t entry.ContentType, hash []byte) error {
	for {
		err := s.applyContentType(ctx, t, hash)
		if !errors.Is(err, entry.ErrVersion) {
			return err
		}
		// Another replica has just made it: now it is there to be looked at.
	}
}

func (s *Store) applyContentType(ctx context.Context, t entry.ContentType, hash []byte) error {
	_, err := s.setContentType(ctx, t, func(before sqlcgen.ContentType) (sqlcgen.ContentType, error) {
		if before.EditedAt != nil || bytes.Equal(before.SeedHash, hash) {
			return before, errUnchanged
		}
		before.SeedHash = hash
		return before, nil
	})
	if errors.Is(err, errUnchanged) {
		return nil
	}
	return err
}

var errUnchanged = errors.New("it stays as it is")

// setContentType writes the row that decide returns, unless decide returns an error. decide gets the existing row, or a zero row.
func (s *Store) setContentType(ctx context.Context, t entry.ContentType, decide func(sqlcgen.ContentType) (sqlcgen.ContentType, error)) (entry.ContentType, error) {
	if err := t.Check(); err != nil {
		refusal := entry.ErrTypeInvalid.Because(err)
		refusal.Public = err.Error()
		return t, refusal
	}
	fields, err := json.Marshal(t.Fields)
	if err != nil {
		return t, err
	}
	err = s.inTx(ctx, func(ctx context.Context, tx pgx.Tx) error {
		before, err := s.queries.LockContentType(ctx, tx, sqlcgen.LockContentTypeParams{Environment: t.Environment, ID: t.ID})
		if err != nil && !errors.Is(err, pgx.ErrNoRows) {
			return err
		}
		row, err := decide(before)
		if err != nil {
			return err
		}
		row.Environment, row.ID, row.Name, row.Description = t.Environment, t.ID, t.Name, t.Description
		row.DisplayField, row.Fields, row.Version, row.UpdatedAt = t.DisplayField, fields, row.Version+1, s.now()
		return s.writeContentType(ctx, tx, row)
	})
	if err != nil {
		return t, err
	}
	return s.ContentType(ctx, t.Environment, t.ID)
}

func (s *Store) writeContentType(ctx context.Context, tx pgx.Tx, row sqlcgen.ContentType) error {
	if row.Version > 1 {
		return s.queries.UpdateContentType(ctx, tx, sqlcgen.UpdateContentTypeParams{
			Environment: row.Environment, ID: row.ID, Name: row.Name, Description: row.Description, DisplayField: row.DisplayField,
			Fields: row.Fields, Version: row.Version, UpdatedAt: row.UpdatedAt, SeedHash: row.SeedHash, EditedAt: row.EditedAt,
		})
	}
	row.CreatedAt = row.UpdatedAt
	n, err := s.queries.InsertContentType(ctx, tx, sqlcgen.InsertContentTypeParams(row))
	if err == nil && n == 0 {
		return entry.ErrVersion // another has just made it
	}
	return err
}

// DeleteContentType removes one that has no entries.
func (s *Store) DeleteContentType(ctx context.Context, environment, id string) error {
	n, err := s.queries.DeleteContentType(ctx, s.db, sqlcgen.DeleteContentTypeParams{Environment: environment, ID: id})
	if err == nil && n == 0 {
		return entry.ErrTypeNotFound
	}
	return postgres.Translate(err, map[string]*errs.Error{"items_content_type": entry.ErrTypeUsed})
}

// Locales of an environment, the default first.
func (s *Store) Locales(ctx context.Context, environment string) (entry.Locales, error) {
	locales, err := s.locales(ctx, s.db, environment)
	return locales, postgres.Translate(err, nil)
}
