package postgres_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/services/content/internal/contenttest"
	"serein.app/services/content/internal/entry"
	store "serein.app/services/content/internal/postgres"
)

// harness is one test's database and the entries, with the content type note.
type harness struct {
	*contenttest.Harness
	*store.Store
}

var editor = contenttest.Editor

// note has a title, a unique slug, links and a field that only the service writes.
func note() entry.ContentType {
	return entry.ContentType{Environment: entry.Master, ID: "note", Name: "Note", DisplayField: "title", Fields: []entry.Field{
		{ID: "title", Name: "Title", Type: entry.Symbol, Localized: true, Required: true},
		{ID: "slug", Name: "Slug", Type: entry.Symbol, Validations: []entry.Validation{{Unique: true}}},
		{ID: "about", Name: "About", Type: entry.Array, Items: &entry.Items{
			Type: entry.LinkType, LinkType: entry.KindEntry, Validations: []entry.Validation{{LinkContentType: []string{"note"}}},
		}},
		{ID: "seconds", Name: "Length of the narration", Type: entry.Integer, Disabled: true},
	}}
}

func setup(tb testing.TB) *harness {
	tb.Helper()
	opened := contenttest.Open(tb)
	h := &harness{opened, opened.Stores.Entries}
	_, err := h.SetContentType(tb.Context(), editor, note())
	require.NoError(tb, err)
	return h
}

func key(id string) entry.Key { return contenttest.Key(id) }

// titled is a draft with a title, and links to those entries.
func titled(title string, about ...string) entry.Draft {
	d := entry.Draft{Fields: entry.Fields{"title": {"en-GB": title}}}
	if len(about) > 0 {
		var links []any
		for _, id := range about {
			links = append(links, entry.Link{Kind: entry.KindEntry, ID: id}.Value())
		}
		d.Fields["about"] = map[string]any{"en-GB": links}
	}
	return d
}

// published makes an entry that readers have.
func (h *harness) published(tb testing.TB, id string, d entry.Draft) entry.Item {
	tb.Helper()
	item, err := h.Create(tb.Context(), editor, key(id), "note", d)
	require.NoError(tb, err)
	item, err = h.Publish(tb.Context(), editor, key(id), item.Version)
	require.NoError(tb, err)
	return item
}
