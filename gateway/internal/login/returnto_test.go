package login

import (
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/services/testkit/redirects"
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

// astray are ways past a careless check of what a page of ours is.
var astray = []string{
	"/journey/..//evil.example", "/journey/../..//evil.example", "/journey//evil.example", "/articles//evil.example", "/articles/../../evil",
	"/journey%0d%0aSet-Cookie:%20a=b", "/auth/sign-in", "/auth/callback?code=x&state=y", "/media/meditations/x/audio",
	"/serein.web.v1.SessionService/SignOut", "/healthz", "/journey/%2e%2e/x", "/journey\\..\\evil", "/journey?x=%zz",
	"/articles/" + strings.Repeat("a", 600), "/unknown", "",
}

// bypasses are those and every known way to another site.
func bypasses() []string { return append(redirects.Tricks("serein.example"), astray...) }

func TestReturnToRefusesEveryKnownBypass(t *testing.T) {
	t.Parallel()
	for _, raw := range bypasses() {
		require.Equal(t, "/", ReturnTo(raw, isPage), "%q", raw)
	}
}

func FuzzReturnToStaysOnOurHost(f *testing.F) {
	for _, raw := range append(bypasses(), "/journey?tab=bespoke", "/articles/x?a=//evil.example") {
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
