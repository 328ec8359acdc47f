package gateway

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	billingv1 "serein.app/proto/gen/serein/billing/v1"
	"serein.app/proto/gen/serein/content/v1/contentv1connect"
	"serein.app/proto/gen/serein/web/v1/webv1connect"
)

const getMemberHome = webv1connect.HomeServiceGetMemberHomeProcedure

func TestAMemberIsSuggestedOneMeditationThatTheyHaveNotSaved(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	b := s.member(t)
	asked := `{"localDate":"2026-11-30","hour":8}`
	home := tree(t, b.call(t, getMemberHome, asked).body)
	require.Equal(t, bench, at(t, home, "meditation", "id"))
	require.NotEmpty(t, at(t, home, "tracks", 0, "url"))
	require.NotContains(t, home, "title")
	require.Equal(t, home, tree(t, s.member(t).call(t, getMemberHome, asked).body), "the same on another device")
	require.Contains(t, s.services.subjectOf(contentv1connect.LibraryServiceListMeditationsProcedure).Entitlements, "library")
}

func TestWithoutTheLibraryATitleIsSuggested(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	b := s.member(t)
	s.services.failing(contentv1connect.LibraryServiceListMeditationsProcedure, errAway)
	home := tree(t, b.call(t, getMemberHome, `{"localDate":"2026-11-30","hour":8}`).body)
	require.NotEmpty(t, at(t, home, "title"), "content is away")
	require.NotContains(t, home, "meditation")

	s.services.failing(contentv1connect.LibraryServiceListMeditationsProcedure, nil)
	s.services.subscribed(someone, &billingv1.Subscription{PlanId: "serein-generate", Active: true, Entitlements: []string{"generator"}})
	generates := tree(t, s.other(t).call(t, getMemberHome, `{"localDate":"2026-11-30","hour":8}`).body)
	require.NotEmpty(t, at(t, generates, "title"), "their plan only generates")
	require.NotContains(t, generates, "meditation")
}

func TestTheMembersOwnClockIsAskedForAndVisitorsHaveNone(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	b := s.member(t)
	for _, odd := range []string{`{}`, `{"localDate":"today","hour":8}`, `{"localDate":"2026-11-30","hour":24}`, `{"localDate":"2026-11-30","hour":-1}`} {
		require.Equal(t, http.StatusBadRequest, b.call(t, getMemberHome, odd).StatusCode, odd)
	}
	require.Equal(t, http.StatusUnauthorized, s.gateways[0].browser(t).call(t, getMemberHome, `{"localDate":"2026-11-30","hour":8}`).StatusCode)
}
