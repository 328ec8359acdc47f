package gateway

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/gateway/internal/view"
	billingv1 "serein.app/proto/gen/serein/billing/v1"
	"serein.app/proto/gen/serein/billing/v1/billingv1connect"
	"serein.app/proto/gen/serein/content/v1/contentv1connect"
	generationv1 "serein.app/proto/gen/serein/generation/v1"
	"serein.app/proto/gen/serein/generation/v1/generationv1connect"
	"serein.app/proto/gen/serein/identity/v1/identityv1connect"
)

// shownEverywhere are the calls that a page of a member needs where nothing is known yet.
var shownEverywhere = []string{
	identityv1connect.UserServiceGetUserProcedure, billingv1connect.AccountServiceGetAccountProcedure,
	generationv1connect.MeditationServiceCountMeditationsProcedure, contentv1connect.ItemServiceCountSavedProcedure,
}

func (s *services) shownAsks() map[string]int {
	asks := map[string]int{}
	for _, procedure := range shownEverywhere {
		asks[procedure] = s.asks(procedure)
	}
	return asks
}

func TestAPageOfAMemberNeedsNoHop(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	b := s.member(t)
	s.services.give(s.uid(), meditation(mine, generationv1.Stage_STAGE_READY))
	first := b.shown(t)
	require.Equal(t, "8", at(t, first, "credits", "plan"))
	require.InDelta(t, 1, at(t, first, "journeyCount"), 0)
	asks := s.services.shownAsks()
	for range 3 {
		require.Equal(t, first, b.shown(t))
		require.Contains(t, b.get(t, "/members", "Accept", "text/html").body, `"journeyCount":1`)
	}
	require.Equal(t, asks, s.services.shownAsks())
	s.clock.Move(view.Wrong)
	b.shown(t)
	require.NotEqual(t, asks, s.services.shownAsks(), "no events arrive here")
}

// The next request of who has just acted may reach another replica, which has shown them something
// older a moment ago.
func TestAMembersOwnActsAreReadBackAtOnceOnEveryReplica(t *testing.T) {
	t.Parallel()
	s := start(t, 2)
	here := s.member(t)
	there := &browser{Client: here.Client, base: s.gateways[1].URL}
	s.services.balance[s.uid()] = &billingv1.Balance{PlanAvailable: 8}
	for _, replica := range []*browser{here, there} {
		require.Equal(t, "8", at(t, replica.shown(t), "credits", "plan"))
	}
	s.services.mu.Lock()
	s.services.balance[s.uid()] = &billingv1.Balance{PlanAvailable: 7, Held: 1}
	s.services.mu.Unlock()
	s.services.give(s.uid(), meditation(mine, generationv1.Stage_STAGE_READY))
	require.Equal(t, http.StatusOK, here.call(t, generator+"Generate", generateBody).StatusCode)
	for _, replica := range []*browser{there, here} {
		shown := replica.shown(t)
		require.Equal(t, "7", at(t, shown, "credits", "plan"))
		require.InDelta(t, 1, at(t, shown, "journeyCount"), 0)
		require.Contains(t, replica.get(t, "/", "Accept", "text/html").body, `"journeyCount":1`)
	}

	s.services.failing(generationv1connect.MeditationServiceCancelMeditationProcedure, errAway)
	s.services.mu.Lock()
	s.services.balance[s.uid()] = &billingv1.Balance{PlanAvailable: 8}
	s.services.mu.Unlock()
	require.NotEqual(t, http.StatusOK, here.call(t, generator+"CancelMeditation", `{"id":"`+mine+`"}`).StatusCode)
	require.Equal(t, "8", at(t, there.shown(t), "credits", "plan"), "it may have been done all the same")
}

// A program's acts are not its member's browser's: they show as others' do.
func TestAnActWithATokenMarksNoBrowser(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	b := s.member(t)
	require.NotContains(t, b.own(t, http.MethodGet, library, "").Header.Get("Set-Cookie"), "acted")
	require.Contains(t, b.own(t, http.MethodPost, "/api/UpdateUser", `{"firstName":"Amara"}`).Header.Get("Set-Cookie"), "__Host-serein-acted=1; Path=/; Max-Age=3; HttpOnly; Secure; SameSite=Lax")
	token := s.gateways[0].browser(t)
	got := token.send(t, http.MethodPost, "/api/UpdateUser", nil, "Authorization", "Bearer x", "Content-Type", "application/json")
	require.Empty(t, got.Header.Get("Set-Cookie"))
}
