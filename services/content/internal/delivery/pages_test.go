package delivery_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestItemsComeInTheOrderAskedFor(t *testing.T) {
	t.Parallel()
	a := world(t)
	for query, want := range map[string]string{
		"":                                     "p3 p2 p1",
		"order=sys.createdAt":                  "p1 p2 p3",
		"order=-sys.id":                        "p3 p2 p1",
		"order=-sys.publishedAt":               "p3 p2 p1",
		"order[]=fields.open order[]=sys.id":   "p2 p1 p3",
		"order[0]=fields.open order[1]=sys.id": "p2 p1 p3",
		"order=fields.order":                   "p1 p3 p2",
		"order=-fields.order":                  "p2 p3 p1",
		"order=fields.title":                   "p2 p1 p3",
		"order=fields.rating":                  "p2 p1 p3",
		"order=-fields.rating":                 "p1 p2 p3",
		"order=fields.on":                      "p1 p2 p3",
		"order=fields.open,sys.id":             "p2 p1 p3",
		"order=fields.author.sys.id":           "p1 p2 p3",
		"order=-fields.author.sys.id":          "p2 p1 p3",
		"order=fields.place":                   "p3 p2 p1",
		"order=-fields.open,-fields.title":     "p1 p2 p3",
		"order=sys.contentType.sys.id,-sys.revision,fields.order": "p2 p1 p3",
		"fields.place[near]=48,2":                                 "p2 p1 p3",
		"fields.place[near]=-30,150":                              "p3 p2 p1",
		"order=fields.title locale=de-DE":                         "p2 p3 p1",
	} {
		got := a.get("entries", append(strings.Fields(query), "content_type=post")...)
		require.Equal(t, want, strings.Join(got.ids(t), " "), query)
	}
}

func TestPagesBySkipTellHowMuchThereIs(t *testing.T) {
	t.Parallel()
	a := world(t)
	for query, want := range map[string][4]any{
		"":                 {"ada grace p1 p2 p3", 5, 0, 100},
		"limit=2":          {"ada grace", 5, 0, 2},
		"limit=2 skip=2":   {"p1 p2", 5, 2, 2},
		"limit=2 skip=4":   {"p3", 5, 4, 2},
		"limit=2 skip=5":   {"", 5, 5, 2},
		"limit=2 skip=900": {"", 5, 900, 2},
		"skip=2147483647":  {"", 5, 2147483647, 100},
		"limit=0":          {"", 5, 0, 0},
		"limit=5":          {"ada grace p1 p2 p3", 5, 0, 5},
	} {
		got := a.get("entries", append(strings.Fields(query), "order=sys.createdAt")...)
		require.Equal(t, want[0], strings.Join(got.ids(t), " "), query)
		require.Equal(t, map[string]any{"type": "Array"}, got.body["sys"])
		for i, name := range []string{"total", "skip", "limit"} {
			require.EqualValues(t, want[i+1], got.body[name], "%s of %s", name, query)
		}
	}
}

// page is the parameter of the page beside this one, as the public client takes it out of the address.
func (g answer) page(tb testing.TB, name, parameter string) string {
	tb.Helper()
	link, ok := at(g.body, "pages", name).(string)
	if !ok {
		return ""
	}
	parsed, err := url.Parse(link)
	require.NoError(tb, err)
	require.True(tb, parsed.IsAbs(), link)
	return parameter + "=" + parsed.Query().Get(parameter)
}

func TestPagesByCursorLeadThroughEverythingAndBack(t *testing.T) {
	t.Parallel()
	a := world(t)
	for _, query := range []string{
		"", "order=sys.createdAt", "order=fields.title", "order=-fields.title", "order=fields.rating", "order=-fields.rating", "order=fields.on", "order=-fields.on,sys.id",
		"order=fields.open", "order=fields.author.sys.id", "order=-fields.author.sys.id", "order=fields.place", "fields.place[near]=48,2", "order=-sys.revision,fields.rating",
	} {
		all := append(strings.Fields(query), "content_type=post")
		want := a.get("entries", all...).ids(t)
		all = append(all, "cursor=true", "limit=1")
		var forth, back []string
		page := a.get("entries", all...)
		require.NotContains(t, page.body, "total")
		require.NotContains(t, page.body, "skip")
		require.Empty(t, page.page(t, "prev", "pagePrev"), "nothing comes before the first page")
		for {
			forth = append(forth, page.ids(t)...)
			next := page.page(t, "next", "pageNext")
			if next == "" {
				break
			}
			page = a.get("entries", append(all, next)...)
		}
		require.Equal(t, want, forth, query)
		for {
			back = append(page.ids(t), back...)
			prev := page.page(t, "prev", "pagePrev")
			if prev == "" {
				break
			}
			page = a.get("entries", append(all, prev)...)
		}
		require.Equal(t, want, back, query)
		require.NotEmpty(t, page.page(t, "next", "pageNext"))
	}
	assets := a.get("assets", "cursor=true", "limit=1")
	require.Equal(t, []string{"voice"}, assets.ids(t))
	require.Equal(t, []string{"cover"}, a.get("assets", "cursor=true", "limit=1", assets.page(t, "next", "pageNext")).ids(t))
}

func TestAPageIsNotMovedByWhatComesBeforeIt(t *testing.T) {
	t.Parallel()
	a := world(t)
	first := a.get("entries", "cursor=true", "limit=2")
	require.Equal(t, []string{"p3", "p2"}, first.ids(t))
	a.publish("p4", "post", `{"title":{"en-GB":"New"}}`)
	require.Equal(t, []string{"p1", "grace"}, a.get("entries", "cursor=true", "limit=2", first.page(t, "next", "pageNext")).ids(t))
}

func TestAPageTokenIsItsQuerysAlone(t *testing.T) {
	t.Parallel()
	a := world(t)
	next := a.get("entries", "cursor=true", "limit=1", "content_type=post").page(t, "next", "pageNext")
	require.Equal(t, http.StatusOK, a.get("entries", "cursor=true", "limit=2", "content_type=post", next).status, "its length may change")
	for _, other := range [][]string{
		{"cursor=true", next},
		{"cursor=true", "content_type=post", "order=sys.id", next},
		{"cursor=true", "content_type=author", next},
		{"cursor=true", "content_type=post", next + "A"},
		{"cursor=true", "content_type=post", next[:len(next)-2]},
		{"cursor=true", "content_type=post", "pageNext=made-up"},
		{"cursor=true", "content_type=post", "pagePrev=%"},
	} {
		require.Equal(t, "BadRequest", a.get("entries", other...).errorID(), other)
	}
	require.Equal(t, "BadRequest", a.get("assets", "cursor=true", next).errorID())
}
