package calls

import (
	"context"
	"crypto/sha256"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/deploy/e2e/harness"
	"serein.app/deploy/e2e/suite"
)

// parameter is a part of a page's pattern that stands for an id; one that may be left out has a "?".
var parameter = regexp.MustCompile(`/:\w+\??`)

// What the app's own routes say is what a visitor without JavaScript gets: pages that are there,
// home where a page is for members, and 404 for everything else.
func TestEveryAddressHasItsTrueStatus(t *testing.T) {
	t.Parallel()
	browser := product.NewBrowser()
	browser.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	status := func(path string) *http.Response {
		page, err := browser.Get(t.Context(), path, "Accept", "text/html")
		require.NoError(t, err)
		return page.Response
	}
	require.NotEmpty(t, product.App.Pages)
	for _, page := range product.App.Pages {
		if strings.HasSuffix(page.Path, "/:token") { // its address is a secret: one that nobody has made leads nowhere
			path := strings.ReplaceAll(page.Path, ":token", strings.Repeat("a", 32))
			gone := answered(t, browser, path, func(page harness.Page) bool { return page.StatusCode != http.StatusOK })
			require.Equal(t, http.StatusNotFound, gone.StatusCode, path)
			continue
		}
		path := parameter.ReplaceAllString(strings.NewReplacer(":slug", suite.OpenSlug, ":course", suite.CourseSlug).Replace(page.Path), "/0192f0c1-0000-7000-8000-00000000000a")
		res := status(path)
		if page.Access == "everyone" {
			require.Equal(t, http.StatusOK, res.StatusCode, path)
			continue
		}
		require.Equal(t, http.StatusFound, res.StatusCode, path)
		require.Equal(t, "/?return_to="+url.QueryEscape(path), res.Header.Get("Location"), path)
	}
	for _, nowhere := range []string{
		"/nowhere", "/members-only", "/articles/no-such-slug", "/courses/no-such-course", "/test-payment/1", "/journey/1/2", "/bespoke-meditation-generator/no-id", "/About",
	} {
		page := answered(t, browser, nowhere, func(page harness.Page) bool { return page.StatusCode != http.StatusOK })
		require.Equal(t, http.StatusNotFound, page.StatusCode, nowhere)
	}
}

// answered is a page that yes says is answered by the service whose things it shows. The gateway waits a second for that answer; after that
// it gives the frame alone, and the app asks again.
func answered(t *testing.T, browser *harness.Browser, path string, yes func(harness.Page) bool) (page harness.Page) {
	t.Helper()
	ctx := t.Context()
	require.NoError(t, harness.Eventually(ctx, path+" is answered", func(ctx context.Context) (_ bool, err error) {
		page, err = browser.Get(ctx, path, "Accept", "text/html")
		return err == nil && yes(page), err
	}))
	return page
}

// A reader that runs no scripts, such as a search engine, gets from the HTML of every page what it is, where it is and what it says.
func TestEveryPublicPageSaysWhatItIsInItsHTML(t *testing.T) {
	t.Parallel()
	sitemap, err := product.NewBrowser().Get(t.Context(), "/sitemap.xml")
	require.NoError(t, err)
	found := regexp.MustCompile(`<loc>([^<]+)</loc>`).FindAllStringSubmatch(sitemap.Body, -1)
	require.Greater(t, len(found), 20)
	others := map[string]string{}
	for _, loc := range found {
		address := loc[1]
		path := strings.TrimPrefix(address, product.URL())
		page := answered(t, product.NewBrowser(), path, func(page harness.Page) bool { return strings.Contains(page.Body, `rel="canonical"`) })
		for what, pattern := range map[string]string{
			"address": `<link rel="canonical" href="` + regexp.QuoteMeta(address) + `"`, "shared address": `property="og:url" content="` + regexp.QuoteMeta(address) + `"`,
			"linked data": `<script type="application/ld\+json">\{[^<]*"(url|mainEntityOfPage)":"`, "heading": `<h1`,
		} {
			require.Regexp(t, pattern, page.Body, "%s has no %s", path, what)
		}
		for _, pattern := range []string{`<title>([^<]+)</title>`, `name="description"\s+content="([^"]+)"`} {
			said := regexp.MustCompile(pattern).FindStringSubmatch(page.Body)
			require.Len(t, said, 2, "%s: %s", path, pattern)
			require.Empty(t, others[said[1]], "%s says the same of itself as another page: %s", path, said[1])
			others[said[1]] = path
		}
	}
}

// A product's picture, by the address that content gives it.
func TestAPictureOfTheHouseIsDelivered(t *testing.T) {
	t.Parallel()
	picture, err := os.ReadFile("../../../services/content/seed/assets/leaning-pine-tee.webp")
	require.NoError(t, err)
	got, err := product.NewBrowser().Get(t.Context(), fmt.Sprintf("/media/assets/%x/leaning-pine-tee.webp", sha256.Sum256(picture)))
	require.NoError(t, err)
	require.Equal(t, []any{http.StatusOK, "image/webp", string(picture)}, []any{got.StatusCode, got.Header.Get("Content-Type"), got.Body})
}
