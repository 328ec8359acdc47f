package delivery_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"serein.app/services/content/internal/entry"
	store "serein.app/services/content/internal/postgres"
	"serein.app/services/platform/outbox"
	"serein.app/services/testkit"
)

// token of the next page or round, as the public client takes it out of the address.
func (g answer) token(tb testing.TB, link string) string {
	tb.Helper()
	require.Equal(tb, http.StatusOK, g.status, g.raw)
	url, ok := g.body[link].(string)
	require.True(tb, ok, "%s in %s", link, g.raw)
	_, query, _ := strings.Cut(url, "?")
	token := strings.TrimPrefix(query, "sync_token=")
	require.Regexp(tb, `^[A-Za-z0-9_-]+$`, token)
	return token
}

// told lists what a sync's pages tell, as type:id, and gives the token of the next round.
func (a *api) told(first ...string) (all []string, next string) {
	a.t.Helper()
	page := a.get("sync", first...)
	for {
		for _, item := range page.list(a.t, "items") {
			all = append(all, fmt.Sprint(at(item, "sys", "type"), ":", at(item, "sys", "id")))
		}
		if page.body["nextPageUrl"] == nil {
			return all, page.token(a.t, "nextSyncUrl")
		}
		require.Nil(a.t, page.body["nextSyncUrl"])
		page = a.get("sync", "sync_token="+page.token(a.t, "nextPageUrl"))
	}
}

func TestASyncTellsEverythingOncePageByPageAndThenOnlyWhatHasChanged(t *testing.T) {
	t.Parallel()
	a := world(t)
	all, next := a.told("initial=true", "limit=2")
	require.Equal(t, []string{"Entry:ada", "Entry:grace", "Asset:cover", "Asset:voice", "Entry:p1", "Entry:p2", "Entry:p3"}, all)
	none, next := a.told("sync_token=" + next)
	require.Empty(t, none)
	a.publish("p4", "post", `{"title":{"en-GB":"New"}}`)
	a.publish("p2", "post", `{"title":{"en-GB":"Changed"}}`)
	a.remove("Entry", "p3")
	a.remove("Asset", "voice")
	changed, next := a.told("sync_token=" + next)
	require.Equal(t, []string{"Entry:p4", "Entry:p2", "DeletedEntry:p3", "DeletedAsset:voice"}, changed)
	again, _ := a.told("sync_token=" + next)
	require.Empty(t, again)
}

// An answer holds 7 MiB, and the limit stands in the token: a page that is refused for its size could never be got past.
func TestAPageOfASyncHoldsAsManyItemsAsAnAnswerMay(t *testing.T) {
	t.Parallel()
	a := world(t)
	long := strings.Repeat("A long evening. ", 3000)
	for i := range 160 {
		a.publish(fmt.Sprintf("long%03d", i), "post", fmt.Sprintf(`{"title":{"en-GB":"Long"},"body":{"en-GB":%q}}`, long))
	}
	page := a.get("sync", "initial=true", "limit=1000")
	require.Equal(t, http.StatusOK, page.status)
	require.Contains(t, page.body, "nextPageUrl")
	require.Greater(t, len(page.list(t, "items")), 100)
	all, next := a.told("initial=true", "limit=1000")
	require.Len(t, all, 7+160)
	seen := map[string]bool{}
	for _, item := range all {
		require.False(t, seen[item], "the sync sends %s once", item)
		seen[item] = true
	}
	none, _ := a.told("sync_token=" + next)
	require.Empty(t, none)
}

func TestDeletionDuringInitialSyncComesInTheNextRound(t *testing.T) {
	t.Parallel()
	a := world(t)
	first := a.get("sync", "initial=true", "limit=3")
	a.remove("Entry", "ada")
	a.publish("grace", "author", `{"name":{"en-GB":"Grace H"}}`)
	a.publish("late", "author", `{"name":{"en-GB":"Late"}}`)
	rest, next := a.told("sync_token=" + first.token(t, "nextPageUrl"))
	require.Equal(t, []string{"Asset:voice", "Entry:p1", "Entry:p2", "Entry:p3"}, rest)
	changed, _ := a.told("sync_token=" + next)
	require.Equal(t, []string{"DeletedEntry:ada", "Entry:grace", "Entry:late"}, changed)
}

func TestASyncIsOfOneTypeWhereItIsAskedFor(t *testing.T) {
	t.Parallel()
	a := world(t)
	a.remove("Entry", "p3")
	a.remove("Asset", "voice")
	for query, want := range map[string]string{
		"type=all":                     "Entry:ada Entry:grace Asset:cover Entry:p1 Entry:p2",
		"type=Entry":                   "Entry:ada Entry:grace Entry:p1 Entry:p2",
		"type=Asset":                   "Asset:cover",
		"type=Deletion":                "DeletedEntry:p3 DeletedAsset:voice",
		"type=DeletedEntry":            "DeletedEntry:p3",
		"type=DeletedAsset":            "DeletedAsset:voice",
		"content_type=author":          "Entry:ada Entry:grace",
		"type=Entry content_type=post": "Entry:p1 Entry:p2",
	} {
		for _, limit := range []string{"limit=1", "limit=1000"} {
			all, _ := a.told(append(strings.Fields(query), "initial=true", limit)...)
			require.Equal(t, want, strings.Join(all, " "), query)
		}
	}
}

func TestASyncOfOneTypeTellsWhatIsGoneOfItAndOfNothingElse(t *testing.T) {
	t.Parallel()
	a := world(t)
	next := map[string]string{}
	want := map[string][]string{
		"type=Asset": {"DeletedAsset:voice"}, "type=Entry": {"DeletedEntry:ada", "DeletedEntry:p3"},
		"type=Entry content_type=post": {"DeletedEntry:p3"}, "content_type=author": {"DeletedEntry:ada"},
	}
	for query := range want {
		_, next[query] = a.told(append(strings.Fields(query), "initial=true")...)
	}
	a.remove("Asset", "voice")
	a.remove("Entry", "ada")
	a.remove("Entry", "p3")
	for query, gone := range want {
		told, _ := a.told("sync_token=" + next[query])
		require.Equal(t, gone, told, query)
	}
}

func TestASyncTellsEveryLocaleAndNoIncludes(t *testing.T) {
	t.Parallel()
	a := world(t)
	page := a.get("sync", "initial=true", "content_type=post")
	p1 := page.list(t, "items")[0]
	require.Equal(t, "Ruhe am Morgen", at(p1, "fields", "title", "de-DE"))
	require.NotContains(t, at(p1, "fields", "title"), "fr-FR", "null is no value")
	require.Nil(t, at(p1, "fields", "secret"), "an omitted field is not sent")
	require.Nil(t, at(p1, "sys", "locale"))
	require.Equal(t, "post", at(p1, "sys", "contentType", "sys", "id"))
	require.Nil(t, page.body["includes"])
	require.Nil(t, page.body["total"])
	a.remove("Entry", "p3")
	deletion := a.get("sync", "initial=true", "type=Deletion").list(t, "items")[0]
	sys, _ := at(deletion, "sys").(map[string]any)
	require.Len(t, deletion, 1)
	for _, property := range []string{"type", "id", "space", "environment", "revision", "createdAt", "updatedAt", "deletedAt"} {
		require.Contains(t, sys, property)
	}
}

func TestNothingMayAccompanyASyncTokenAndNoneCanBeMadeUp(t *testing.T) {
	t.Parallel()
	a := world(t)
	_, next := a.told("initial=true")
	other := string(next[0]^1) + next[1:] // another letter or digit, or none of the alphabet
	for _, query := range []string{
		"", "initial=false", "initial=true type=Nothing", "initial=true content_type=nothing", "initial=true limit=0", "initial=true limit=1001",
		"initial=true limit=x", "initial=true locale=en-GB", "initial=true type=Asset content_type=post", "initial=true sync_token=" + next,
		"sync_token=" + next + " limit=10", "sync_token=" + next + " type=Entry", "sync_token=" + next + " sync_token=" + next,
		"sync_token=made-up", "sync_token=%%%", "sync_token=" + next[:len(next)-1], "sync_token=" + other, "sync_token=" + next + "A",
	} {
		got := a.get("sync", strings.Fields(query)...)
		require.Equal(t, http.StatusBadRequest, got.status, query)
		require.Contains(t, []string{"BadRequest", "InvalidQuery"}, got.errorID(), query)
	}
	a.exec("INSERT INTO environments (id) VALUES ('trial')")
	a.exec("INSERT INTO locales (environment, code, name, is_default) VALUES ('trial', 'en-GB', 'English', true)")
	elsewhere := a.ask(http.MethodGet, "/spaces/serein/environments/trial/sync?sync_token="+next, "")
	require.Equal(t, "BadRequest", elsewhere.errorID(), "a token is its environment's")
}

// The token belongs to a deleted copy. A sync that accepted it would miss the changes in that copy, and those in master before the
// next copy was made.
func TestSyncRefusesTokenOfDeletedAndRecreatedCopy(t *testing.T) {
	t.Parallel()
	a := world(t)
	content := store.Open(a.Pool, outbox.New(a.Pool, nil, "content", testkit.Logger(t), time.Now), time.Now).Entries
	somebody := entry.Actor{Name: "amara", Editor: true}
	renew := func() {
		require.NoError(t, content.DeleteEnvironment(t.Context(), somebody, "trial"))
		_, err := content.CreateEnvironment(t.Context(), somebody, "trial")
		require.NoError(t, err)
		a.ahead.Add(int64(2 * time.Second)) // what is known of an environment is used for a second
	}
	sync := func(query string) answer {
		return a.ask(http.MethodGet, "/spaces/serein/environments/trial/sync?"+query, "")
	}
	renew()
	next := sync("initial=true").token(t, "nextSyncUrl")
	next = sync("sync_token="+next).token(t, "nextSyncUrl")
	master := a.get("sync", "initial=true").token(t, "nextSyncUrl")
	a.remove("Entry", "p3")
	renew()
	got := sync("sync_token=" + next)
	require.Equal(t, "BadRequest", got.errorID())
	require.Contains(t, got.body["message"], `start a new sync with "initial"`)
	sync("initial=true").token(t, "nextSyncUrl")
	a.get("sync", "sync_token="+master).token(t, "nextSyncUrl")
}

func TestATokenThatDeletionsMayHaveOutlivedIsRefused(t *testing.T) {
	t.Parallel()
	a := world(t)
	_, next := a.told("initial=true")
	a.ahead.Store(int64(364 * 24 * time.Hour))
	_, renewed := a.told("sync_token=" + next)
	a.ahead.Store(int64(366 * 24 * time.Hour))
	got := a.get("sync", "sync_token="+next)
	require.Equal(t, "BadRequest", got.errorID())
	require.Contains(t, got.body["message"], "too old")
	require.Equal(t, http.StatusOK, a.get("sync", "sync_token="+renewed).status, "each round restarts the year")
}

func TestASyncOfAnEmptyEnvironmentTellsNothingAndGoesOn(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	none, next := a.told("initial=true")
	require.Empty(t, none)
	a.contentType("master", "author", authorFields)
	a.publish("ada", "author", `{"name":{"en-GB":"Ada"}}`)
	all, _ := a.told("sync_token=" + next)
	require.Equal(t, []string{"Entry:ada"}, all)
}
