package delivery_test

import (
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"serein.app/services/content/internal/delivery"
	"serein.app/services/platform/config"
)

func TestAReadTokenIsNeededAndReadsItsEnvironmentsAlone(t *testing.T) {
	t.Parallel()
	a := world(t)
	a.exec("INSERT INTO environments (id) VALUES ('trial')")
	a.exec("INSERT INTO locales (environment, code, name, is_default) VALUES ('trial', 'en-GB', 'English', true)")
	a.contentType("trial", "author", authorFields)
	a.publishIn("trial", "ada", "author", `{"name":{"en-GB":"Ada on trial"}}`)
	trial := "/spaces/serein/environments/trial/entries"
	for _, credentials := range [][2]string{{"", ""}, {"Bearer wrong", ""}, {"Basic " + token, ""}, {"", "?access_token=wrong"}, {"Bearer ", "?access_token="}} {
		got := a.ask(http.MethodGet, base+"entries"+credentials[1], "", "Authorization", credentials[0])
		require.Equal(t, http.StatusUnauthorized, got.status, credentials)
		require.Equal(t, "AccessTokenInvalid", got.errorID())
	}
	require.Len(t, a.ask(http.MethodGet, base+"entries?access_token="+token, "", "Authorization", "").ids(t), 5)
	require.Equal(t, []string{"ada"}, a.ask(http.MethodGet, trial, "").ids(t))
	require.Equal(t, "Ada on trial", at(a.ask(http.MethodGet, trial+"/ada", "").body, "fields", "name"))
	for path, kind := range map[string]string{trial: "Environment", "/spaces/serein/environments/none/entries": "Environment", "/spaces/other/entries": "Space"} {
		got := a.ask(http.MethodGet, path, "", "Authorization", "Bearer "+masterToken)
		require.Equal(t, "NotFound", got.errorID(), path)
		require.Equal(t, kind, at(got.body, "details", "type"), path)
	}
	require.Len(t, a.ask(http.MethodGet, "/spaces/serein/entries", "", "Authorization", "Bearer "+masterToken).ids(t), 5, "master is meant where none is named")
}

func TestReadTokensAreReadFromTheConfiguration(t *testing.T) {
	t.Parallel()
	for _, wrong := range []config.Secret{"", "short", "a-read-token-that-is-long,short", "a-read-token-that-is-long=no environment", "a-read-token-that-is-long="} {
		_, err := delivery.ParseTokens(wrong)
		require.Error(t, err)
		require.NotContains(t, err.Error(), "a-read-token")
	}
}

func TestWhoHasTheAnswerIsNotSentItAgain(t *testing.T) {
	t.Parallel()
	a := world(t)
	first := a.get("entries", "content_type=post")
	tag := first.header.Get("Etag")
	require.NotEmpty(t, tag)
	path := base + "entries?content_type=post"
	for _, have := range []string{tag, "W/" + tag, `"other", ` + tag, "*"} {
		again := a.ask(http.MethodGet, path, "", "If-None-Match", have)
		require.Equal(t, http.StatusNotModified, again.status)
		require.Empty(t, again.raw)
		require.Equal(t, tag, again.header.Get("Etag"))
	}
	a.publish("p3", "post", `{"title":{"en-GB":"Changed"}}`)
	changed := a.ask(http.MethodGet, path, "", "If-None-Match", tag)
	require.Equal(t, http.StatusOK, changed.status)
	require.NotEqual(t, tag, changed.header.Get("Etag"))
	require.Equal(t, http.StatusUnauthorized, a.ask(http.MethodGet, path, "", "If-None-Match", tag, "Authorization", "").status)
	head := a.ask(http.MethodHead, path, "")
	require.Equal(t, http.StatusOK, head.status)
	require.Equal(t, changed.header.Get("Etag"), head.header.Get("Etag"))
	require.Equal(t, strconv.Itoa(len(changed.raw)), head.header.Get("Content-Length"))
}

func TestPagesOfAnyOriginMayRead(t *testing.T) {
	t.Parallel()
	a := world(t)
	preflight := a.ask(http.MethodOptions, base+"entries", "", "Authorization", "", "Origin", "https://elsewhere.example",
		"Access-Control-Request-Headers", "authorization,content-type,x-contentful-user-agent", "Access-Control-Request-Method", "GET")
	require.Equal(t, http.StatusNoContent, preflight.status)
	require.Equal(t, "*", preflight.header.Get("Access-Control-Allow-Origin"))
	require.Equal(t, "86400", preflight.header.Get("Access-Control-Max-Age"))
	allowed := strings.ToLower(preflight.header.Get("Access-Control-Allow-Headers"))
	for _, name := range []string{"authorization", "content-type", "x-contentful-user-agent", "if-none-match", "x-contentful-locale-based-publishing"} {
		require.Contains(t, strings.Split(allowed, ","), name)
	}
	for _, method := range []string{"GET", "HEAD", "POST", "OPTIONS"} {
		require.Contains(t, strings.Split(preflight.header.Get("Access-Control-Allow-Methods"), ","), method)
	}
	for _, got := range []answer{a.get("entries"), a.get("nothing"), a.ask(http.MethodGet, base+"entries", "", "Authorization", "")} {
		require.Equal(t, "*", got.header.Get("Access-Control-Allow-Origin"))
		require.Contains(t, got.header.Get("Access-Control-Expose-Headers"), "Etag")
		require.NotEmpty(t, got.header.Get("X-Contentful-Request-Id"))
		require.Equal(t, "application/vnd.contentful.delivery.v1+json", got.header.Get("Content-Type"))
		require.Equal(t, "nosniff", got.header.Get("X-Content-Type-Options"))
		require.Contains(t, got.header.Get("Content-Security-Policy"), "frame-ancestors 'none'")
		require.Equal(t, "max-age=63072000; includeSubDomains", got.header.Get("Strict-Transport-Security"))
	}
}

func TestEveryRefusalNamesItsRequest(t *testing.T) {
	t.Parallel()
	a := world(t)
	first, second := a.get("entries", "limit=x"), a.get("entries", "limit=x")
	require.NotEqual(t, first.body["requestId"], second.body["requestId"])
	require.Equal(t, first.header.Get("X-Contentful-Request-Id"), first.body["requestId"])
	require.Equal(t, "Error", at(first.body, "sys", "type"))
	require.Equal(t, "no-store", first.header.Get("Cache-Control"))
}

func TestATokenMaySendSoManyRequestsASecond(t *testing.T) {
	t.Parallel()
	now := time.Now()
	a := world(t, func(c *delivery.Config) { c.PerSecond, c.Now = 3, func() time.Time { return now } })
	const remaining = "X-Contentful-RateLimit-Second-Remaining"
	for _, left := range []string{"2", "1", "0"} {
		got := a.get("locales")
		require.Equal(t, http.StatusOK, got.status)
		require.Equal(t, "3", got.header.Get("X-Contentful-RateLimit-Second-Limit"))
		require.Equal(t, left, got.header.Get(remaining))
		require.Contains(t, got.header.Get("Access-Control-Expose-Headers"), remaining)
	}
	got := a.get("locales")
	require.Equal(t, http.StatusTooManyRequests, got.status)
	require.Equal(t, "0", got.header.Get(remaining))
	require.Equal(t, "RateLimitExceeded", got.errorID())
	require.Equal(t, "1", got.header.Get("X-Contentful-RateLimit-Reset"))
	require.Equal(t, "3", got.header.Get("X-Contentful-RateLimit-Second-Limit"))
	require.Equal(t, http.StatusOK, a.ask(http.MethodGet, base+"locales", "", "Authorization", "Bearer "+masterToken).status, "each token has its own")
	now = now.Add(time.Second)
	require.Equal(t, "2", a.get("locales").header.Get(remaining), "the next second has as many again")
}

func TestWhatFailsOnOurSideIsLoggedAndNotTold(t *testing.T) {
	t.Parallel()
	a := world(t)
	require.Equal(t, http.StatusOK, a.get("locales").status)
	a.Pool.Close()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, a.url+base+"entries", nil)
	require.NoError(t, err)
	req.Header.Set("Authorization", "Bearer "+token)
	res, err := http.DefaultClient.Do(req)
	require.NoError(t, err)
	defer func() { _ = res.Body.Close() }()
	require.GreaterOrEqual(t, res.StatusCode, 500)
	require.Contains(t, a.log.String(), res.Header.Get("X-Contentful-Request-Id"))
	require.NotContains(t, a.log.String(), token)
}

func TestAnAnswerThatIsTooLargeIsRefused(t *testing.T) {
	t.Parallel()
	a := world(t)
	text := strings.Repeat("x", 49_000)
	for i := range 160 {
		a.publish("big"+strconv.Itoa(i), "author", `{"name":{"en-GB":"Big"},"bio":{"en-GB":"`+text+`"}}`)
	}
	got := a.get("entries", "content_type=author", "limit=1000")
	require.Equal(t, "BadRequest", got.errorID())
	require.Contains(t, got.body["message"], "too big")
	require.Equal(t, http.StatusOK, a.get("entries", "content_type=author", "limit=100").status)
}

func TestAChangedContentTypeIsUsedAfterASecondAtMost(t *testing.T) {
	t.Parallel()
	a := world(t)
	require.Equal(t, http.StatusBadRequest, a.get("entries", "content_type=late").status)
	a.contentType("master", "late", authorFields)
	a.ahead.Store(int64(time.Second))
	require.Equal(t, http.StatusOK, a.get("entries", "content_type=late").status)
}
