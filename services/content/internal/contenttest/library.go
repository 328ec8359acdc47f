package contenttest

import (
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/services/content/internal/entry"
)

// Library gives the database content types like those of the editors' files.
func (h *Harness) Library(tb testing.TB) {
	tb.Helper()
	text := func(ids ...string) (fields []entry.Field) {
		for _, id := range ids {
			fields = append(fields, entry.Field{ID: id, Name: id, Type: entry.Text, Localized: true})
		}
		return fields
	}
	flag := func(ids ...string) (fields []entry.Field) {
		for _, id := range ids {
			fields = append(fields, entry.Field{ID: id, Name: id, Type: entry.Boolean})
		}
		return fields
	}
	slug := entry.Field{ID: "slug", Name: "Slug", Type: entry.Symbol, Validations: []entry.Validation{{Unique: true}}}
	many := entry.Field{ID: "categories", Name: "Categories", Type: entry.Array, Items: &entry.Items{Type: entry.LinkType, LinkType: entry.KindEntry}}
	one := entry.Field{ID: "category", Name: "Category", Type: entry.LinkType, LinkType: entry.KindEntry}
	day := entry.Field{ID: "published", Name: "Published", Type: entry.Date}
	for id, fields := range map[string][]entry.Field{
		"article":    append(append(text("title", "body"), slug, many, day), flag("open")...),
		"meditation": append(append(text("title", "script", "audio"), slug, one), flag("immersive", "intro", "verified")...),
	} {
		_, err := h.Stores.Entries.SetContentType(tb.Context(), Editor, entry.ContentType{Environment: entry.Master, ID: id, Name: id, DisplayField: "title", Fields: fields})
		require.NoError(tb, err)
	}
}

// With is a draft with these values.
func With(values map[string]any) entry.Draft {
	d := entry.Draft{Fields: entry.Fields{}}
	for field, value := range values {
		d.Fields[field] = map[string]any{"en-GB": value}
	}
	return d
}

// Article publishes one of that day, filed under those categories.
func (h *Harness) Article(tb testing.TB, id, title, body, day string, categories ...string) entry.Item {
	tb.Helper()
	var links []any
	for _, category := range categories {
		links = append(links, entry.Link{Kind: entry.KindEntry, ID: category}.Value())
	}
	return h.Give(tb, "article", id, With(map[string]any{"title": title, "slug": id, "body": body, "published": day, "categories": links}))
}

// Give publishes an entry, or what it is from now on.
func (h *Harness) Give(tb testing.TB, contentType, id string, d entry.Draft) entry.Item {
	tb.Helper()
	item, err := h.Stores.Entries.Item(tb.Context(), Key(id))
	if err == nil {
		item, err = h.Stores.Entries.Update(tb.Context(), Editor, Key(id), item.Version, d)
	} else {
		item, err = h.Stores.Entries.Create(tb.Context(), Editor, Key(id), contentType, d)
	}
	require.NoError(tb, err)
	item, err = h.Stores.Entries.Publish(tb.Context(), Editor, Key(id), item.Version)
	require.NoError(tb, err)
	return item
}
