package delivery_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/services/content/internal/delivery"
	"serein.app/services/content/internal/entry"
)

// postFields has a field of every type.
var postFields = []entry.Field{
	{ID: "title", Name: "Title", Type: entry.Symbol, Localized: true, Required: true},
	{ID: "body", Name: "Body", Type: entry.Text, Localized: true},
	{ID: "rich", Name: "Rich", Type: entry.RichText},
	{ID: "order", Name: "Order", Type: entry.Integer},
	{ID: "rating", Name: "Rating", Type: entry.Number},
	{ID: "on", Name: "On", Type: entry.Date},
	{ID: "open", Name: "Open", Type: entry.Boolean},
	{ID: "place", Name: "Place", Type: entry.Location},
	{ID: "data", Name: "Data", Type: entry.Object},
	{ID: "author", Name: "Author", Type: entry.LinkType, LinkType: entry.KindEntry},
	{ID: "cover", Name: "Cover", Type: entry.LinkType, LinkType: entry.KindAsset},
	{ID: "labels", Name: "Labels", Type: entry.Array, Items: &entry.Items{Type: entry.Symbol}},
	{ID: "related", Name: "Related", Type: entry.Array, Items: &entry.Items{Type: entry.LinkType, LinkType: entry.KindEntry}},
	{ID: "secret", Name: "Secret", Type: entry.Symbol, Omitted: true},
}

var authorFields = []entry.Field{
	{ID: "name", Name: "Name", Type: entry.Symbol},
	{ID: "born", Name: "Born", Type: entry.Integer},
	{ID: "bio", Name: "Bio", Type: entry.Text},
	{ID: "best", Name: "Best", Type: entry.LinkType, LinkType: entry.KindEntry},
}

// contentType adds one to an environment.
func (a *api) contentType(environment, id string, fields []entry.Field) {
	a.t.Helper()
	encoded, err := json.Marshal(fields)
	require.NoError(a.t, err)
	a.exec(`INSERT INTO content_types (environment, id, name, description, display_field, fields, version, created_at, updated_at)
		VALUES ($1, $2, $3, 'What it is', $4, $5, 2, $6, $6)`, environment, id, "The "+id, fields[0].ID, encoded, day(1))
}

// world is an environment with three locales, authors who link to posts and posts with every type of field.
//
//	ada    1815, links to p1           p1  everything, by ada, related to p2 and to what is gone
//	grace  1906                        p2  fewer fields, by grace
//	                                   p3  hardly any
func world(t *testing.T, change ...func(*delivery.Config)) *api {
	t.Helper()
	a := newAPI(t, change...)
	a.exec(`INSERT INTO locales (environment, code, name, fallback_code) VALUES ('master', 'de-DE', 'German', 'en-GB'), ('master', 'fr-FR', 'French', NULL)`)
	a.contentType("master", "author", authorFields)
	a.contentType("master", "post", postFields)
	a.publish("ada", "author", `{"name":{"en-GB":"Ada"},"born":{"en-GB":1815},"bio":{"en-GB":"Counted, and wrote it down."},"best":{"en-GB":`+link("Entry", "p1")+`}}`, "best=Entry:p1")
	a.publish("grace", "author", `{"name":{"en-GB":"Grace"},"born":{"en-GB":1906}}`)
	a.publish("cover", "", `{"title":{"en-GB":"A lake","de-DE":"Ein See"},"description":{"en-GB":"Still water at dawn"},
		"file":{"en-GB":{"url":"//media.example/a/lake.jpg","fileName":"lake.jpg","contentType":"image/jpeg","details":{"size":2048,"image":{"width":640,"height":480}}}}}`)
	a.publish("voice", "", `{"title":{"en-GB":"A voice"},"file":{"en-GB":{"url":"//media.example/v/voice.mp3","fileName":"voice.mp3","contentType":"audio/mpeg","details":{"size":9000}}}}`)
	a.publish("p1", "post", `{"title":{"en-GB":"Morning calm","de-DE":"Ruhe am Morgen","fr-FR":null},"body":{"en-GB":"Breathe in slowly, and out."},
		"rich":{"en-GB":{"nodeType":"document","data":{},"content":[{"nodeType":"paragraph","data":{},"content":[{"nodeType":"text","value":"Lavender fields","marks":[],"data":{}}]}]}},
		"order":{"en-GB":1},"rating":{"en-GB":4.5},"on":{"en-GB":"2026-03-01"},"open":{"en-GB":true},"place":{"en-GB":{"lat":51.5,"lon":-0.12}},"data":{"en-GB":{"a":[1]}},
		"author":{"en-GB":`+link("Entry", "ada")+`},"cover":{"en-GB":`+link("Asset", "cover")+`},"labels":{"en-GB":["calm","dawn"]},
		"related":{"en-GB":[`+link("Entry", "p2")+`,`+link("Entry", "gone")+`]},"secret":{"en-GB":"hush"},"former":{"en-GB":"gone"}}`,
		"author=Entry:ada", "cover=Asset:cover", "related=Entry:p2", "related=Entry:gone")
	a.publish("p2", "post", `{"title":{"en-GB":"Evening calm"},"body":{"en-GB":"Rest."},"order":{"en-GB":10},"rating":{"en-GB":-2},"on":{"en-GB":"2026-03-01T10:00+01:00"},
		"open":{"en-GB":false},"place":{"en-GB":{"lat":48.85,"lon":2.35}},"author":{"en-GB":`+link("Entry", "grace")+`},"labels":{"en-GB":["calm","dusk"]}}`, "author=Entry:grace")
	a.publish("p3", "post", `{"title":{"en-GB":"Noon, \"bright\"","fr-FR":"Midi"},"order":{"en-GB":2},"place":{"en-GB":{"lat":-33.87,"lon":151.2}}}`)
	a.exec(`INSERT INTO tags (environment, id, name, created_at, updated_at) VALUES ('master', 'featured', 'Featured now', $1, $1), ('master', 'old', 'Old', $2, $2)`, day(1), day(2))
	a.exec(`UPDATE published SET tags = '{featured,old}' WHERE id = 'p1'`)
	a.exec(`UPDATE published SET tags = '{old}', revision = 3 WHERE id = 'p2'`)
	a.exec(`INSERT INTO concept_schemes (id, pref_label, definition, created_at, updated_at) VALUES ('moods', '{"en-GB":"Moods"}', '{}', $1, $1)`, day(1))
	a.exec(`INSERT INTO concepts (id, scheme, pref_label, alt_labels, definition, top, created_at, updated_at) VALUES
		('calm', 'moods', '{"en-GB":"Calm"}', '{"en-GB":["Peace"]}', '{"en-GB":"At rest"}', true, $1, $1),
		('sleep', 'moods', '{"en-GB":"Sleep"}', '{}', '{}', false, $2, $2), ('dream', 'moods', '{"en-GB":"Dream"}', '{}', '{}', false, $3, $3)`, day(1), day(2), day(3))
	a.exec(`INSERT INTO concept_broader (concept, broader) VALUES ('sleep', 'calm'), ('dream', 'sleep')`)
	a.exec(`UPDATE published SET concepts = '{dream}' WHERE id = 'p1'`)
	a.exec(`UPDATE published SET concepts = '{calm}' WHERE id = 'p2'`)
	return a
}

func link(kind, id string) string {
	return `{"sys":{"type":"Link","linkType":"` + kind + `","id":"` + id + `"}}`
}
