package gateway

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"serein.app/gateway/internal/rest"
	"serein.app/proto/gen/serein/basket/v1/basketv1connect"
	billingv1 "serein.app/proto/gen/serein/billing/v1"
	"serein.app/proto/gen/serein/billing/v1/billingv1connect"
	generationv1 "serein.app/proto/gen/serein/generation/v1"
	"serein.app/proto/gen/serein/generation/v1/generationv1connect"
	identityv1 "serein.app/proto/gen/serein/identity/v1"
)

// record is the caller's own.
func (b *browser) record(t *testing.T) map[string]any {
	t.Helper()
	got := b.own(t, http.MethodGet, "/api/GetUser", "")
	require.Equal(t, http.StatusOK, got.StatusCode, got.body)
	return tree(t, got.body)
}

func TestATrialThatHasEndedIsCompleted(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	b := s.member(t)
	ended := trial()
	ended.Active = false
	s.services.subscribed(s.uid(), ended)
	shown := b.record(t)["subscription"]
	require.Equal(t, true, at(t, shown, "hasCompletedTrial"))
	require.Equal(t, false, at(t, shown, "active"))
	require.Equal(t, false, at(t, shown, "isActiveSub"))
}

func TestEveryConsentIsShownUnderItsOwnName(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	b := s.member(t)
	for kind, name := range map[identityv1.ConsentKind]string{
		identityv1.ConsentKind_CONSENT_KIND_ESSENTIALS: "essentials", identityv1.ConsentKind_CONSENT_KIND_ANALYTICS: "analytics",
		identityv1.ConsentKind_CONSENT_KIND_MARKETING: "marketing", identityv1.ConsentKind_CONSENT_KIND_TERMS: "termsAndConditions",
	} {
		s.services.knows(&identityv1.User{Uid: s.uid(), Consents: []*identityv1.Consent{{Kind: kind, Given: true}}})
		want := map[string]any{"essentials": false, "analytics": false, "marketing": false, "termsAndConditions": false}
		want[name] = true
		require.Equal(t, want, b.record(t)["consents"])
	}
}

func TestPlansCreditsBoughtOnesAndHeldOnesAreNotMixed(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	b := s.member(t)
	s.services.balance[s.uid()] = &billingv1.Balance{PlanAvailable: 3, TopUpAvailable: 5, Held: 2}
	shown := b.record(t)["subscription"]
	require.EqualValues(t, 3, at(t, shown, "meditationCredits"))
	require.EqualValues(t, 5, at(t, shown, "extraBespokeMeditationCredits"))
}

func TestThePageTokenLeadsToTheRestOfTheMeditations(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	b := s.member(t)
	given := map[string]bool{}
	for n := range 51 {
		id := fmt.Sprintf("0192f0c1-0000-7000-8000-%012d", n)
		given[id] = true
		s.services.give(s.uid(), meditation(id, generationv1.Stage_STAGE_READY))
	}
	page := func(token string) (ids []string, next string) {
		got := tree(t, b.own(t, http.MethodGet, "/api/bespokeMeditations?page_token="+token, "").body)
		items, _ := got["items"].([]any)
		for _, item := range items {
			id, _ := at(t, item, "id").(string)
			ids = append(ids, id)
		}
		next, _ = got["nextPageToken"].(string)
		return ids, next
	}
	first, token := page("")
	require.Len(t, first, 50)
	require.NotEmpty(t, token)
	rest, end := page(token)
	require.Empty(t, end)
	require.ElementsMatch(t, slices.Collect(maps.Keys(given)), append(first, rest...))
}

func TestAMembersIDHasOneFormAndNoServiceIsAskedForAnother(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	s.services.is(someone, true)
	s.services.is(s.uid(), false)
	admin, account := s.other(t), s.account("serein.user.read", "serein.meditation.read")
	for _, named := range []string{"nonsense", strings.ToUpper(s.uid()), "%7B" + s.uid() + "%7D", strings.ReplaceAll(s.uid(), "-", "")} {
		for _, path := range []string{"/api/GetUser?uid=", "/api/bespokeMeditations?user_id="} {
			admin.own(t, http.MethodGet, path+named, "").failed(t, http.StatusNotFound, "USER_NOT_FOUND")
			s.rest(t, account, http.MethodGet, path+named, "").failed(t, http.StatusNotFound, "USER_NOT_FOUND")
		}
	}
	for _, procedure := range []string{
		basketv1connect.BasketServiceGetBasketProcedure, billingv1connect.AccountServiceGetAccountProcedure,
		generationv1connect.MeditationServiceListMeditationsProcedure,
	} {
		require.Zero(t, s.services.asks(procedure), procedure)
	}
}

func TestTheDocumentHasTheAnswerToWhoNamesAnotherMember(t *testing.T) {
	t.Parallel()
	s := start(t, 1, waiting(time.Nanosecond))
	b := s.member(t)
	document := tree(t, b.get(t, "/api/openapi.json").body)
	for _, line := range rest.Lines() {
		path, body := line.Path, ""
		if line.Verb == http.MethodGet {
			path += "?uid=" + someone + "&user_id=" + someone
		} else {
			fields := tree(t, line.Body)
			for _, name := range []string{"uid", "user_id", "userId"} {
				fields[name] = someone
			}
			sent, err := json.Marshal(fields)
			require.NoError(t, err)
			body = string(sent)
		}
		got := b.own(t, line.Verb, path, body)
		documented := at(t, document, "paths", line.Path, strings.ToLower(line.Verb), "responses")
		require.Contains(t, documented, strconv.Itoa(got.StatusCode), "%s %s: %s", line.Verb, path, got.body)
	}
}
