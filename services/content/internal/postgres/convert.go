package postgres

import (
	"encoding/json"
	"fmt"
	"time"

	"serein.app/services/content/internal/entry"
	"serein.app/services/content/internal/postgres/sqlcgen"
)

func toItem(row sqlcgen.Item) (entry.Item, error) {
	item := entry.Item{
		Key:         entry.Key{Environment: row.Environment, Kind: entry.Kind(row.Kind), ID: row.ID},
		ContentType: from(row.ContentType), Version: int(row.Version), PublishedVersion: int(from(row.PublishedVersion)),
		Revision: int(row.Revision), Tags: row.Tags, Concepts: row.Concepts,
		CreatedAt: row.CreatedAt.UTC(), UpdatedAt: row.UpdatedAt.UTC(), FirstPublishedAt: fromTime(row.FirstPublishedAt),
		ArchivedAt: fromTime(row.ArchivedAt), Seed: from(row.Seed), SeedHash: row.SeedHash, EditedAt: fromTime(row.EditedAt), Title: row.Title,
		MadeAt: fromTime(row.MadeAt), DeletedAt: fromTime(row.DeletedAt),
	}
	return item, parse(row.Fields, &item.Fields, "fields of "+row.ID)
}

func fromItem(i entry.Item) (sqlcgen.Item, error) {
	fields, err := json.Marshal(i.Fields)
	return sqlcgen.Item{
		Environment: i.Environment, Kind: string(i.Kind), ID: i.ID, ContentType: optional(i.ContentType),
		Version: int32(i.Version), PublishedVersion: optional(int32(i.PublishedVersion)), Revision: int32(i.Revision),
		Fields: fields, Tags: list(i.Tags), Concepts: list(i.Concepts), CreatedAt: i.CreatedAt, UpdatedAt: i.UpdatedAt,
		FirstPublishedAt: optionalTime(i.FirstPublishedAt), ArchivedAt: optionalTime(i.ArchivedAt),
		Seed: optional(i.Seed), SeedHash: i.SeedHash, EditedAt: optionalTime(i.EditedAt), Title: i.Title,
		MadeAt: optionalTime(i.MadeAt), DeletedAt: optionalTime(i.DeletedAt),
	}, err
}

func toItems(rows []sqlcgen.Item) ([]entry.Item, error) {
	items := make([]entry.Item, len(rows))
	for i, row := range rows {
		var err error
		if items[i], err = toItem(row); err != nil {
			return nil, err
		}
	}
	return items, nil
}

func toPublished(row sqlcgen.Published) (entry.Published, error) {
	p := entry.Published{
		Key:         entry.Key{Environment: row.Environment, Kind: entry.Kind(row.Kind), ID: row.ID},
		ContentType: from(row.ContentType), Revision: int(row.Revision), Version: int(row.Version), Tags: row.Tags, Concepts: row.Concepts,
		CreatedAt: row.CreatedAt.UTC(), FirstPublishedAt: row.FirstPublishedAt.UTC(), UpdatedAt: row.UpdatedAt.UTC(), Seq: row.Seq,
	}
	return p, parse(row.Fields, &p.Fields, "published fields of "+row.ID)
}

func toContentType(row sqlcgen.ContentType) (entry.ContentType, error) {
	t := entry.ContentType{
		Environment: row.Environment, ID: row.ID, Name: row.Name, Description: row.Description, DisplayField: row.DisplayField,
		Version: int(row.Version), CreatedAt: row.CreatedAt.UTC(), UpdatedAt: row.UpdatedAt.UTC(),
	}
	return t, parse(row.Fields, &t.Fields, "fields of content type "+row.ID)
}

func toLocale(row sqlcgen.Locale) entry.Locale {
	return entry.Locale{
		Code: row.Code, Name: row.Name, Fallback: from(row.FallbackCode), Default: row.IsDefault, Version: int(row.Version),
	}
}

func parse(data []byte, into any, what string) error {
	if err := json.Unmarshal(data, into); err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	return nil
}

// from returns the value, or the zero value for nil. optional is its inverse.
func from[T any](value *T) (v T) {
	if value != nil {
		v = *value
	}
	return v
}

func optional[T comparable](value T) *T {
	var zero T
	if value == zero {
		return nil
	}
	return &value
}

func fromTime(at *time.Time) time.Time { return from(at).UTC() }

func optionalTime(at time.Time) *time.Time {
	if at.IsZero() {
		return nil
	}
	return &at
}

// list is never nil: the columns are not.
func list(values []string) []string {
	if values == nil {
		return []string{}
	}
	return values
}
