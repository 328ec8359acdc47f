package delivery_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// supported says which operators each path of a post has, and a value that is right for it.
var supported = map[string]struct{ ops, value string }{
	"fields.title":          {"equals ne in nin all exists match", "calm"},
	"fields.body":           {"equals ne in nin all exists match", "calm"},
	"fields.rich":           {"exists match", "calm"},
	"fields.order":          {"equals ne in nin exists lt lte gt gte", "1"},
	"fields.rating":         {"equals ne in nin exists lt lte gt gte", "1.5"},
	"fields.on":             {"equals ne in nin exists lt lte gt gte", "2026-03-01"},
	"fields.open":           {"equals ne in nin exists", "true"},
	"fields.place":          {"exists near within", "1,2"},
	"fields.data":           {"exists", ""},
	"fields.author":         {"exists", ""},
	"fields.author.sys.id":  {"equals ne in nin exists", "ada"},
	"fields.labels":         {"equals ne in nin all exists match", "calm"},
	"fields.related":        {"exists", ""},
	"fields.related.sys.id": {"equals ne in nin all exists", "p2"},
	"sys.id":                {"equals ne in nin exists", "p1"},
	"sys.createdAt":         {"equals ne in nin exists lt lte gt gte", "2026-03-01"},
	"sys.revision":          {"equals ne in nin exists lt lte gt gte", "1"},
	"metadata.tags.sys.id":  {"all in nin", "old"},
}

var operators = strings.Fields("equals ne in nin all exists lt lte gt gte match near within")

func TestEachOperatorWorksOnItsTypesAndIsRefusedOnEveryOther(t *testing.T) {
	t.Parallel()
	a := world(t)
	for path, has := range supported {
		for _, op := range operators {
			name, value := path+"["+op+"]", has.value
			switch op {
			case "equals":
				name = path
			case "exists":
				value = "true"
			case "within":
				value = "1,2,3"
			case "near":
				value = "1,2"
			}
			if value == "" {
				value = "x"
			}
			got := a.get("entries", "content_type=post", name+"="+value)
			if slices.Contains(strings.Fields(has.ops), op) {
				require.Equal(t, http.StatusOK, got.status, "%s=%s: %s", name, value, got.raw)
				continue
			}
			require.Equal(t, http.StatusBadRequest, got.status, name)
			require.Equal(t, "InvalidQuery", got.errorID(), name)
			require.Equal(t, op, got.detail(t)["name"], name)
			require.Equal(t, strings.Split(path, "."), texts(got.detail(t)["path"]), name)
			require.NotEmpty(t, got.detail(t)["type"], name)
		}
	}
}

func texts(list any) (all []string) {
	elements, _ := list.([]any)
	for _, e := range elements {
		all = append(all, e.(string))
	}
	return all
}

// refused are queries, their parameters parted by blanks, with the id of the refusal and the name of its detail.
var refused = map[string]string{
	"content_type=nothing":                                          "InvalidQuery unknownContentType",
	"fields.title=x":                                                "InvalidQuery contentTypeRequired",
	"order=fields.title":                                            "InvalidQuery contentTypeRequired",
	"select=fields.title":                                           "InvalidQuery contentTypeRequired",
	"content_type=post fields.nothing=x":                            "InvalidQuery unknown",
	"content_type=post fields.secret=hush":                          "InvalidQuery unknown",
	"content_type=post order=fields.secret":                         "InvalidQuery unknown",
	"content_type=post fields.title.x=x":                            "InvalidQuery unknown",
	"content_type=post select=fields.nothing":                       "InvalidQuery unknown",
	"content_type=post order=fields.nothing":                        "InvalidQuery unknown",
	"nothing=x":                                                     "InvalidQuery unknown",
	"sys.888=GO":                                                    "InvalidQuery unknown",
	"sys.id[like]=x":                                                "InvalidQuery unknown",
	"sys.id[in][x]=x":                                               "InvalidQuery unknown",
	"sys.id[in=x":                                                   "InvalidQuery unknown",
	"mimetype_group=image":                                          "InvalidQuery unknown",
	"select=nothing":                                                "InvalidQuery unknown",
	"select=sys.nothing":                                            "InvalidQuery unknown",
	"select=sys.id.x":                                               "InvalidQuery select",
	"order=nothing":                                                 "InvalidQuery unknown",
	"content_type=post order=fields.body":                           "InvalidQuery order",
	"content_type=post order=fields.labels":                         "InvalidQuery order",
	"content_type=post order=fields.author":                         "InvalidQuery order",
	"content_type=post fields.order=one":                            "InvalidQuery type",
	"content_type=post fields.order=1.5":                            "InvalidQuery type",
	"content_type=post fields.order[in]=1,two":                      "InvalidQuery type",
	"content_type=post fields.rating=NaN":                           "InvalidQuery type",
	"content_type=post fields.rating=1e999":                         "InvalidQuery type",
	"content_type=post fields.on=yesterday":                         "InvalidQuery type",
	"content_type=post fields.on[lt]=2026-13-01":                    "InvalidQuery type",
	"content_type=post fields.open=maybe":                           "InvalidQuery type",
	"content_type=post fields.title[exists]=1":                      "InvalidQuery type",
	"content_type=post fields.place[near]=1":                        "InvalidQuery type",
	"content_type=post fields.place[near]=91,0":                     "InvalidQuery type",
	"content_type=post fields.place[within]=1,2":                    "InvalidQuery type",
	"content_type=post fields.place[within]=1,2,3,181":              "InvalidQuery type",
	"content_type=post fields.title[match]=?":                       "InvalidQuery type",
	"content_type=post fields.author.fields.name=Ada":               "InvalidQuery contentTypeRequired",
	"content_type=post fields.author.sys.contentType.sys.id=nobody": "InvalidQuery unknownContentType",
	"content_type=post fields.title.fields.name=Ada":                "InvalidQuery reference",
	"content_type=post fields.author.sys.contentType.sys.id=author fields.author.fields.nothing=x":     "InvalidQuery unknown",
	"content_type=post fields.author.sys.contentType.sys.id=author fields.author.fields.born=x":        "InvalidQuery type",
	"content_type=post fields.author.sys.contentType.sys.id=author fields.author.fields.born[match]=x": "InvalidQuery match",

	"content_type=post content_type=author": "BadRequest",
	"sys.id=a sys.id=b":                     "BadRequest",
	"sys.id[ne][]=a":                        "BadRequest",
	"limit=1001":                            "BadRequest",
	"limit=-1":                              "BadRequest",
	"limit=ten":                             "BadRequest",
	"skip=-1":                               "BadRequest",
	"skip=1.5":                              "BadRequest",
	"skip=2147483648":                       "BadRequest",
	"include=11":                            "BadRequest",
	"include=-1":                            "BadRequest",
	"include=all":                           "BadRequest",
	"locale=it-IT":                          "BadRequest",
	"cursor=yes":                            "BadRequest",
	"cursor=true skip=1":                    "BadRequest",
	"cursor=true limit=0":                   "BadRequest",
	"pageNext=x":                            "BadRequest",
	"cursor=true pageNext=x":                "BadRequest",
	"cursor=true pageNext=x pagePrev=x":     "BadRequest",
	"a[b][c][d][e][f][g]=x":                 "BadRequest",
	"sys.id[]=x":                            "BadRequest",
	"order[20]=sys.id":                      "BadRequest",
	"order[99999999999999999999]=sys.id":    "BadRequest",
	"sys.id[in][20]=x":                      "BadRequest",
}

func TestAQueryThatMeansNothingIsRefusedAndTold(t *testing.T) {
	t.Parallel()
	a := world(t)
	for query, want := range refused {
		got := a.get("entries", strings.Fields(query)...)
		require.Equal(t, http.StatusBadRequest, got.status, "%s: %s", query, got.raw)
		require.NotEmpty(t, got.body["message"], query)
		id, detail, _ := strings.Cut(want, " ")
		require.Equal(t, id, got.errorID(), query)
		if detail != "" {
			require.Equal(t, detail, got.detail(t)["name"], query)
		}
	}
}

func TestAQueryBeyondItsLimitsIsRefused(t *testing.T) {
	t.Parallel()
	a := world(t)
	list := func(n int) (all []string) {
		for range n {
			all = append(all, "sys.id[in][]=p1")
		}
		return all
	}
	require.Equal(t, http.StatusOK, a.get("entries", list(20)...).status)
	require.Equal(t, "BadRequest", a.get("entries", list(21)...).errorID())
	require.Equal(t, "BadRequest", a.ask(http.MethodGet, base+"entries?limit=1"+strings.Repeat("&a=", 1000), "").errorID())
	require.Equal(t, http.StatusOK, a.ask(http.MethodGet, base+"entries?limit=1"+strings.Repeat("&a=", 999), "").status)
	require.Equal(t, "BadRequest", a.get("entries", "query="+strings.Repeat("x", 1001)).errorID())
	require.Equal(t, "BadRequest", a.get("entries", "query="+strings.Repeat("x ", 21)).errorID())
	require.Equal(t, "BadRequest", a.get("entries", "sys.id[in]="+strings.Repeat("a,", 1000)+"a").errorID())
	require.Equal(t, "BadRequest", a.get("entries", "select="+strings.Repeat("sys.id,", 100)+"sys.id").errorID())
	require.Equal(t, "BadRequest", a.get("entries", "order="+strings.Repeat("sys.id,", 10)+"sys.id").errorID())
	require.Equal(t, "BadRequest", a.ask(http.MethodGet, base+"entries?a=%zz", "").errorID())
	require.Equal(t, "BadRequest", a.ask(http.MethodGet, base+"entries?a=1;b=2", "").errorID())
}

func TestWhatTheDatabaseCannotHoldIsRefusedOrNotFound(t *testing.T) {
	t.Parallel()
	a := world(t)
	require.Equal(t, http.StatusBadRequest, a.get("entries", "sys.id=a\x00").status)
	require.Equal(t, http.StatusBadRequest, a.get("entries", "content_type=post", "fields.title=\xff").status)
	require.Equal(t, http.StatusBadRequest, a.get("entries", "links_to_entry=\x00").status)
	require.Equal(t, http.StatusBadRequest, a.get("entries", "query=a\xffb").status)
	require.Equal(t, http.StatusNotFound, a.get("entries/%00").status)
	require.Equal(t, http.StatusNotFound, a.ask(http.MethodGet, "/spaces/serein/environments/%00/entries", "").status)
	for _, hostile := range []string{`'; DROP TABLE published; --`, `$1`, `"}}'`, `\`, `%`, `a' OR 'a'='a`} {
		require.Empty(t, a.get("entries", "sys.id="+hostile).ids(t))
		require.Empty(t, a.get("entries", "content_type=post", "fields.title="+hostile).ids(t))
		require.Equal(t, http.StatusOK, a.get("entries", "content_type=post", "fields.title[match]=a"+hostile).status)
		require.Equal(t, http.StatusOK, a.get("entries", "query="+hostile).status)
		require.Equal(t, http.StatusBadRequest, a.get("entries", "order="+hostile).status)
		require.Equal(t, http.StatusBadRequest, a.get("entries", "locale="+hostile).status)
		require.Equal(t, http.StatusBadRequest, a.get("entries", hostile+"=x").status)
	}
}
