package page

import (
	"cmp"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	attributes "go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric/noop"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
	"golang.org/x/net/html"
	"google.golang.org/protobuf/proto"

	errorsv1 "serein.app/proto/gen/serein/errors/v1"
	webv1 "serein.app/proto/gen/serein/web/v1"
	"serein.app/services/platform/contentage"
	"serein.app/services/platform/errs"
)

const articleTemplate = `<!doctype html><html><head><title>{{.Title}}</title><meta name="description" content="{{.Description}}">
<link rel="canonical" href="{{.Canonical}}"><script type="application/ld+json">{{.Linked}}</script>{{verbatim "<script>` + "\\n  /* the theme */\\n  let x = '<b>';\\n" + `</script>"}}</head><body>
<script type="application/json" id="page">{{.Answer}}</script><script id="boot" type="application/json">null</script>
<div id="root">{{with .Page}}<a href="/auth/sign-in?return_to=%2Farticles%2F{{.Card.Slug}}">In</a>{{verbatim "<!--$-->"}}<h1>{{.Card.Title}}</h1>
{{clean .OpeningHtml}}{{if .Whole}}<div id="rest">{{clean .RestHtml}}</div>{{end}}{{range .Card.Categories}}<b>{{.Name}}</b>{{end}}{{end}}</div></body></html>`

const articlePages = `{"pages":[{"path":"/","access":"everyone"},{"path":"/articles/:slug","access":"everyone","title":"Article · Serein",
"html":"prerendered/article.html","template":{"rpc":"GetArticle","request":{"slug":":slug"},"query":["page"]}}],
"notFound":"prerendered/not-found.html"}`

var articleAnswers = map[string]proto.Message{"GetArticle": &webv1.GetArticleResponse{}}

func articleFiles(template string) map[string]string {
	return map[string]string{"index.html": index, "pages.json": articlePages, "prerendered/not-found.html": nowhere, "prerendered/article.html": template}
}

// content answers as the screens would, and counts.
type content struct {
	now   time.Time
	title string
	moved string // what the slug is of everything
	err   error
	asked int
	asOf  time.Time // when the content was so; zero: nobody says
}

func (c *content) answer(q Question) (*Answer, error) {
	c.asked++
	if c.err != nil {
		return nil, c.err
	}
	slug := q.Request["slug"]
	if strings.HasPrefix(slug, "old") {
		slug = "new"
	}
	slug = cmp.Or(c.moved, slug)
	if slug == "nowhere" {
		return nil, errs.New(errs.NotFound, errorsv1.Reason_REASON_ITEM_NOT_FOUND, "There is nothing here.")
	}
	return &Answer{
		Message: &webv1.GetArticleResponse{
			Card:        &webv1.ArticleCard{Slug: slug, Title: c.title, Categories: []*webv1.Category{{Name: "Anger"}, {Name: "Sleep"}}},
			OpeningHtml: "<p>One &amp; two.</p>",
		},
		Title: c.title + " · Serein", Description: "About " + c.title, Canonical: "https://serein.example/articles/" + slug, Path: "/articles/" + slug,
		Linked: map[string]any{"@type": "Article", "headline": c.title}, AsOf: c.asOf,
	}, nil
}

func articleSite(t *testing.T, c *content) *Site {
	t.Helper()
	if c.now.IsZero() {
		c.now = time.Unix(1_763_000_000, 0)
	}
	built, err := Read(build(t, articleFiles(articleTemplate)), testOrigin, articleAnswers, false)
	require.NoError(t, err)
	return newSite(t, built, &app{boot: `{"serverTime":"now"}`, answer: c.answer}, func() time.Time { return c.now })
}

func TestAPageOfContentIsWholeWithoutAScript(t *testing.T) {
	t.Parallel()
	c := &content{title: "What the breath knows"}
	w := get(t, articleSite(t, c), http.MethodGet, "/articles/breath")
	require.Equal(t, http.StatusOK, w.Code)
	body := w.Body.String()
	for _, part := range []string{
		"<title>What the breath knows · Serein</title>", `content="About What the breath knows"`, `href="https://serein.example/articles/breath"`,
		`"headline":"What the breath knows"`, "<!--$--><h1>What the breath knows</h1>", "<p>One &amp; two.</p>", "<b>Anger</b><b>Sleep</b>",
		`return_to=%2Farticles%2Fbreath"`, `{"serverTime":"now"}`, "/* the theme */",
	} {
		require.Contains(t, body, part)
	}
	require.NotContains(t, body, `id="rest"`)
	policy, err := contentPolicy([]byte(index))
	require.NoError(t, err)
	require.Equal(t, policy, w.Header().Get("Content-Security-Policy"))
}

// As the app's formatCount says them (frontend/src/lib/format.test.ts): in other words it could not take the page over.
func TestCountsAreSaidInTheWordsOfTheApp(t *testing.T) {
	t.Parallel()
	require.Equal(t, "0 articles", count(0, "article", "articles"))
	require.Equal(t, "1 article", count(1, "article", "articles"))
	require.Equal(t, "7 articles", count(7, "article", "articles"))
	require.Equal(t, "12,040 articles", count(12_040, "article", "articles"))
}

// As the app's ArticlePage says it (frontend/src/features/articles): else it could not take the page over.
func TestATextThatNamesTheHelplineIsKnown(t *testing.T) {
	t.Parallel()
	require.True(t, helpline("<p>Call 116 123.</p>"))
	require.False(t, helpline("<p>Call 116123.</p>"))
}

// As the app's ApparelPage says them; that nothing moves as the page comes piece by piece is the browser's to prove.
func TestThingsStandInThirdsWhereThatLeavesNoneAlone(t *testing.T) {
	t.Parallel()
	for things, want := range map[int]string{1: "lead", 2: "lead", 3: "thirds", 4: "lead", 5: "lead", 6: "thirds", 7: "lead"} {
		require.Equal(t, want, rows(things), things)
	}
}

func TestTheAppReadsTheAnswerThatThePageShows(t *testing.T) {
	t.Parallel()
	w := get(t, articleSite(t, &content{title: "Breath"}), http.MethodGet, "/articles/breath")
	var got struct {
		Own    bool
		Answer struct {
			OpeningHTML string `json:"openingHtml"`
		}
	}
	require.NoError(t, json.Unmarshal([]byte(between(t, w.Body.String(), `id="page">`, "</script>")), &got))
	require.False(t, got.Own)
	require.Equal(t, "<p>One &amp; two.</p>", got.Answer.OpeningHTML)
}

// listed answers a list of articles by a category.
func listed(q Question) (*Answer, error) {
	return &Answer{
		Message: &webv1.ListArticlesResponse{Total: int32(len(q.Request["category"]))}, Title: "In " + cmp.Or(q.Filter, "all"),
		Canonical: "https://serein.example" + q.Path, Path: q.Path,
	}, nil
}

func TestAListThatIsFilteredByItsAddressIsWholeWithoutAScriptAndSaysByWhat(t *testing.T) {
	t.Parallel()
	const frame = `<!doctype html><html><head><title>{{.Title}}</title><link rel="canonical" href="{{.Canonical}}"></head><body>
<script type="application/json" id="page">{{.Answer}}</script><script id="boot" type="application/json">null</script><div id="root">{{with .Page}}`
	files := map[string]string{
		"index.html": index, "prerendered/list.html": frame + `All {{.Total}}{{end}}</div></body></html>`,
		"prerendered/by.html": frame + `Some {{.Total}} <a href="/in?to=%3Fcategory%3D{{$.Filter}}">In</a>{{end}}</div></body></html>`,
		"pages.json": `{"pages":[{"path":"/","access":"everyone"},{"path":"/articles","access":"everyone","title":"Articles · Serein","html":"prerendered/list.html",
"template":{"rpc":"ListArticles","request":{},"query":["category","search"],"filter":{"name":"category","html":"prerendered/by.html"}}}]}`,
	}
	built, err := Read(build(t, files), testOrigin, map[string]proto.Message{"ListArticles": &webv1.ListArticlesResponse{}}, false)
	require.NoError(t, err)
	site := newSite(t, built, &app{boot: "null", answer: listed}, time.Now)
	for address, part := range map[string]string{
		"/articles": "All 0", "/articles?category=": "All 0", "/articles?utm=x": "All 0", "/articles?category=sleep": "Some 5", "/articles?category=anger&utm=x": "Some 5",
	} {
		require.Contains(t, get(t, site, http.MethodGet, address).Body.String(), part, address)
	}
	body := get(t, site, http.MethodGet, "/articles?category=sleep").Body.String()
	require.Contains(t, body, "<title>In sleep</title>")
	require.Contains(t, body, `to=%3Fcategory%3Dsleep"`)
	require.Contains(t, body, `href="https://serein.example/articles?category=sleep"`)
	for _, address := range []string{
		"/articles?search=rain", "/articles?category=sleep&search=rain", "/articles?category=a&category=b", "/articles?category=" + strings.Repeat("x", 65),
	} {
		require.NotContains(t, get(t, site, http.MethodGet, address).Body.String(), "<title>In ", address)
	}
}

func between(t *testing.T, text, from, to string) string {
	t.Helper()
	_, text, ok := strings.Cut(text, from)
	require.True(t, ok)
	text, _, ok = strings.Cut(text, to)
	require.True(t, ok)
	return text
}

func TestWhateverATitleHoldsIsText(t *testing.T) {
	t.Parallel()
	for _, title := range []string{
		`"><script>alert(1)</script>`, `</script><script>alert(1)</script>`, `{{.Answer}}`, `</title><img src=x onerror=alert(1)>`, `<!--`, `]]>`,
		"\u2028 \u2029 \x00 \xff", `' onload='x`, `{{template "x"}}`, `&lt;b&gt;`, `\u003c/script\u003e`,
	} {
		c := &content{title: strings.ToValidUTF8(title, "?")}
		w := get(t, articleSite(t, c), http.MethodGet, "/articles/breath")
		requireText(t, w.Body.String(), c.title)
	}
}

// requireText reads a page as a browser does: its scripts are those of the build, and the title is what was written.
func requireText(t *testing.T, body, title string) {
	t.Helper()
	tree, err := html.Parse(strings.NewReader(body))
	require.NoError(t, err)
	var scripts, images int
	var heading string
	for n := range tree.Descendants() {
		switch {
		case n.Type != html.ElementNode:
		case n.Data == "script":
			scripts++
		case n.Data == "img":
			images++
		case n.Data == "h1":
			heading = n.FirstChild.Data
		}
	}
	require.Equal(t, 4, scripts, body)
	require.Zero(t, images, body)
	require.Equal(t, strings.ReplaceAll(title, "\x00", "\uFFFD"), heading)
}

// Names of members stand in the boot block, also of pages that content fills: packed or not, shared or a member's own.
func TestBootDataNeverLeavesItsBlockOnAFilledPage(t *testing.T) {
	t.Parallel()
	c := &content{title: "Breath"}
	site := articleSite(t, c)
	const name = "</script><script>alert(1)</script><!-- \u2028"
	for _, who := range []*app{{answer: c.answer}, {answer: c.answer, own: c.answer}} {
		who.boot = `{"givenName":"` + name + `"}`
		site.app = who
		for _, encoding := range []string{"identity", "gzip"} {
			body := read(t, get(t, site, http.MethodGet, "/articles/breath", "Cookie", "a=b", "Accept-Encoding", encoding))
			requireText(t, body, c.title)
			var back map[string]string
			require.NoError(t, json.Unmarshal([]byte(bootBlock.FindStringSubmatch(body)[1]), &back))
			require.Equal(t, name, back["givenName"])
		}
	}
}

// read unpacks an answer where it is packed.
func read(t *testing.T, w *httptest.ResponseRecorder) string {
	t.Helper()
	if w.Header().Get("Content-Encoding") == "" {
		return w.Body.String()
	}
	z, err := gzip.NewReader(w.Body)
	require.NoError(t, err)
	body, err := io.ReadAll(z)
	require.NoError(t, err)
	return string(body)
}

func FuzzATitleIsText(f *testing.F) {
	for _, title := range []string{`</script>`, `"`, "{{", "<!--", "-->"} {
		f.Add(title)
	}
	built, err := Read(build(f, articleFiles(articleTemplate)), testOrigin, articleAnswers, false)
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, title string) {
		if strings.ContainsRune(title, '\r') || strings.TrimSpace(title) == "" {
			return // a parser makes other characters of these by itself
		}
		c := &content{title: strings.ToValidUTF8(title, "?")}
		site := newSite(t, built, &app{boot: "null", answer: c.answer}, time.Now)
		requireText(t, get(t, site, http.MethodGet, "/articles/breath").Body.String(), c.title)
	})
}

func TestAnUnknownSlugIs404AndAFormerOneLeadsOn(t *testing.T) {
	t.Parallel()
	site := articleSite(t, &content{title: "Breath"})
	w := get(t, site, http.MethodGet, "/articles/nowhere", "Accept", "text/html")
	require.Equal(t, http.StatusNotFound, w.Code)
	require.Contains(t, w.Body.String(), "Page Not Found")
	w = get(t, site, http.MethodGet, "/articles/old?from=mail")
	require.Equal(t, http.StatusMovedPermanently, w.Code)
	require.Equal(t, "/articles/new?from=mail", w.Header().Get("Location"))
}

// Any spelling of a title leads to its article, so there is no end of addresses that do.
func TestAddressesThatLeadOnTakeNoCopysPlace(t *testing.T) {
	t.Parallel()
	c := &content{title: "Breath"}
	site := articleSite(t, c)
	require.Contains(t, get(t, site, http.MethodGet, "/articles/breath").Body.String(), `id="page"`)
	for i := range mostCopies {
		require.Equal(t, http.StatusMovedPermanently, get(t, site, http.MethodGet, "/articles/old"+strconv.Itoa(i)).Code)
	}
	c.err, c.now = errors.New("away"), c.now.Add(time.Hour)
	require.Contains(t, get(t, site, http.MethodGet, "/articles/breath").Body.String(), `id="page"`, "the last good copy")
}

func TestAnAddressThatLeadsOnNowHasACopyNoMore(t *testing.T) {
	t.Parallel()
	c := &content{title: "Breath"}
	site := articleSite(t, c)
	require.Equal(t, http.StatusOK, get(t, site, http.MethodGet, "/articles/breath").Code)
	c.moved, c.now = "new", c.now.Add(time.Hour)
	for range 2 {
		require.Equal(t, "/articles/new", get(t, site, http.MethodGet, "/articles/breath").Header().Get("Location"))
	}
	require.Equal(t, 3, c.asked)
}

func TestAPageThatIsGoneDoesNotComeBackWhileContentIsAway(t *testing.T) {
	t.Parallel()
	c := &content{title: "Withdrawn"}
	site := articleSite(t, c)
	require.Contains(t, get(t, site, http.MethodGet, "/articles/breath").Body.String(), "Withdrawn")
	c.moved, c.now = "nowhere", c.now.Add(time.Hour)
	require.Equal(t, http.StatusNotFound, get(t, site, http.MethodGet, "/articles/breath").Code)
	c.err = errors.New("away")
	require.NotContains(t, get(t, site, http.MethodGet, "/articles/breath").Body.String(), "Withdrawn")
}

func TestAPageIsAskedForOnceInAWhileAndShownWhileContentIsAway(t *testing.T) {
	t.Parallel()
	c := &content{title: "First", now: time.Unix(1_763_000_000, 0)}
	site := articleSite(t, c)
	title := func() string {
		return between(t, get(t, site, http.MethodGet, "/articles/breath").Body.String(), "<title>", " ·")
	}
	require.Equal(t, "First", title())
	c.title = "Second"
	require.Equal(t, "First", title(), "within its seconds nobody is asked")
	require.Equal(t, 1, c.asked)
	c.now = c.now.Add(2 * time.Minute)
	require.Equal(t, "Second", title())
	c.err = errors.New("away")
	c.now = c.now.Add(time.Hour)
	require.Equal(t, "Second", title(), "the last good copy")
	require.Equal(t, "Second", title())
	require.Equal(t, 3, c.asked, "who is away is left alone for a moment")
	c.err, c.title, c.now = nil, "Third", c.now.Add(time.Hour)
	require.Equal(t, "Third", title())
}

// age is how old a page says that it is; empty where it says nothing.
func age(t *testing.T, site *Site, header ...string) string {
	t.Helper()
	w := get(t, site, http.MethodGet, "/articles/breath", header...)
	require.Equal(t, http.StatusOK, w.Code)
	return w.Header().Get(contentage.Header)
}

func TestACopySaysHowOldItIsWhileContentIsAway(t *testing.T) {
	t.Parallel()
	c := &content{title: "Breath"}
	site := articleSite(t, c)
	require.Empty(t, age(t, site), "it is as it was just answered")
	c.err = errors.New("away")
	c.now = c.now.Add(10 * time.Second)
	require.Equal(t, "10", age(t, site))
	c.now = c.now.Add(time.Hour)
	require.Equal(t, "3610", age(t, site))
	require.Equal(t, "3610", age(t, site, "Accept-Encoding", "gzip"))
	c.err, c.now = nil, c.now.Add(time.Hour)
	require.Empty(t, age(t, site), "content is back, with the same answer")
}

func TestAPageOfAMirrorIsAsOldAsTheMirror(t *testing.T) {
	t.Parallel()
	c := &content{title: "Breath", now: time.Unix(1_763_000_000, 0)}
	c.asOf = c.now.Add(-30 * time.Second)
	site := articleSite(t, c)
	site.app = &app{boot: "null", answer: c.answer, own: c.answer}
	require.Equal(t, "30", age(t, site))
	require.Equal(t, "30", age(t, site, "Cookie", "a=b"), "a member's own too")
	c.now = c.now.Add(2 * time.Minute)
	require.Equal(t, "150", age(t, site), "the mirror is not renewed")
	c.asOf = c.now
	c.now = c.now.Add(2 * time.Minute)
	require.Equal(t, "120", age(t, site), "the same answer, of a mirror that was renewed")
	c.err = errors.New("away")
	c.now = c.now.Add(time.Hour)
	require.Equal(t, "3720", age(t, site))
}

func TestOperatorsSeeHowOldPagesAreAndWhatFailed(t *testing.T) {
	t.Parallel()
	c := &content{title: "Breath"}
	site := articleSite(t, c)
	reader := sdkmetric.NewManualReader()
	var err error
	site.copies.count, err = newCounts(sdkmetric.NewMeterProvider(sdkmetric.WithReader(reader)).Meter("page"), site.copies.now)
	require.NoError(t, err)
	read := func() string {
		t.Helper()
		var all metricdata.ResourceMetrics
		require.NoError(t, reader.Collect(t.Context(), &all))
		var out strings.Builder
		for _, m := range all.ScopeMetrics[0].Metrics {
			switch data := m.Data.(type) {
			case metricdata.Gauge[float64]:
				fmt.Fprintf(&out, "%s %v ", m.Name, data.DataPoints[0].Value)
			case metricdata.Sum[int64]:
				fmt.Fprintf(&out, "%s %s %d ", m.Name, data.DataPoints[0].Attributes.Encoded(attributes.DefaultEncoder()), data.DataPoints[0].Value)
			}
		}
		return strings.TrimSpace(out.String())
	}
	require.Empty(t, age(t, site))
	require.Equal(t, "serein.gateway.page.age 0", read())
	c.err, c.now = errors.New("away"), c.now.Add(time.Hour)
	require.Equal(t, "3600", age(t, site))
	const failed = "serein.gateway.page.failures kind=unanswered,rpc=GetArticle 1"
	require.Equal(t, failed+" serein.gateway.page.age 3600", read())
	c.now = c.now.Add(time.Minute)
	require.Equal(t, failed+" serein.gateway.page.age 3600", read(), "shown a minute ago")
	c.now = c.now.Add(time.Minute)
	require.Equal(t, failed+" serein.gateway.page.age 0", read(), "shown to nobody any more")
}

func TestOnePageThatFailsPutsNoOtherAway(t *testing.T) {
	t.Parallel()
	c := &content{title: "Breath"}
	var asked []string
	failing := map[string]error{"/articles/broken": errors.New("broken"), "/sitemap": errs.ErrUnavailable}
	count, err := newCounts(noop.NewMeterProvider().Meter("page"), time.Now)
	require.NoError(t, err)
	who := &app{answer: func(q Question) (*Answer, error) {
		asked = append(asked, q.Path)
		if err := failing[q.Path]; err != nil {
			return nil, err
		}
		return c.answer(q)
	}}
	known := newCopies(count, slog.New(slog.DiscardHandler), func() time.Time { return time.Unix(1_763_000_000, 0) })
	for _, q := range []struct {
		rpc, path string
		shown     bool
	}{
		{"GetSitemap", "/sitemap", false},
		{"GetArticle", "/articles/broken", false},
		{"GetArticle", "/articles/breath", true},
		{"GetSitemap", "/sitemap", false},
		{"GetArticle", "/articles/broken", false},
		{"GetSitemap", "/another", false},
	} {
		_, err := known.get(t.Context(), &caller{app: who}, Question{RPC: q.rpc, Path: q.path}, func(*Answer) (*filled, error) { return &filled{}, nil })
		require.Equal(t, q.shown, err == nil, q.path)
	}
	require.Equal(t, []string{"/sitemap", "/articles/broken", "/articles/breath"}, asked, "a page that fails is not asked again for a moment, and neither is any page of a service that does not answer")
}

// Nothing catches a panic in what several readers wait for: it would be the end of the process.
func TestAPanicWhileAPageIsAskedForIsAFailureOfThatPage(t *testing.T) {
	t.Parallel()
	c := &content{title: "Breath", now: time.Unix(1_763_000_000, 0)}
	site := articleSite(t, c)
	site.app = &app{boot: "null", answer: func(Question) (*Answer, error) { panic("no such field") }}
	w := get(t, site, http.MethodGet, "/articles/breath")
	require.Equal(t, http.StatusOK, w.Code)
	require.Contains(t, w.Body.String(), "no scripts", "index.html")
	site.app = &app{boot: "null", answer: c.answer}
	requireText(t, get(t, site, http.MethodGet, "/articles/breath").Body.String(), "Breath")
}

func TestWithoutAnAnswerAndACopyThereIsTheFrame(t *testing.T) {
	t.Parallel()
	w := get(t, articleSite(t, &content{err: errors.New("away")}), http.MethodGet, "/articles/breath")
	require.Equal(t, http.StatusOK, w.Code)
	require.NotContains(t, w.Body.String(), `id="page"`)
	require.Contains(t, w.Body.String(), "no scripts", "index.html")
}

func TestAListThatIsFilteredIsTheAppsToShow(t *testing.T) {
	t.Parallel()
	c := &content{title: "Breath"}
	site := articleSite(t, c)
	require.NotContains(t, get(t, site, http.MethodGet, "/articles/breath?page=2").Body.String(), `id="page"`)
	require.Zero(t, c.asked)
	require.Contains(t, get(t, site, http.MethodGet, "/articles/breath?utm_source=mail&page=").Body.String(), `id="page"`)
}

// The page holds what its calls guard: where nobody can say who asks, the app's frame is shown, and the app asks.
func TestAFilledPageForSubscribersIsShownToThemAlone(t *testing.T) {
	t.Parallel()
	files := articleFiles(articleTemplate)
	files["pages.json"] = strings.Replace(articlePages, `"path":"/articles/:slug","access":"everyone"`, `"path":"/articles/:slug","access":"subscriber","entitlement":"library"`, 1)
	built, err := Read(build(t, files), testOrigin, articleAnswers, false)
	require.NoError(t, err)
	c := &content{title: "Breath"}
	var asked []string
	who := &app{boot: "null", answer: func(q Question) (*Answer, error) {
		asked = append(asked, q.Entitlement)
		return c.answer(q)
	}}
	site := newSite(t, built, who, time.Now)
	who.refused = []Access{Subscriber}
	require.Equal(t, http.StatusFound, get(t, site, http.MethodGet, "/articles/breath").Code)
	who.refused, who.unknown = nil, true
	require.NotContains(t, get(t, site, http.MethodGet, "/articles/breath").Body.String(), `id="page"`)
	require.Empty(t, asked)
	who.unknown = false
	require.Contains(t, get(t, site, http.MethodGet, "/articles/breath").Body.String(), "<h1>Breath</h1>")
	require.Equal(t, []string{"library"}, asked)
	who.unknown = true
	require.NotContains(t, get(t, site, http.MethodGet, "/articles/breath").Body.String(), `id="page"`, "there is a copy now")
	who.refused, who.unknown = []Access{Subscriber}, false
	require.Equal(t, http.StatusFound, get(t, site, http.MethodGet, "/articles/breath").Code)
}

func TestAMembersOwnPageIsNeverSharedNorCompressed(t *testing.T) {
	t.Parallel()
	shared, mine := &content{title: "For all"}, &content{title: "Mine"}
	site := articleSite(t, shared)
	site.app = &app{boot: "null", answer: shared.answer, own: mine.answer}
	w := get(t, site, http.MethodGet, "/articles/breath", "Cookie", "a=b", "Accept-Encoding", "gzip")
	require.Contains(t, w.Body.String(), "<h1>Mine</h1>")
	require.Contains(t, w.Body.String(), `{"own":true`)
	require.Contains(t, get(t, site, http.MethodGet, "/articles/breath").Body.String(), "<h1>For all</h1>")
	mine.err = errors.New("away")
	w = get(t, site, http.MethodGet, "/articles/breath", "Cookie", "a=b")
	require.Contains(t, w.Body.String(), "<h1>For all</h1>")
	require.Contains(t, w.Body.String(), `{"own":false`, "so that the app asks for the member's own")
}

func TestASharedPageIsCompressedForWhomItMay(t *testing.T) {
	t.Parallel()
	site := articleSite(t, &content{title: "Breath"})
	plain := get(t, site, http.MethodGet, "/articles/breath")
	for range 2 {
		w := get(t, site, http.MethodGet, "/articles/breath", "Accept-Encoding", "br, gzip")
		require.Equal(t, "gzip", w.Header().Get("Content-Encoding"))
		require.Equal(t, []string{"Cookie", "Accept-Encoding"}, w.Header().Values("Vary"))
		require.Equal(t, plain.Body.String(), read(t, w))
	}
}

// What is packed was packed for many, and the boot data put in between are one reader's: of whatever length, what is unpacked is the page.
func TestAPackedPageHasTheBootDataOfItsReader(t *testing.T) {
	t.Parallel()
	c := &content{title: "Breath"}
	site := articleSite(t, c)
	for _, boot := range []string{`{"member":{"givenName":"Ada"}}`, `{"member":null}`, `{"member":{"givenName":"Ben"}}`} {
		site.app = &app{boot: boot, answer: c.answer}
		require.Contains(t, read(t, get(t, site, http.MethodGet, "/articles/breath", "Accept-Encoding", "gzip")), boot)
	}
}

func TestATemplateThatCannotBeFilledStopsTheStart(t *testing.T) {
	t.Parallel()
	for want, template := range map[string]string{
		"prerendered/article.html: is no template":                  "{{if}}",
		"cannot be filled with a serein.web.v1.GetArticleResponse":  `<b>{{with .Page}}{{.Carde.Title}}{{end}}</b><script id="boot" type="application/json">null</script>`,
		`prerendered/article.html: there is no <script type="appli`: "<b>{{.Title}}</b>",
	} {
		_, err := Read(build(t, articleFiles(template)), testOrigin, articleAnswers, false)
		require.ErrorContains(t, err, want)
	}
	_, err := Read(build(t, articleFiles(articleTemplate)), testOrigin, nil, false)
	require.ErrorContains(t, err, `is to be filled by "GetArticle", which answers no page`)
}
