package postgres

import (
	"github.com/google/uuid"

	"serein.app/services/content/internal/columns"
	"serein.app/services/content/internal/entry"
	"serein.app/services/content/internal/markup"
	"serein.app/services/content/internal/search"
	"serein.app/services/content/internal/search/postgres/sqlcgen"
)

// toSearch is what can be found of what readers get; ok is false where that is nothing.
func toSearch(contentType, id string, fields entry.Fields, locale string) (i search.Item, ok bool) {
	text := func(field string) string { s, _ := fields[field][locale].(string); return s }
	is := func(field string) bool { return fields[field][locale] == true }
	seconds, _ := fields["duration"][locale].(float64)
	i = search.Item{ID: id, Title: search.Spoken(text("title")), Slug: text("slug"), Confidence: entry.Certain, Immersive: is("immersive"), Seconds: int(seconds)}
	switch contentType {
	case "article":
		i.Kind, i.Text, i.Categories = search.Article, markup.Plain(text("body")), linked(fields["categories"][locale])
	case "meditation":
		i.Kind, i.Text, i.Categories, i.Unverified = search.Meditation, search.Spoken(text("script")), linked(fields["category"][locale]), !is("verified")
	default:
		return search.Item{}, false
	}
	if len(i.Categories) > 0 {
		i.Confidence = fields.Confidence(i.Categories[0], locale)
	}
	return i, true
}

// linked are the ids that a field's value, one link or a list of them, points at.
func linked(value any) (ids []string) {
	if list, ok := value.([]any); ok {
		for _, element := range list {
			ids = append(ids, linked(element)...)
		}
		return ids
	}
	if l, ok := entry.LinkOf(value); ok {
		ids = append(ids, l.ID)
	}
	return ids
}

func fromSearchItem(number int64, i search.Item) (sqlcgen.SetSearchItemParams, error) {
	row := sqlcgen.SetSearchItemParams{
		Number: number, Kind: string(i.Kind), ID: i.ID, Title: i.Title, Body: i.Text, Slug: i.Slug, Categories: columns.List(i.Categories),
		Confidence: int32(i.Confidence), Immersive: i.Immersive, Seconds: int32(i.Seconds), Unverified: i.Unverified,
		Form: searchVersion, Marked: i.Marked,
	}
	if i.UID == "" {
		return row, nil
	}
	uid, err := uuid.Parse(i.UID)
	row.Uid = &uid
	return row, err
}

func toSearchItem(row sqlcgen.SearchItem) search.Item {
	i := search.Item{
		Kind: search.Kind(row.Kind), ID: row.ID, Title: row.Title, Text: row.Body, Slug: row.Slug, Categories: row.Categories,
		Confidence: int(row.Confidence), Immersive: row.Immersive, Seconds: int(row.Seconds), Unverified: row.Unverified, Marked: row.Marked,
	}
	if row.Uid != nil {
		i.UID = row.Uid.String()
	}
	return i
}
