package query_test

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"serein.app/services/content/internal/delivery/query"
	"serein.app/services/content/internal/entry"
)

var model = query.Model{
	Environment: "master",
	Locales:     entry.Locales{{Code: "en-GB", Default: true}, {Code: "de-DE", Fallback: "en-GB"}},
	Types: map[string]entry.ContentType{"post": {ID: "post", Fields: []entry.Field{
		{ID: "title", Type: entry.Symbol, Localized: true},
		{ID: "body", Type: entry.Text},
		{ID: "order", Type: entry.Integer},
		{ID: "rating", Type: entry.Number},
		{ID: "on", Type: entry.Date},
		{ID: "open", Type: entry.Boolean},
		{ID: "place", Type: entry.Location},
		{ID: "rich", Type: entry.RichText},
		{ID: "data", Type: entry.Object},
		{ID: "author", Type: entry.LinkType, LinkType: entry.KindEntry},
		{ID: "labels", Type: entry.Array, Items: &entry.Items{Type: entry.Symbol}},
		{ID: "related", Type: entry.Array, Items: &entry.Items{Type: entry.LinkType, LinkType: entry.KindEntry}},
	}}},
}

// FuzzAQueryIsReadWithinItsLimitsOrRefused: whatever is sent is either refused in the contract's form, or has
// become a query whose values are of the types of their targets, and whose order is total.
func FuzzAQueryIsReadWithinItsLimitsOrRefused(f *testing.F) {
	for _, seed := range []string{
		"", "content_type=post&fields.title%5Bin%5D=a,b&order=-fields.order,sys.id&select=fields.title,sys&limit=10&skip=5&include=10&locale=de-DE",
		"content_type=post&fields.place[near]=1,2", "content_type=post&fields.place[within]=1,2,3&fields.place[within][]=1", "query=calm+morn&links_to_entry=a",
		"content_type=post&fields.author.sys.contentType.sys.id=post&fields.author.fields.on[gte]=2026-01-01T10:00Z", "sys.id[in][]=a&sys.id[in][1]=b&order[]=sys.id",
		"cursor=true&pageNext=x&limit=3", "mimetype_group=image&fields.file.details.size[gt]=3", "metadata.tags[exists]=false&metadata.concepts.descendants[in]=a",
		"a[b][c][d][e][f][g]=x", "[]=x", "[in]=x", ".=x", "fields=x", "fields.=x", "fields.title.de-DE[ne]=x", "sys.createdAt[lt]=9999-12-31T23:59:59.999999999Z", "name[match]=%F0%9F%98%80",
		"locale=*&fields.rating=1e308&content_type=post", "%00=%ff", "content_type=post&fields.related.sys.id[all]=a", strings.Repeat("a=&", 1001),
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		values, err := query.Values(raw)
		if err != nil {
			requireRefusal(t, err)
			return
		}
		for _, of := range []query.Collection{query.Entries, query.Assets, query.ContentTypes, query.Tags} {
			q, err := query.Parse(of, model, values)
			if err != nil {
				requireRefusal(t, err)
				continue
			}
			require.True(t, q.Page.Limit >= 0 && q.Page.Limit <= 1000 && q.Page.Skip >= 0 && q.Include >= 0 && q.Include <= 10)
			require.Equal(t, query.ColumnID, q.Order[lastID(q)].Target.Column)
			for _, filter := range q.Filters {
				requireTyped(t, filter)
			}
			for _, reference := range q.References {
				require.NotEmpty(t, reference.Types)
				for _, filter := range reference.Filters {
					requireTyped(t, filter)
				}
			}
		}
	})
}

func requireRefusal(t *testing.T, err error) {
	t.Helper()
	var refusal *query.Error
	require.ErrorAs(t, err, &refusal)
	require.Contains(t, []string{query.InvalidQuery, query.BadRequest}, refusal.ID)
	require.NotEmpty(t, refusal.Message)
}

// lastID is where the id stands in the order; -1 where it does not.
func lastID(q *query.Query) int {
	for i, key := range q.Order {
		if key.Target.Column == query.ColumnID {
			return i
		}
	}
	return -1
}

func requireTyped(t *testing.T, f query.Filter) {
	t.Helper()
	require.NotEmpty(t, f.Values)
	require.LessOrEqual(t, len(f.Values), 1000)
	for _, value := range f.Values {
		switch v := value.(type) {
		case bool:
			require.True(t, f.Op == query.Exists || f.Target.Type == entry.Boolean)
		case int64:
			require.Equal(t, entry.Integer, f.Target.Type)
		case float64:
			require.True(t, f.Target.Type == entry.Number || f.Op == query.Near || f.Op == query.Within)
			require.False(t, math.IsInf(v, 0) || math.IsNaN(v))
		case time.Time:
			require.Equal(t, entry.Date, f.Target.Type)
		case string:
			require.NotContains(t, []entry.Type{entry.Integer, entry.Number, entry.Date, entry.Boolean, entry.Location}, f.Target.Type)
		default:
			t.Fatalf("a value of type %T", value)
		}
	}
}
