package pages

import (
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/net/html"
)

const evil = `"><script>alert(1)</script><img src=x onerror=alert(1)>'`

// shown renders every page in every state it has.
func shown(t *testing.T, p *Pages, text string) map[string]*httptest.ResponseRecorder {
	t.Helper()
	all := map[string]func(http.ResponseWriter){
		"sign in": func(w http.ResponseWriter) {
			p.SignIn(w, 200, SignIn{Request: text, Token: text, RedirectURI: "https://app.test/cb"})
		},
		"sign in, with name": func(w http.ResponseWriter) { p.SignIn(w, 200, SignIn{Login: text}) },
		"sign in, confirmed": func(w http.ResponseWriter) { p.SignIn(w, 200, SignIn{Login: text, Confirmed: true}) },
		"sign in, wrong":     func(w http.ResponseWriter) { p.SignIn(w, 401, SignIn{Login: text, Error: text}) },
		"sign in, passkeys":  func(w http.ResponseWriter) { p.SignIn(w, 200, SignIn{Login: text, PasskeyToken: text}) },
		"sign in, passkey refused": func(w http.ResponseWriter) {
			p.SignIn(w, 401, SignIn{Login: text, PasskeyToken: text, PasskeyError: text})
		},
		"sign in, too often": func(w http.ResponseWriter) { p.SignIn(w, 429, SignIn{Login: text, Notice: text}) },
		"confirm": func(w http.ResponseWriter) {
			p.Confirm(w, 200, Confirm{Request: text, Token: text, Username: text, Email: text})
		},
		"confirm, sent":      func(w http.ResponseWriter) { p.Confirm(w, 200, Confirm{Email: text, Sent: true}) },
		"confirm, wrong":     func(w http.ResponseWriter) { p.Confirm(w, 422, Confirm{Email: text, Error: text}) },
		"confirm, too often": func(w http.ResponseWriter) { p.Confirm(w, 429, Confirm{Email: text, Code: text, Notice: text}) },
		"forgot":             func(w http.ResponseWriter) { p.Forgot(w, 200, Forgot{Request: text, Token: text, Login: text}) },
		"forgot, wrong":      func(w http.ResponseWriter) { p.Forgot(w, 422, Forgot{Login: text, Error: text}) },
		"forgot, too often":  func(w http.ResponseWriter) { p.Forgot(w, 429, Forgot{Login: text, Notice: text}) },
		"reset": func(w http.ResponseWriter) {
			p.Reset(w, 200, Reset{Request: text, Token: text, Login: text, RedirectURI: "https://app.test/cb"})
		},
		"reset, sent":       func(w http.ResponseWriter) { p.Reset(w, 200, Reset{Login: text, Sent: true}) },
		"reset, wrong code": func(w http.ResponseWriter) { p.Reset(w, 422, Reset{Login: text, Code: text, Error: text}) },
		"reset, weak":       func(w http.ResponseWriter) { p.Reset(w, 422, Reset{Login: text, Code: text, PasswordError: text}) },
		"reset, too often":  func(w http.ResponseWriter) { p.Reset(w, 429, Reset{Login: text, Code: text, Notice: text}) },
		"stop":              func(w http.ResponseWriter) { p.Stop(w, Stop{Change: text, Email: text}) },
		"consent": func(w http.ResponseWriter) {
			p.Consent(w, 200, Consent{Request: text, Token: text, App: text, Username: text, Asks: []string{text, text}, RedirectURI: "https://app.test/cb"})
		},
		"consent, too often": func(w http.ResponseWriter) { p.Consent(w, 429, Consent{App: text, Username: text, Notice: text}) },
		"keep": func(w http.ResponseWriter) {
			p.Keep(w, 200, Keep{Request: text, Token: text, Username: text, RedirectURI: "https://app.test/cb"})
		},
		"keep, too often": func(w http.ResponseWriter) { p.Keep(w, 429, Keep{Username: text, Notice: text}) },
		"code": func(w http.ResponseWriter) {
			p.Code(w, 200, Code{Request: text, Token: text, Username: text, RedirectURI: "https://app.test/cb"})
		},
		"code, wrong":                    func(w http.ResponseWriter) { p.Code(w, 422, Code{Username: text, Error: text}) },
		"code, too often":                func(w http.ResponseWriter) { p.Code(w, 429, Code{Username: text, Notice: text}) },
		"code, by a recovery code":       func(w http.ResponseWriter) { p.Code(w, 200, Code{Request: text, Username: text, Recovery: true}) },
		"code, by a wrong recovery code": func(w http.ResponseWriter) { p.Code(w, 422, Code{Username: text, Recovery: true, Error: text}) },
		"sign out": func(w http.ResponseWriter) {
			p.SignOut(w, SignOut{Action: "/oauth/end-session", Fields: []Field{{"state", text}}})
		},
		"message": func(w http.ResponseWriter) { p.Message(w, 400, Message{Title: text, Text: text}) },
	}
	rendered := map[string]*httptest.ResponseRecorder{}
	for name, show := range all {
		w := httptest.NewRecorder()
		show(w)
		rendered[name] = w
	}
	return rendered
}

// nodes are the elements of a page in document order.
func nodes(t *testing.T, page string) []*html.Node {
	t.Helper()
	root, err := html.Parse(strings.NewReader(page))
	require.NoError(t, err)
	var all []*html.Node
	for n := range root.Descendants() {
		if n.Type == html.ElementNode {
			all = append(all, n)
		}
	}
	return all
}

func attribute(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

func text(n *html.Node) string {
	var b strings.Builder
	for d := range n.Descendants() {
		if d.Type == html.TextNode {
			b.WriteString(d.Data)
		}
	}
	return strings.TrimSpace(b.String())
}

func TestEveryPageCanBeReadByEverybody(t *testing.T) {
	t.Parallel()
	p, err := New("https://app.test/")
	require.NoError(t, err)
	for name, w := range shown(t, p, "Something") {
		ids, labels, headings := map[string]bool{}, map[string]string{}, 0
		all := nodes(t, w.Body.String())
		for _, n := range all {
			if id := attribute(n, "id"); id != "" {
				require.False(t, ids[id], "%s: id %q twice", name, id)
				ids[id] = true
			}
			switch n.Data {
			case "html":
				require.Equal(t, "en-GB", attribute(n, "lang"), name)
			case "title":
				require.NotEmpty(t, text(n), name)
			case "h1":
				headings++
			case "label":
				labels[attribute(n, "for")] = text(n)
			}
		}
		require.Equal(t, 1, headings, name)
		for _, n := range all {
			switch {
			case n.Data == "input" && attribute(n, "type") != "hidden":
				require.NotEmpty(t, labels[attribute(n, "id")], "%s: %q has no label", name, attribute(n, "name"))
				require.NotEmpty(t, attribute(n, "autocomplete"), "%s: %q", name, attribute(n, "name"))
			case n.Data == "button", n.Data == "a":
				require.NotEmpty(t, text(n), "%s: a %s without words", name, n.Data)
			case n.Data == "svg":
				require.Equal(t, "true", attribute(n, "aria-hidden"), name)
			}
			if described := attribute(n, "aria-describedby"); described != "" {
				require.True(t, ids[described], "%s: %q is described by nothing", name, described)
			}
			if attribute(n, "aria-invalid") == "true" {
				require.NotEmpty(t, attribute(n, "aria-describedby"), name)
			}
		}
	}
}

// Only where passkeys are asked for there is a script: a file of our own.
func TestNothingOnAPageRunsOrLeavesIt(t *testing.T) {
	t.Parallel()
	p, err := New("https://app.test")
	require.NoError(t, err)
	for name, w := range shown(t, p, evil) {
		scripts := 0
		for _, n := range nodes(t, w.Body.String()) {
			if n.Data == "script" {
				scripts++
				require.Regexp(t, `^`+AssetPath+`passkey-[0-9a-f]+\.js$`, attribute(n, "src"), name)
				require.Empty(t, text(n), name)
			}
			require.NotEqual(t, "style", n.Data, name)
			for _, a := range n.Attr {
				require.False(t, strings.HasPrefix(a.Key, "on"), "%s: %s", name, a.Key)
				require.NotEqual(t, "style", a.Key, name)
			}
			if n.Data == "img" || n.Data == "link" {
				require.True(t, strings.HasPrefix(attribute(n, "src")+attribute(n, "href"), AssetPath), name)
			}
			if n.Data == "form" {
				require.Equal(t, "post", attribute(n, "method"), name)
			}
		}
		csp := w.Header().Get("Content-Security-Policy")
		require.Contains(t, csp, "default-src 'none'", name)
		require.Equal(t, strings.Contains(name, "passkey"), scripts == 1, name)
		require.Equal(t, scripts == 1, strings.HasSuffix(csp, "; script-src 'self'; connect-src 'self'"), name)
		require.Equal(t, scripts, strings.Count(csp, "script-src"), name)
		require.Equal(t, "no-store", w.Header().Get("Cache-Control"), name)
	}
}

func TestAFormMayLeadToItsClientAndNowhereElse(t *testing.T) {
	t.Parallel()
	for target, want := range map[string]string{
		"https://app.test/auth/callback?x=1": "form-action 'self' https://app.test;",
		"http://localhost:8080/cb":           "form-action 'self' http://localhost:8080;",
		"":                                   "form-action 'self';",
		"/relative":                          "form-action 'self';",
		"://":                                "form-action 'self';",
	} {
		h := http.Header{}
		Secure(h, target)
		require.Contains(t, h.Get("Content-Security-Policy"), want, target)
	}
}

func TestLinksLeadBackToTheProductWhereItIsKnown(t *testing.T) {
	t.Parallel()
	for site, links := range map[string]bool{"https://app.test/": true, "https://app.test": true, "": false} {
		p, err := New(site)
		require.NoError(t, err)
		for name, w := range shown(t, p, "Something") {
			var found []string
			for _, n := range nodes(t, w.Body.String()) {
				if n.Data == "a" && !strings.HasPrefix(attribute(n, "href"), "/sign-in") {
					found = append(found, attribute(n, "href"))
				}
			}
			require.Equal(t, links, len(found) > 0, "%s %q", name, site)
			for _, href := range found {
				require.Regexp(t, `^https://app\.test/(signup|contact)?$`, href, name)
			}
		}
	}
}

var named = regexp.MustCompile(`url\('([^']+)'\)`)

func TestAssetsAreKeptForEverUnderNamesOfTheirContent(t *testing.T) {
	t.Parallel()
	p, err := New("")
	require.NoError(t, err)
	get := func(path string) *httptest.ResponseRecorder {
		w := httptest.NewRecorder()
		p.ServeAsset(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, nil))
		return w
	}
	for _, path := range []string{p.css, p.art, p.icon} {
		w := get(path)
		require.Equal(t, http.StatusOK, w.Code, path)
		require.Regexp(t, `-[0-9a-f]{12}\.`, path)
		require.Contains(t, w.Header().Get("Cache-Control"), "immutable")
		require.Equal(t, "nosniff", w.Header().Get("X-Content-Type-Options"))
	}
	fonts := named.FindAllStringSubmatch(get(p.css).Body.String(), -1)
	require.Len(t, fonts, 2)
	for _, font := range fonts {
		require.Equal(t, http.StatusOK, get(font[1]).Code, "the stylesheet names %s", font[1])
	}
	for _, path := range []string{AssetPath, AssetPath + "pages.css", AssetPath + "../signin.html"} {
		require.Equal(t, http.StatusNotFound, get(path).Code, path)
	}
}
