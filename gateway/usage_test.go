package gateway

import (
	"io"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/gateway/internal/view"
	identityv1 "serein.app/proto/gen/serein/identity/v1"
	"serein.app/proto/gen/serein/identity/v1/identityv1connect"
)

const reportPage = "/serein.web.v1.UsageService/ReportPage"

// agrees has a member answer about analytics, under a version of both texts.
func (s *stack) agrees(uid, version string, given bool) {
	u := user(uid, false)
	for _, c := range u.GetConsents() {
		if c.GetKind() == identityv1.ConsentKind_CONSENT_KIND_TERMS {
			c.Version = version
		}
	}
	u.Consents = append(u.Consents, &identityv1.Consent{Kind: identityv1.ConsentKind_CONSENT_KIND_ANALYTICS, Given: given, Version: privacyDate})
	s.services.knows(u)
	s.clock.Move(view.Wrong)
}

// counted are the lines of pages that were opened, as they are scraped.
func (s *stack) counted(t *testing.T) []string {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.gateways[0].internal+"/metrics", http.NoBody)
	require.NoError(t, err)
	req.Header.Set("Accept", "application/openmetrics-text") // with exemplars
	res, err := http.DefaultClient.Do(req)
	require.NoError(t, err)
	page, err := io.ReadAll(res.Body)
	require.NoError(t, err)
	require.NoError(t, res.Body.Close())
	return regexp.MustCompile(`(?m)^serein_gateway_pages_opened.*$`).FindAllString(string(page), -1)
}

// report tells of a page, and answers whether it was counted.
func (b *browser) report(t *testing.T, route string, headers ...string) bool {
	t.Helper()
	got := b.send(t, http.MethodPost, reportPage, strings.NewReader(`{"route":"`+route+`"}`), append(headers, "Content-Type", "application/json", "X-Serein", "1")...)
	require.Equal(t, http.StatusOK, got.StatusCode, got.body)
	return strings.Contains(got.body, `"counted":true`)
}

func TestPagesAreCountedOfThoseAloneWhoAgreeOnRecordAndNothingOfThem(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	b := s.member(t)
	analytics := func() any { said, _ := b.shown(t).(map[string]any); return said["analytics"] }
	require.False(t, b.report(t, "/journey"), "who was never asked")
	require.Nil(t, analytics())
	s.agrees(s.uid(), termsVersion, false)
	require.False(t, b.report(t, "/journey"), "who has declined")
	s.agrees(s.uid(), "terms 2020-01-01, privacy "+privacyDate, true)
	require.False(t, b.report(t, "/journey"), "who agreed to texts that said something else")
	require.Nil(t, analytics())
	require.Empty(t, s.counted(t))

	s.agrees(s.uid(), termsVersion, true)
	require.Equal(t, true, analytics())
	require.True(t, b.report(t, "/journey/:id"))
	require.True(t, b.report(t, "/journey/:id"))
	require.True(t, b.report(t, "/"))
	require.False(t, b.report(t, "/", "Sec-GPC", "1"), "a browser that asks for privacy")
	require.False(t, b.report(t, "/", "DNT", "1"))
	counted := s.counted(t)
	require.Len(t, counted, 2)
	for _, line := range counted {
		require.Regexp(t, `^serein_gateway_pages_opened[a-z_]*\{[^}]*route="(/journey/:id"[^}]*\} 2|/"[^}]*\} 1)(\.0)?$`, line, "a number for each page, and no exemplar")
		require.NotContains(t, line, s.uid())
	}
	s.agrees(s.uid(), termsVersion, false)
	require.False(t, b.report(t, "/"), "who has taken it back")
	require.Equal(t, counted, s.counted(t))
}

func TestOnlyTheAppsOwnPagesAreCounted(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	b := s.member(t)
	s.agrees(s.uid(), termsVersion, true)
	for _, other := range []string{"", "/nowhere", "/journey/" + mine, "/about?x=1", "/about/", "journey", "/" + strings.Repeat("a", 200), "/articles/:other"} {
		got := b.call(t, reportPage, `{"route":"`+other+`"}`)
		require.Equal(t, http.StatusBadRequest, got.StatusCode, other)
		require.Equal(t, "INVALID_ARGUMENT", got.reason(t), other)
	}
	require.Empty(t, s.counted(t))
	require.Equal(t, http.StatusUnauthorized, s.gateways[0].browser(t).call(t, reportPage, `{"route":"/"}`).StatusCode, "visitors are never counted")
}

func TestNothingIsCountedWhileNobodyKnowsWhoAgreed(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	b := s.member(t)
	s.agrees(s.uid(), termsVersion, true)
	s.services.failing(identityv1connect.UserServiceGetUserProcedure, errAway)
	got := b.call(t, reportPage, `{"route":"/"}`)
	require.Equal(t, http.StatusServiceUnavailable, got.StatusCode, got.body)
	require.Empty(t, s.counted(t))
}

func TestReportsOfPagesHaveALimit(t *testing.T) {
	t.Parallel()
	s := start(t, 1, scaled(1))
	b := s.member(t)
	for range 60 {
		require.False(t, b.report(t, "/"))
	}
	got := b.call(t, reportPage, `{"route":"/"}`)
	require.Equal(t, http.StatusTooManyRequests, got.StatusCode, got.body)
}
