package delivery_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAnEntryHasTheContractsForm(t *testing.T) {
	t.Parallel()
	a := world(t)
	got := a.get("entries/p3")
	require.Equal(t, http.StatusOK, got.status, got.raw)
	require.JSONEq(t, `{
		"metadata": {"tags": [], "concepts": []},
		"sys": {
			"space": {"sys": {"type": "Link", "linkType": "Space", "id": "serein"}},
			"environment": {"sys": {"type": "Link", "linkType": "Environment", "id": "master"}},
			"contentType": {"sys": {"type": "Link", "linkType": "ContentType", "id": "post"}},
			"id": "p3", "type": "Entry", "createdAt": "2026-01-07T09:30:00.123Z", "updatedAt": "2026-01-07T09:30:00.123Z",
			"publishedVersion": 3, "revision": 1, "locale": "en-GB"
		},
		"fields": {"title": "Noon, \"bright\"", "order": 2, "place": {"lat": -33.87, "lon": 151.2}}
	}`, got.raw)
	full := a.get("entries/p1").body
	require.Equal(t, []any{tagLink("featured"), tagLink("old")}, at(full, "metadata", "tags"))
	require.Equal(t, "dream", at(at(full, "metadata", "concepts").([]any)[0], "sys", "id"))
	require.NotContains(t, at(full, "fields"), "secret", "an omitted field is not sent")
}

func tagLink(id string) any {
	return map[string]any{"sys": map[string]any{"type": "Link", "linkType": "Tag", "id": id}}
}

func TestAnAssetHasItsFile(t *testing.T) {
	t.Parallel()
	a := world(t)
	asset := a.get("assets/cover").body
	require.Equal(t, "Asset", at(asset, "sys", "type"))
	require.NotContains(t, at(asset, "sys"), "contentType")
	require.Equal(t, "//media.example/a/lake.jpg", at(asset, "fields", "file", "url"))
	require.EqualValues(t, 640, at(asset, "fields", "file", "details", "image", "width"))
	require.Equal(t, "Ein See", at(a.get("assets/cover", "locale=de-DE").body, "fields", "title"))
	require.Equal(t, "Ein See", at(a.get("assets/cover", "locale=*").body, "fields", "title", "de-DE"))
}

func TestWhatIsNotThereIsNotFound(t *testing.T) {
	t.Parallel()
	a := world(t)
	for path, kind := range map[string]string{
		"entries/nobody": "Entry", "entries/cover": "Entry", "assets/p1": "Asset", "content_types/nothing": "ContentType", "tags/none": "Tag",
		"taxonomy/concepts/none": "TaxonomyConcept", "taxonomy/concepts/none/ancestors": "TaxonomyConcept", "taxonomy/concept-schemes/none": "TaxonomyConceptScheme",
	} {
		got := a.get(path)
		require.Equal(t, http.StatusNotFound, got.status, path)
		require.Equal(t, "NotFound", got.errorID(), path)
		require.Equal(t, "The resource could not be found.", got.body["message"], path)
		require.Equal(t, kind, at(got.body, "details", "type"), path)
		require.Equal(t, "master", at(got.body, "details", "environment"), path)
		require.Equal(t, "serein", at(got.body, "details", "space"), path)
	}
	for _, path := range []string{"nothing", "entries/p1/more", "public/entries"} {
		require.Equal(t, "NotFound", a.get(path).errorID(), path)
	}
	require.Equal(t, "InvalidQuery", a.get("entries/p1", "select=fields").errorID())
	require.Equal(t, "select", a.get("entries/p1", "select=fields").detail(t)["name"])
	require.Equal(t, "unknown", a.get("entries/p1", "include=1").detail(t)["name"])
}

func TestIncludesAreFollowedAsDeepAsAskedAndRepeatNothing(t *testing.T) {
	t.Parallel()
	a := world(t)
	included := func(parameters ...string) (entries, assets, missing string) {
		got := a.get("entries", parameters...)
		require.Equal(t, http.StatusOK, got.status, got.raw)
		join := func(list any) string {
			var ids []string
			all, _ := list.([]any)
			for _, item := range all {
				id, _ := at(item, "sys", "id").(string)
				if id == "notResolvable" {
					id = at(item, "details", "linkType").(string) + ":" + at(item, "details", "id").(string)
				}
				ids = append(ids, id)
			}
			return strings.Join(ids, " ")
		}
		return join(at(got.body, "includes", "Entry")), join(at(got.body, "includes", "Asset")), join(got.body["errors"])
	}
	for query, want := range map[string][3]string{
		"sys.id=p1":                  {"ada p2", "cover", "Entry:gone"},
		"sys.id=p1 include=0":        {"", "", ""},
		"sys.id=p1 include=2":        {"ada p2 grace", "cover", "Entry:gone"},
		"sys.id=p1 include=10":       {"ada p2 grace", "cover", "Entry:gone"},
		"sys.id=ada":                 {"p1", "", ""},
		"sys.id=ada include=2":       {"p1 p2", "cover", "Entry:gone"},
		"sys.id=ada include=3":       {"p1 p2 grace", "cover", "Entry:gone"},
		"content_type=post":          {"ada grace", "cover", "Entry:gone"},
		"sys.id[in]=p1,ada,p2,grace": {"", "cover", "Entry:gone"},
		"sys.id=p3":                  {"", "", ""},
		"content_type=post sys.id=p1 select=fields.title":  {"", "", ""},
		"content_type=post sys.id=p1 select=fields.author": {"ada", "", ""},
		"content_type=post limit=0":                        {"", "", ""},
	} {
		entries, assets, missing := included(strings.Fields(query)...)
		require.Equal(t, want, [3]string{entries, assets, missing}, query)
	}
	got := a.get("entries", "sys.id=p1")
	require.Equal(t, map[string]any{
		"sys": map[string]any{"id": "notResolvable", "type": "error"}, "details": map[string]any{"type": "Link", "linkType": "Entry", "id": "gone"},
	}, got.list(t, "errors")[0])
	require.NotContains(t, a.get("entries", "sys.id=p3").body, "includes")
	require.NotContains(t, a.get("entries", "sys.id=p3").body, "errors")
}

func TestEachLocaleHasItsValuesAndThoseOfItsFallback(t *testing.T) {
	t.Parallel()
	a := world(t)
	titles := func(locale string) (all []any) {
		for _, item := range a.get("entries", "content_type=post", "order=sys.id", "locale="+locale).list(t, "items") {
			all = append(all, at(item, "fields", "title"))
		}
		return all
	}
	require.Equal(t, []any{"Morning calm", "Evening calm", `Noon, "bright"`}, titles("en-GB"))
	require.Equal(t, []any{"Ruhe am Morgen", "Evening calm", `Noon, "bright"`}, titles("de-DE"))
	require.Equal(t, []any{nil, nil, "Midi"}, titles("fr-FR"))
	french := a.get("entries/p3", "locale=fr-FR").body
	require.EqualValues(t, 2, at(french, "fields", "order"), "what is not localised has one value for all")
	require.Equal(t, "fr-FR", at(french, "sys", "locale"))
	all := a.get("entries", "sys.id=p3", "locale=*").list(t, "items")[0]
	require.Equal(t, map[string]any{"en-GB": `Noon, "bright"`, "fr-FR": "Midi"}, at(all, "fields", "title"))
	require.Equal(t, map[string]any{"en-GB": 2.0}, at(all, "fields", "order"))
	require.NotContains(t, at(all, "sys"), "locale")
}

func TestASelectionAnswersWhatIsSelectedAndNothingElse(t *testing.T) {
	t.Parallel()
	a := world(t)
	for query, want := range map[string]string{
		"select=sys.id":                       `{"sys":{"id":"p3"}}`,
		"select=sys.id,sys.type,fields.title": `{"sys":{"id":"p3","type":"Entry"},"fields":{"title":"Noon, \"bright\""}}`,
		"select=fields.body":                  `{"fields":{}}`,
		"select=fields.order,fields":          `{"fields":{"title":"Noon, \"bright\"","order":2,"place":{"lat":-33.87,"lon":151.2}}}`,
		"select=metadata":                     `{"metadata":{"tags":[],"concepts":[]}}`,
		"select=metadata.tags,sys.revision":   `{"metadata":{"tags":[]},"sys":{"revision":1}}`,
		"select=sys.locale,sys.contentType":   `{"sys":{"locale":"en-GB","contentType":{"sys":{"type":"Link","linkType":"ContentType","id":"post"}}}}`,
	} {
		got := a.get("entries", "content_type=post", "sys.id=p3", query)
		require.Equal(t, http.StatusOK, got.status, got.raw)
		item, err := json.Marshal(got.list(t, "items")[0])
		require.NoError(t, err)
		require.JSONEq(t, want, string(item), query)
	}
	cover := a.get("assets", "select=sys.type,fields.title", "sys.id=cover").list(t, "items")[0]
	require.Equal(t, map[string]any{"sys": map[string]any{"type": "Asset"}, "fields": map[string]any{"title": "A lake"}}, cover)
}
