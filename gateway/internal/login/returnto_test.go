package login

import (
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// isPage is as generous as the app's own list may be: an id can be any text.
func isPage(path string) bool {
	return regexp.MustCompile(`^/((journey|articles|bespoke-meditation-generator)(/[^/]+)?)?$`).MatchString(path)
}

func TestReturnToKeepsOurOwnPages(t *testing.T) {
	t.Parallel()
	for raw, want := range map[string]string{
		"/":                                "/",
		"/journey":                         "/journey",
		"/journey?tab=bespoke&page=2":      "/journey?page=2&tab=bespoke",
		"/journey/0192f0c1":                "/journey/0192f0c1",
		"/articles/a-quiet-mind":           "/articles/a-quiet-mind",
		"/bespoke-meditation-generator/x1": "/bespoke-meditation-generator/x1",
		"/journey#top":                     "/journey",
	} {
		require.Equal(t, want, ReturnTo(raw, isPage), raw)
	}
}

// Known ways past a careless check.
var bypasses = []string{
	"//evil.example", "///evil.example", "////evil.example", `/\evil.example`, `\/evil.example`, `\\evil.example`,
	"/\t/evil.example", "/\n/evil.example", "/\r\n//evil.example", "\t//evil.example", " //evil.example", "/ /evil.example",
	"https://evil.example", "http://evil.example", "HTTPS://evil.example", "https:evil.example", "https:/evil.example",
	"https:///evil.example", "http:////evil.example", "javascript:alert(1)", "JaVaScRiPt:alert(1)", "java\tscript:alert(1)",
	"data:text/html,x", "vbscript:x", "file:///etc/passwd", "blob:https://evil.example/x",
	"/%2f%2fevil.example", "/%2fevil.example", "%2f%2fevil.example", "/%5cevil.example", "/%5c%5cevil.example", "%5c%5cevil.example",
	"/%09/evil.example", "/%0d%0aLocation:%20https://evil.example", "/journey%0d%0aSet-Cookie:%20a=b", "/%00/evil.example",
	"//evil.example/%2f..", "//evil.example/..", "/..//evil.example", "/../evil.example", "/./evil.example", "/.//evil.example",
	"/journey/..//evil.example", "/journey/../..//evil.example", "/journey//evil.example", "/articles//evil.example", "/articles/../../evil",
	"//user@evil.example", "https://serein.example@evil.example", "//serein.example@evil.example", "@evil.example", "/@evil.example/..",
	"//evil.example:80", "//[::1]", "//0x7f000001", "//evil%E3%80%82example", "/\u3002evil.example", "//evil\u3002example", "/／evil.example",
	"／／evil.example", "?//evil.example", "#//evil.example", ";//evil.example", "evil.example", ".evil.example", "/.evil.example",
	"/auth/sign-in", "/auth/callback?code=x&state=y", "/media/meditations/x/audio", "/serein.web.v1.SessionService/SignOut", "/healthz",
	"/journey/%2e%2e/x", "/journey\\..\\evil", "/journey?x=%zz", "/articles/" + strings.Repeat("a", 600), "/unknown", "",
}

func TestReturnToRefusesEveryKnownBypass(t *testing.T) {
	t.Parallel()
	for _, raw := range bypasses {
		require.Equal(t, "/", ReturnTo(raw, isPage), "%q", raw)
	}
}

func FuzzReturnToStaysOnOurHost(f *testing.F) {
	for _, raw := range append(bypasses, "/journey?tab=bespoke", "/articles/x?a=//evil.example") {
		f.Add(raw)
	}
	base, err := url.Parse("https://serein.example/auth/callback")
	require.NoError(f, err)
	f.Fuzz(func(t *testing.T, raw string) {
		got := ReturnTo(raw, isPage)
		require.True(t, strings.HasPrefix(got, "/") && !strings.HasPrefix(got, "//"), "%q", got)
		for _, c := range []byte(got) {
			require.True(t, c > ' ' && c < 0x7f && c != '\\', "%q", got)
		}
		target, err := base.Parse(got)
		require.NoError(t, err)
		require.Equal(t, "https://serein.example", target.Scheme+"://"+target.Host)
		require.True(t, isPage(target.Path), "%q", got)
	})
}
