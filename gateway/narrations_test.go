package gateway

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/gateway/internal/view"
	billingv1 "serein.app/proto/gen/serein/billing/v1"
)

// Content says who may hear a narration; the gateway tells it who asks and what they are now.
func TestNarrationsAreHeardByWhoeverMayHearThem(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	s.services.is(s.uid(), false)
	visitor, member, ended := s.gateways[0].browser(t), s.member(t), s.other(t)
	s.services.subscribed(someone, &billingv1.Subscription{PlanId: "serein-member"})
	const open, library, draft = "/media/narrations/open-3f2a.mp3", "/media/narrations/library-3f2a.mp3", "/media/narrations/draft-3f2a.mp3"

	whole := visitor.get(t, open)
	require.Equal(t, http.StatusOK, whole.StatusCode)
	require.Equal(t, string(audio[:1000]), whole.body)
	require.Equal(t, "private, no-cache", whole.Header.Get("Cache-Control"))
	require.Equal(t, "audio/mpeg", whole.Header.Get("Content-Type"))
	words := visitor.get(t, "/media/narrations/open-3f2a.vtt")
	require.Equal(t, http.StatusOK, words.StatusCode)
	require.Equal(t, "text/vtt; charset=utf-8", words.Header.Get("Content-Type"))
	require.Equal(t, "private, no-cache", words.Header.Get("Cache-Control"))
	require.Equal(t, http.StatusNotFound, visitor.get(t, "/media/narrations/library-3f2a.vtt").StatusCode)
	require.Equal(t, http.StatusPartialContent, visitor.get(t, open, "Range", "bytes=1-3").StatusCode)
	require.Equal(t, http.StatusNotModified, visitor.get(t, open, "If-None-Match", `"voice"`).StatusCode)
	for path, may := range map[string][]bool{open: {true, true, true}, library: {false, true, false}, draft: {false, false, false}} {
		for i, b := range []*browser{visitor, member, ended} {
			want := http.StatusNotFound
			if may[i] {
				want = http.StatusOK
			}
			require.Equal(t, want, b.get(t, path).StatusCode, "%s %d", path, i)
		}
	}
	for _, other := range []string{"/media/narrations/none.mp3", "/media/narrations/open-3f2a.json", "/media/narrations/..%2fopen-3f2a.mp3"} {
		require.Equal(t, http.StatusNotFound, member.get(t, other).StatusCode, other)
	}
	s.services.is(s.uid(), true)
	s.clock.Move(view.Wrong)
	require.Equal(t, http.StatusOK, member.get(t, draft).StatusCode)
}

func TestAnAccessTokenLoadsNarrationsForItsMemberAsFarAsItsScopesGo(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	b := s.gateways[0].browser(t)
	s.services.subscribed(s.uid(), entitled(billingv1.PlanKind_PLAN_KIND_MEMBER, "articles", "library"))
	ask := func(authorization string) int {
		return b.get(t, "/media/narrations/library-3f2a.mp3", "Authorization", authorization).StatusCode
	}
	const library, articles = "serein.library.read", "serein.article.read"
	for name, may := range map[string]map[string]int{
		"open":    {library: http.StatusOK, articles: http.StatusOK, articles + " " + library: http.StatusOK},
		"members": {library: http.StatusNotFound, articles: http.StatusOK, articles + " " + library: http.StatusOK},
		"library": {library: http.StatusOK, articles: http.StatusNotFound, articles + " " + library: http.StatusOK},
	} {
		for scopes, want := range may {
			token := s.token(nil, strings.Fields(scopes)...)
			require.Equal(t, want, b.get(t, "/media/narrations/"+name+"-3f2a.mp3", "Authorization", "Bearer "+token).StatusCode, "%s with %s", name, scopes)
		}
	}
	require.Equal(t, http.StatusForbidden, ask("Bearer "+s.token(nil, "serein.user.read")))
	require.Equal(t, http.StatusForbidden, ask("Bearer "+s.account("serein.library.read")), "nobody stands behind it")
	require.Equal(t, http.StatusUnauthorized, ask("Bearer x"))

	s.services.is(s.uid(), true)
	s.clock.Move(view.Wrong)
	member, draft := s.member(t), "/media/narrations/draft-3f2a.mp3"
	require.Equal(t, http.StatusOK, member.get(t, draft).StatusCode)
	require.Equal(t, http.StatusNotFound, b.get(t, draft, "Authorization", "Bearer "+s.token(nil, "serein.library.read")).StatusCode, "no token carries admin powers")
}
