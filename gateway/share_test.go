package gateway

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	generationv1 "serein.app/proto/gen/serein/generation/v1"
	"serein.app/proto/gen/serein/generation/v1/generationv1connect"
	"serein.app/services/platform/auth"
	"serein.app/services/platform/errs"
	"serein.app/services/platform/telemetry"
)

const sharing = "/serein.web.v1.SharingService/"

// shares makes the link of a meditation and answers its address without the site.
func (b *browser) shares(t *testing.T, body string) (path string) {
	t.Helper()
	got := b.call(t, sharing+"ShareMeditation", body)
	require.Equal(t, http.StatusOK, got.StatusCode, got.body)
	address, _ := at(t, tree(t, got.body), "share", "url").(string)
	_, path, found := strings.Cut(address, "/shared/")
	require.True(t, found, address)
	return path
}

// opened is what a link shows.
func (b *browser) opened(t *testing.T, token string) answer {
	t.Helper()
	return b.call(t, sharing+"GetShared", `{"token":"`+token+`"}`)
}

func TestALinkPlaysWithoutAnAccountAndSaysNothingOfItsMember(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	b, visitor := s.member(t), s.gateways[0].browser(t)
	s.services.give(s.uid(), meditation(mine, generationv1.Stage_STAGE_READY))
	require.NotContains(t, b.call(t, sharing+"GetShare", `{"id":"`+mine+`"}`).body, "share")

	token := b.shares(t, `{"id":"`+mine+`"}`)
	shown := visitor.opened(t, token)
	require.Equal(t, http.StatusOK, shown.StatusCode, shown.body)
	answer := tree(t, shown.body)
	require.Equal(t, "A kind evening", at(t, answer, "title"))
	require.Equal(t, "Gratitude", at(t, answer, "typeName"))
	require.Equal(t, "Rest here.", at(t, answer, "segments", 0, "lines", 0, "text"))
	require.NotContains(t, answer, "sharedBy", "no name unless its member wishes so")
	require.NotContains(t, shown.body, mine)
	require.NotContains(t, shown.body, s.uid())
	require.Equal(t, auth.Subject{}, s.services.subjectOf(generationv1connect.ShareServiceOpenShareProcedure))

	sound, _ := at(t, answer, "audioUrl").(string)
	require.Equal(t, "/media/shared/"+token, sound)
	whole := visitor.get(t, sound)
	require.Equal(t, http.StatusOK, whole.StatusCode)
	require.Equal(t, string(audio[:1000]), whole.body)
	require.Equal(t, "audio/mpeg", whole.Header.Get("Content-Type"))
	require.Equal(t, "private, no-store", whole.Header.Get("Cache-Control"))
	require.Empty(t, whole.Header.Values("Set-Cookie"))
	part := visitor.get(t, sound, "Range", "bytes=1-3")
	require.Equal(t, http.StatusPartialContent, part.StatusCode)
	require.Equal(t, string(audio[1:4]), part.body)
	head := visitor.send(t, http.MethodHead, sound, nil)
	require.Equal(t, http.StatusOK, head.StatusCode)
	require.Equal(t, "1000", head.Header.Get("Content-Length"))

	t.Log("a first name is shown where its member wishes so, by the same link")
	require.Equal(t, token, b.shares(t, `{"id":"`+mine+`","showName":true}`))
	require.Equal(t, "Ada", at(t, tree(t, visitor.opened(t, token).body), "sharedBy"))
	require.Equal(t, token, b.shares(t, `{"id":"`+mine+`"}`))
	require.NotContains(t, visitor.opened(t, token).body, "Ada")
}

func TestALinkThatWasEndedIsGoneForWhoHasItOpenAndIsLikeOneThatNeverWas(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	b, visitor := s.member(t), s.gateways[0].browser(t)
	s.services.give(s.uid(), meditation(mine, generationv1.Stage_STAGE_READY))
	token := b.shares(t, `{"id":"`+mine+`"}`)
	require.Equal(t, http.StatusPartialContent, visitor.get(t, "/media/shared/"+token, "Range", "bytes=0-99").StatusCode)
	open := visitor.get(t, "/shared/"+token, "Accept", "text/html")
	require.Equal(t, http.StatusOK, open.StatusCode)
	require.Equal(t, "no-referrer", open.Header.Get("Referrer-Policy"))
	require.Contains(t, open.Header.Get("X-Robots-Tag"), "noindex")

	for _, malformed := range []string{"%ff", "%c3%28", "%00", token[:31], token + "A", token[:31] + "%20", token[:31] + "%ff"} {
		require.Equal(t, http.StatusNotFound, visitor.get(t, "/shared/"+malformed, "Accept", "text/html").StatusCode, malformed)
	}

	ended := b.call(t, sharing+"EndShare", `{"id":"`+mine+`"}`)
	require.Equal(t, http.StatusOK, ended.StatusCode, ended.body)
	require.Equal(t, http.StatusOK, b.call(t, sharing+"EndShare", `{"id":"`+mine+`"}`).StatusCode, "again changes nothing")
	never := tokenOf(25)
	for name, ask := range map[string]func(token string) answer{
		"words":         func(token string) answer { return visitor.opened(t, token) },
		"sound":         func(token string) answer { return visitor.get(t, "/media/shared/"+token) },
		"more of it":    func(token string) answer { return visitor.get(t, "/media/shared/"+token, "Range", "bytes=100-199") },
		"how long":      func(token string) answer { return visitor.send(t, http.MethodHead, "/media/shared/"+token, nil) },
		"the page":      func(token string) answer { return visitor.get(t, "/shared/"+token, "Accept", "text/html") },
		"by its member": func(token string) answer { return b.opened(t, token) },
	} {
		gone, unknown := ask(token), ask(never)
		require.Equal(t, http.StatusNotFound, gone.StatusCode, name)
		require.Equal(t, unknown.StatusCode, gone.StatusCode, name)
		require.Equal(t, unknown.body, gone.body, name)
		require.Equal(t, "no-store", gone.Header.Get("Cache-Control"), name)
	}
	for _, malformed := range []string{"x", token + "a", strings.Repeat("é", 16), "..%2f" + token[5:]} {
		require.Equal(t, http.StatusNotFound, visitor.get(t, "/media/shared/"+malformed).StatusCode, malformed)
	}
	require.NotEqual(t, token, b.shares(t, `{"id":"`+mine+`"}`), "the next link is another")
}

func TestAnotherMembersMeditationIsNobodysToShare(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	s.services.give(s.uid(), meditation(mine, generationv1.Stage_STAGE_READY))
	visitor, a, b := s.gateways[0].browser(t), s.member(t), s.other(t)
	const unknown = "0192f0c1-0000-7000-8000-0000000000c1"
	token := a.shares(t, `{"id":"`+mine+`"}`)
	for _, procedure := range []string{"GetShare", "ShareMeditation", "EndShare"} {
		call := func(who *browser, id string) answer { return who.call(t, sharing+procedure, `{"id":"`+id+`"}`) }
		require.Equal(t, http.StatusUnauthorized, call(visitor, mine).StatusCode)
		require.Equal(t, http.StatusNotFound, call(b, mine).StatusCode)
		require.Equal(t, call(b, unknown).body, call(b, mine).body, "exactly like an unknown one")
	}
	require.Equal(t, http.StatusOK, visitor.opened(t, token).StatusCode, "and the owner's runs")
}

func TestALinkIsMadeWithoutANameOnlyWhereNoneIsWished(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	b := s.member(t)
	s.services.give(s.uid(), meditation(mine, generationv1.Stage_STAGE_READY))
	s.services.failing("/serein.identity.v1.UserService/GetUser", errs.ErrUnavailable)
	got := b.call(t, sharing+"ShareMeditation", `{"id":"`+mine+`","showName":true}`)
	require.Equal(t, http.StatusServiceUnavailable, got.StatusCode, got.body)
	require.NotContains(t, b.call(t, sharing+"GetShare", `{"id":"`+mine+`"}`).body, "share")
	b.shares(t, `{"id":"`+mine+`"}`)
}

func TestWhatStandsInALinkIsInNoLog(t *testing.T) {
	t.Parallel()
	log := &journal{}
	s := start(t, 1, func(_ *Config, p *settings) {
		var err error
		p.tel, err = telemetry.SetupTo(t.Context(), "gateway", log)
		require.NoError(t, err)
	})
	b, visitor := s.member(t), s.gateways[0].browser(t)
	s.services.give(s.uid(), meditation(mine, generationv1.Stage_STAGE_READY))
	token := b.shares(t, `{"id":"`+mine+`"}`)
	visitor.opened(t, token)
	visitor.get(t, "/shared/"+token, "Accept", "text/html")
	visitor.get(t, "/media/shared/"+token)
	s.services.failing(generationv1connect.ShareServiceOpenShareProcedure, errs.ErrInternal)
	visitor.opened(t, token)
	s.services.generation.Close()
	require.Equal(t, http.StatusServiceUnavailable, visitor.get(t, "/media/shared/"+token).StatusCode)
	visitor.opened(t, token)
	said := strings.Join(log.all(), "\n")
	require.Contains(t, said, "file not delivered")
	require.NotContains(t, said, token)
}

func TestACopyListsTheLinksOfAMemberWithoutWhatStandsInThem(t *testing.T) {
	t.Parallel()
	_, b := records(t)
	token := b.shares(t, `{"id":"`+mine+`","showName":true}`)
	url, _ := tree(t, b.call(t, makeExport, "{}").body)["url"].(string)
	files := unpacked(t, b.get(t, url))
	require.Contains(t, files["data/shares.json"], mine)
	require.Contains(t, files["data/shares.json"], "Ada")
	require.Contains(t, files["index.html"], "You share it by a link since 13 November 2025, 02:13 UTC, which shows the name Ada.")
	for name, text := range files {
		require.NotContains(t, text, token, "who finds the copy could follow the link: "+name)
	}
}
