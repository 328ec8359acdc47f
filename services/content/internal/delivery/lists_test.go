package delivery_test

import (
	"encoding/base64"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestTheSpaceTellsItsLocales(t *testing.T) {
	t.Parallel()
	a := world(t)
	got := a.ask(http.MethodGet, "/spaces/serein/", "")
	require.JSONEq(t, `{"sys":{"type":"Space","id":"serein"},"name":"Serein","locales":[
		{"code":"en-GB","name":"English (United Kingdom)","default":true,"fallbackCode":null},
		{"code":"de-DE","name":"German","default":false,"fallbackCode":"en-GB"},
		{"code":"fr-FR","name":"French","default":false,"fallbackCode":null}]}`, got.raw)
	locales := a.get("locales")
	require.EqualValues(t, 3, locales.body["total"])
	require.EqualValues(t, 1000, locales.body["limit"])
	require.Equal(t, map[string]any{"id": "de-DE", "type": "Locale", "version": 1.0}, at(locales.list(t, "items")[1], "sys"))
}

func TestContentTypesTellTheirFields(t *testing.T) {
	t.Parallel()
	a := world(t)
	require.Equal(t, []string{"author", "post"}, a.get("content_types").ids(t))
	require.Equal(t, []string{"post"}, a.get("content_types", "order=-sys.id", "limit=1").ids(t))
	require.Equal(t, []string{"post"}, a.get("content_types", "sys.id[in]=post,none").ids(t))
	require.Equal(t, []string{"author"}, a.get("content_types", "name[match]=auth").ids(t))
	require.Equal(t, []string{"author"}, a.get("content_types", "query=AUTH").ids(t))
	require.Equal(t, []string{"author", "post"}, a.get("content_types", "query=").ids(t))
	require.Equal(t, "InvalidQuery", a.get("content_types", "fields.title=x").errorID())
	require.Equal(t, "InvalidQuery", a.get("content_types", "select=sys").errorID())
	post := a.get("content_types/post").body
	require.Equal(t, "ContentType", at(post, "sys", "type"))
	require.EqualValues(t, 2, at(post, "sys", "revision"))
	require.Equal(t, "title", post["displayField"])
	fields, _ := post["fields"].([]any)
	require.Len(t, fields, len(postFields))
	require.Equal(t, map[string]any{
		"id": "labels", "name": "Labels", "type": "Array", "localized": false, "required": false, "disabled": false, "omitted": false,
		"validations": []any{}, "items": map[string]any{"type": "Symbol", "validations": []any{}},
	}, fields[11])
	require.Equal(t, "Asset", at(fields[10], "linkType"))
	require.Equal(t, true, at(fields[13], "omitted"))
}

func TestTagsAreFoundByNameAndId(t *testing.T) {
	t.Parallel()
	a := world(t)
	for query, want := range map[string]string{
		"": "featured old", "order=-name": "old featured", "order=sys.createdAt": "featured old", "name=Old": "old", "name[ne]=Old": "featured",
		"name[in]=Old,New": "old", "name[nin]=Old": "featured", "name[match]=feat": "featured", "name[exists]=true": "featured old",
		"sys.id=old": "old", "sys.visibility=public": "featured old", "sys.visibility=private": "", "sys.createdAt[gt]=2026-01-01T12:00:00Z": "old",
		"limit=1 skip=1": "old",
	} {
		require.Equal(t, want, strings.Join(a.get("tags", strings.Fields(query)...).ids(t), " "), query)
	}
	tag := a.get("tags/featured").body
	require.Equal(t, "Featured now", tag["name"])
	require.Equal(t, "public", at(tag, "sys", "visibility"))
	require.Equal(t, "unknown", a.get("tags", "fields.x=1").detail(t)["name"])
	require.Equal(t, "near", a.get("tags", "name[near]=1,2").detail(t)["name"])
}

func TestAssetsAreFoundByTheirFieldsAndTheirFile(t *testing.T) {
	t.Parallel()
	a := world(t)
	for query, want := range map[string]string{
		"": "cover voice", "mimetype_group=image": "cover", "mimetype_group=audio": "voice", "mimetype_group=video": "", "mimetype_group=attachment": "",
		"fields.title=A|lake": "cover", "fields.title[match]=voi": "voice", "fields.description[exists]=true": "cover", "fields.file.fileName=lake.jpg": "cover",
		"fields.file.contentType[in]=audio/mpeg,audio/wav": "voice", "fields.file.details.size[gt]=4000": "voice", "fields.file.details.size=2048": "cover",
		"fields.file.details.image.width[lte]=640": "cover", "fields.file[exists]=true": "cover voice", "fields.file.fileName[match]=voi": "voice",
		"query=dawn": "cover", "sys.id[ne]=voice": "cover", "order=fields.file.details.size": "cover voice", "order=-fields.file.fileName": "voice cover",
		"order=fields.title": "cover voice", "locale=de-DE fields.title=Ein|See": "cover", "metadata.tags[exists]=false": "cover voice",
	} {
		parameters := strings.Fields(query)
		for i := range parameters {
			parameters[i] = strings.ReplaceAll(parameters[i], "|", " ")
		}
		if !strings.Contains(query, "order=") {
			parameters = append(parameters, "order=sys.createdAt")
		}
		require.Equal(t, want, strings.Join(a.get("assets", parameters...).ids(t), " "), query)
	}
	a.exec(`UPDATE published SET fields = jsonb_set(fields, '{file,en-GB,contentType}', '"application/x-unheard-of"') WHERE id = 'voice'`)
	require.Equal(t, []string{"voice"}, a.get("assets", "mimetype_group=attachment").ids(t))
	for query, name := range map[string]string{
		"content_type=post": "unknown", "mimetype_group=sounds": "mimetype_group", "fields.nothing=x": "unknown", "fields.file.details.size=big": "type",
		"fields.file.secret=x": "unknown", "links_to_entry=p1": "unknown", "order=fields.file": "order", "order=fields.description": "order",
	} {
		require.Equal(t, name, a.get("assets", query).detail(t)["name"], query)
	}
}

func TestTheTotalIsExactWhateverComesAndGoes(t *testing.T) {
	t.Parallel()
	a := world(t)
	total := func(path string, query ...string) string {
		return fmt.Sprint(a.get(path, append(query, "limit=1")...).body["total"])
	}
	counted := func(path string, query ...string) string { return fmt.Sprint(len(a.get(path, query...).ids(t))) }
	agree := func() {
		t.Helper()
		require.Equal(t, counted("entries"), total("entries"))
		require.Equal(t, counted("entries", "content_type=post"), total("entries", "content_type=post"))
		require.Equal(t, counted("assets"), total("assets"))
	}
	agree()
	before := total("entries")
	a.publish("more", "post", `{}`)
	a.publish("more", "post", `{"title":{"en-GB":"Again"}}`)
	agree()
	require.NotEqual(t, before, total("entries"))
	a.remove("Entry", "more")
	a.remove("Asset", "cover")
	agree()
	require.Equal(t, before, total("entries"))
}

func TestTaxonomyListsAncestorsAndDescendants(t *testing.T) {
	t.Parallel()
	a := world(t)
	for path, want := range map[string]string{
		"concepts": "calm dream sleep", "concepts?conceptScheme=moods": "calm dream sleep", "concepts?conceptScheme=none": "", "concepts?order=-sys.createdAt": "dream sleep calm",
		"concepts?order=prefLabel": "calm dream sleep", "concepts/dream/ancestors": "calm sleep", "concepts/dream/ancestors?depth=1": "sleep",
		"concepts/calm/descendants": "dream sleep", "concepts/calm/descendants?depth=1": "sleep", "concepts/calm/ancestors": "", "concept-schemes": "moods",
	} {
		got := a.ask(http.MethodGet, base+"taxonomy/"+path, "")
		require.Equal(t, want, strings.Join(got.ids(t), " "), path)
		require.NotContains(t, got.body, "total")
		require.Contains(t, got.body, "pages")
	}
	calm := a.get("taxonomy/concepts/calm").body
	require.Equal(t, "Calm", at(calm, "prefLabel", "en-GB"))
	require.Equal(t, []any{"Peace"}, at(calm, "altLabels", "en-GB"))
	require.Equal(t, "TaxonomyConcept", at(calm, "sys", "type"))
	require.Equal(t, "moods", at(calm["conceptSchemes"].([]any)[0], "sys", "id"))
	require.Equal(t, "calm", at(a.get("taxonomy/concepts/sleep").body["broader"].([]any)[0], "sys", "id"))
	moods := a.get("taxonomy/concept-schemes/moods").body
	require.EqualValues(t, 3, moods["totalConcepts"])
	require.Len(t, moods["topConcepts"], 1)
	first := a.get("taxonomy/concepts", "limit=2")
	second := a.get("taxonomy/concepts", "limit=2", first.page(t, "next", "pageNext"))
	require.Equal(t, []string{"sleep"}, second.ids(t))
	require.Equal(t, first.ids(t), a.get("taxonomy/concepts", "limit=2", second.page(t, "prev", "pagePrev")).ids(t))
	for _, wrong := range []string{"limit=0", "limit=1001", "order=name", "depth=1", "pageNext=x", "nothing=x", "conceptScheme=moods&pageNext=" + first.page(t, "next", "pageNext")[9:]} {
		require.Equal(t, http.StatusBadRequest, a.ask(http.MethodGet, base+"taxonomy/concepts?"+wrong, "").status, wrong)
	}
}

func TestAnAssetKeyLivesFortyEightHoursAtMost(t *testing.T) {
	t.Parallel()
	a := world(t)
	now := time.Now().Unix()
	key := func(body string) answer { return a.ask(http.MethodPost, base+"asset_keys", body) }
	for _, expires := range []int64{now + 60, now + 48*3600} {
		got := key(fmt.Sprintf(`{"expiresAt":%d}`, expires))
		require.Equal(t, http.StatusCreated, got.status, got.raw)
		secret, err := base64.RawURLEncoding.DecodeString(got.body["secret"].(string))
		require.NoError(t, err)
		require.Len(t, secret, 32)
		require.NotContains(t, got.body["policy"], got.body["secret"])
		require.NotEqual(t, got.body["secret"], key(fmt.Sprintf(`{"expiresAt":%d}`, expires)).body["secret"])
	}
	for _, wrong := range []string{
		`{}`, `{"expiresAt":"soon"}`, `{"expiresAt":null}`, `{"expiresAt":1.5}`, fmt.Sprintf(`{"expiresAt":"%d"}`, now+60),
		fmt.Sprintf(`{"expiresAt":%d}`, now-60), fmt.Sprintf(`{"expiresAt":%d}`, now+48*3600+60), `{"expiresAt":1e300}`,
	} {
		got := key(wrong)
		require.Equal(t, http.StatusUnprocessableEntity, got.status, wrong)
		require.Equal(t, "ValidationFailed", got.errorID())
		require.Equal(t, "expiresAt", got.detail(t)["name"])
	}
	for _, wrong := range []string{"", "[]", "{", `"x"`, strings.Repeat(" ", 5000)} {
		require.Equal(t, "BadRequest", key(wrong).errorID(), wrong)
	}
	require.Equal(t, "NotFound", a.ask(http.MethodPost, base+"entries", "{}").errorID())
	require.Equal(t, "AccessTokenInvalid", a.ask(http.MethodPost, base+"asset_keys", "{}", "Authorization", "").errorID())
}
