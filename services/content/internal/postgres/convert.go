package postgres

import (
	"encoding/json"

	"serein.app/services/content/internal/columns"
	"serein.app/services/content/internal/entry"
	"serein.app/services/content/internal/postgres/sqlcgen"
)

func toItem(row sqlcgen.Item) (entry.Item, error) {
	item := entry.Item{
		Key:         entry.Key{Environment: row.Environment, Kind: entry.Kind(row.Kind), ID: row.ID},
		ContentType: columns.Value(row.ContentType), Version: int(row.Version), PublishedVersion: int(columns.Value(row.PublishedVersion)),
		Revision: int(row.Revision), Tags: row.Tags, Concepts: row.Concepts,
		CreatedAt: row.CreatedAt.UTC(), UpdatedAt: row.UpdatedAt.UTC(), FirstPublishedAt: columns.Time(row.FirstPublishedAt),
		ArchivedAt: columns.Time(row.ArchivedAt), Seed: columns.Value(row.Seed), SeedHash: row.SeedHash, EditedAt: columns.Time(row.EditedAt), Title: row.Title,
		MadeAt: columns.Time(row.MadeAt), DeletedAt: columns.Time(row.DeletedAt),
	}
	return item, columns.Parse(row.Fields, &item.Fields, "fields of "+row.ID)
}

func fromItem(i entry.Item) (sqlcgen.Item, error) {
	fields, err := json.Marshal(i.Fields)
	return sqlcgen.Item{
		Environment: i.Environment, Kind: string(i.Kind), ID: i.ID, ContentType: columns.Nullable(i.ContentType),
		Version: int32(i.Version), PublishedVersion: columns.Nullable(int32(i.PublishedVersion)), Revision: int32(i.Revision),
		Fields: fields, Tags: columns.List(i.Tags), Concepts: columns.List(i.Concepts), CreatedAt: i.CreatedAt, UpdatedAt: i.UpdatedAt,
		FirstPublishedAt: columns.NullableTime(i.FirstPublishedAt), ArchivedAt: columns.NullableTime(i.ArchivedAt),
		Seed: columns.Nullable(i.Seed), SeedHash: i.SeedHash, EditedAt: columns.NullableTime(i.EditedAt), Title: i.Title,
		MadeAt: columns.NullableTime(i.MadeAt), DeletedAt: columns.NullableTime(i.DeletedAt),
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
		ContentType: columns.Value(row.ContentType), Revision: int(row.Revision), Version: int(row.Version), Tags: row.Tags, Concepts: row.Concepts,
		CreatedAt: row.CreatedAt.UTC(), FirstPublishedAt: row.FirstPublishedAt.UTC(), UpdatedAt: row.UpdatedAt.UTC(), Seq: row.Seq,
	}
	return p, columns.Parse(row.Fields, &p.Fields, "published fields of "+row.ID)
}

func toContentType(row sqlcgen.ContentType) (entry.ContentType, error) {
	t := entry.ContentType{
		Environment: row.Environment, ID: row.ID, Name: row.Name, Description: row.Description, DisplayField: row.DisplayField,
		Version: int(row.Version), CreatedAt: row.CreatedAt.UTC(), UpdatedAt: row.UpdatedAt.UTC(),
	}
	return t, columns.Parse(row.Fields, &t.Fields, "fields of content type "+row.ID)
}

func toLocale(row sqlcgen.Locale) entry.Locale {
	return entry.Locale{
		Code: row.Code, Name: row.Name, Fallback: columns.Value(row.FallbackCode), Default: row.IsDefault, Version: int(row.Version),
	}
}
