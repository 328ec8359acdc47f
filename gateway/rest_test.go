package gateway

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/types/known/timestamppb"

	"serein.app/gateway/internal/rest"
	basketv1 "serein.app/proto/gen/serein/basket/v1"
	"serein.app/proto/gen/serein/basket/v1/basketv1connect"
	billingv1 "serein.app/proto/gen/serein/billing/v1"
	"serein.app/proto/gen/serein/billing/v1/billingv1connect"
	contentv1 "serein.app/proto/gen/serein/content/v1"
	"serein.app/proto/gen/serein/content/v1/contentv1connect"
	errorsv1 "serein.app/proto/gen/serein/errors/v1"
	generationv1 "serein.app/proto/gen/serein/generation/v1"
	"serein.app/proto/gen/serein/generation/v1/generationv1connect"
	"serein.app/proto/gen/serein/identity/v1/identityv1connect"
	"serein.app/services/platform/auth"
	"serein.app/services/platform/errs"
	"serein.app/services/testkit/issuer"
)

// token is an access token of the provider.
func (s *stack) token(change map[string]any, scopes ...string) string {
	claims := map[string]any{
		"iss": s.op.URL, "aud": []string{"a-program", "serein-api"}, "sub": s.uid(), "client_id": "a-program", "jti": "a-grant.1", "scope": strings.Join(scopes, " "),
		"iat": s.clock.Now().Unix(), "exp": s.clock.Now().Add(time.Minute).Unix(),
	}
	for name, value := range change {
		claims[name] = value
	}
	payload, _ := json.Marshal(claims)
	return s.op.SignRSA(payload)
}

// account is the token of a service account.
func (s *stack) account(scopes ...string) string {
	return s.accountOf("reports", scopes...)
}

// accountOf a client; content proves it too, by the real time.
func (s *stack) accountOf(client string, scopes ...string) string {
	until := time.Now().Add(time.Hour).Unix()
	return s.token(map[string]any{"sub": client, "client_id": client, "aud": "serein", "exp": until}, scopes...)
}

// adminCalls are those for admins. No token in a member's name opens them: programs are service accounts.
var adminCalls = map[string]string{
	"/api/sendMail": http.MethodPost, "/api/generateStaticMeditation": http.MethodPost, "/api/updateStaticMed": http.MethodPost,
	"/api/deleteStaticMed": http.MethodDelete, "/api/generateArticle": http.MethodPost,
}

// mayCall is a token that may make the call.
func (s *stack) mayCall(line rest.Line) string {
	if adminCalls[line.Path] != "" {
		return s.account(everyScope)
	}
	return s.token(nil, everyScope)
}

// rest makes a call as a program does, with a token.
func (s *stack) rest(tb testing.TB, token, verb, path, body string, headers ...string) answer {
	tb.Helper()
	headers = append([]string{"Authorization", "Bearer " + token, "Content-Type", "application/json"}, headers...)
	return s.gateways[0].browser(tb).send(tb, verb, path, strings.NewReader(body), headers...)
}

// own makes a call as our own pages do.
func (b *browser) own(tb testing.TB, verb, path, body string, headers ...string) answer {
	tb.Helper()
	return b.send(tb, verb, path, strings.NewReader(body), append([]string{"Content-Type", "application/json", "X-Serein", "1"}, headers...)...)
}

type failure struct {
	Error     string `json:"error"`
	Reason    string `json:"reason"`
	RequestID string `json:"requestId"`
	Field     string `json:"field"`
}

// failed demands a REST error and gives it.
func (a answer) failed(tb testing.TB, status int, reason string) failure {
	tb.Helper()
	require.Equal(tb, status, a.StatusCode, a.body)
	require.Equal(tb, "application/json", a.Header.Get("Content-Type"))
	var f failure
	require.NoError(tb, json.Unmarshal([]byte(a.body), &f), a.body)
	require.Equal(tb, reason, f.Reason, a.body)
	require.NotEmpty(tb, f.Error)
	require.NotEmpty(tb, f.RequestID)
	require.Equal(tb, a.Header.Get("X-Request-Id"), f.RequestID)
	return f
}

const everyScope = "serein.user.read serein.user.write serein.billing.write serein.mail.send serein.meditation.read " +
	"serein.meditation.write serein.library.read serein.library.write serein.article.read serein.article.write"

func TestGetUserAnswersTheWholeRecord(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	b := s.member(t)
	shirt := &basketv1.BasketLine{Id: "l-1", ProductId: "linen-shirt", Size: "M", Quantity: 2, AddedAt: timestamppb.New(time.Unix(1_763_000_000, 0))}
	s.services.fill(s.uid(), shirt, saved(line("tote", "", 1)))
	s.services.ordered(s.uid(), &billingv1.Order{
		Id: anOrder, CompletedAt: shirt.GetAddedAt(), Items: []*billingv1.OrderedItem{{Name: "Linen shirt", Quantity: 2, UnitAmount: 4000}},
	})
	got := b.own(t, http.MethodGet, "/api/GetUser?uid="+s.uid(), "")
	require.Equal(t, http.StatusOK, got.StatusCode, got.body)
	require.NotEmpty(t, got.Header.Get("X-Request-Id"))
	want := `{"uid":"UID","firebaseId":"UID","createdBy":"UID","email":"ada@example.org","firstName":"Ada","surName":"Lovelace",
		"name":"Ada Lovelace","referralCode":"ADA-4F2K","isGod":false,
		"consents":{"essentials":true,"analytics":false,"marketing":false,"termsAndConditions":true},
		"basket":[{"product":{"id":"linen-shirt","name":"","price":0,"size":"M","type":"","description":"","priceId":"","medCredits":0,"title":"","value":0},
			"quantity":2,"size":"M","savedAt":"2025-11-13T02:13:20Z","lineItemId":"l-1"}],"savedItems":{"ebooks":[]},"favourites":{"publications":[],"meditations":[]},
		"purchasedItems":[{"name":"Linen shirt","price":80,"purchasedDate":"2025-11-13T02:13:20Z"}],"away":[],
		"subscription":{"subId":"free-trial","subscription":"free-trial","planName":"Free trial","startDate":"2025-11-13T02:13:20Z","duration":7,
			"meditationCredits":8,"extraBespokeMeditationCredits":0,"hasCompletedTrial":false,"isActiveSub":true,"active":true,"cancelAtPeriodEnd":false,
			"size":"","priceId":"","billing":"","price":0,"description":"No card."}}`
	require.JSONEq(t, strings.ReplaceAll(want, "UID", s.uid()), got.body)
	require.JSONEq(t, got.body, b.own(t, http.MethodGet, "/api/GetUser", "").body, "the caller's own where none is named")
	require.JSONEq(t, got.body, s.rest(t, s.token(nil, "serein.user.read"), http.MethodGet, "/api/GetUser", "").body)

	s.services.subscribed(s.uid(), &billingv1.Subscription{PlanId: "serein-core", PlanKind: billingv1.PlanKind_PLAN_KIND_MEMBER, Active: true, HadTrial: true})
	require.Contains(t, b.own(t, http.MethodGet, "/api/GetUser", "").body, `"hasCompletedTrial":true`)
	s.services.subscribed(s.uid(), &billingv1.Subscription{PlanId: "serein-core", PlanKind: billingv1.PlanKind_PLAN_KIND_MEMBER, Active: true})
	require.Contains(t, b.own(t, http.MethodGet, "/api/GetUser", "").body, `"hasCompletedTrial":false`, "a member who bought without a trial has completed none")
	s.services.subscribed(s.uid(), nil)
	require.NotContains(t, tree(t, b.own(t, http.MethodGet, "/api/GetUser", "").body), "subscription")
}

func TestOnlyAdminsAndServiceAccountsReadOthers(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	s.services.is(someone, true) // known to identity
	s.services.is(s.uid(), false)
	other, member := s.other(t), s.member(t)
	const unknown = "0192f0c1-0000-7000-8000-00000000000c"
	refused := member.own(t, http.MethodGet, "/api/GetUser?uid="+someone, "")
	require.Equal(t, "There is no such member.", refused.failed(t, http.StatusNotFound, "USER_NOT_FOUND").Error)
	for _, uid := range []string{unknown, "nonsense", strings.ToUpper(someone), "%27--"} {
		member.own(t, http.MethodGet, "/api/GetUser?uid="+uid, "").failed(t, http.StatusNotFound, "USER_NOT_FOUND")
	}
	admin := other.own(t, http.MethodGet, "/api/GetUser?uid="+s.uid(), "")
	require.Equal(t, s.uid(), tree(t, admin.body)["uid"])

	account := s.account("serein.user.read")
	require.Equal(t, someone, tree(t, s.rest(t, account, http.MethodGet, "/api/GetUser?uid="+someone, "").body)["uid"])
	require.Equal(t, "uid", s.rest(t, account, http.MethodGet, "/api/GetUser", "").failed(t, http.StatusBadRequest, "INVALID_ARGUMENT").Field)

	s.services.give(someone, meditation(theirs, generationv1.Stage_STAGE_READY))
	member.own(t, http.MethodGet, "/api/bespokeMeditations?user_id="+someone, "").failed(t, http.StatusNotFound, "USER_NOT_FOUND")
	require.Contains(t, s.rest(t, s.account("serein.meditation.read"), http.MethodGet, "/api/bespokeMeditations?user_id="+someone, "").body, theirs)
}

func TestIdentityIsToldThatAnAdminReadsAndNotTheMember(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	s.services.is(someone, true)
	s.services.is(s.uid(), false)
	admin, member := s.other(t), s.member(t)
	const procedure = identityv1connect.UserServiceGetUserProcedure
	s.services.give(s.uid(), meditation(mine, generationv1.Stage_STAGE_READY))
	for _, path := range []string{"/api/GetUser?uid=", "/api/bespokeMeditations?user_id="} {
		require.Equal(t, http.StatusOK, admin.own(t, http.MethodGet, path+s.uid(), "").StatusCode)
		require.Equal(t, auth.Subject{UID: someone, Admin: true}, s.services.subjectOf(procedure), path)
		require.Equal(t, http.StatusOK, member.own(t, http.MethodGet, path+s.uid(), "").StatusCode)
		require.Equal(t, auth.Subject{UID: s.uid()}, s.services.subjectOf(procedure), path)
	}
}

// readOf are the services' calls by which REST reads a member's things.
var readOf = map[string][]string{
	"/api/GetUser?uid=": {
		basketv1connect.BasketServiceGetBasketProcedure, billingv1connect.AccountServiceGetAccountProcedure,
		billingv1connect.OrderServiceListOrdersProcedure, contentv1connect.ItemServiceListKeptProcedure,
	},
	"/api/bespokeMeditations?user_id=":                  {generationv1connect.MeditationServiceListMeditationsProcedure, contentv1connect.ItemServiceBatchGetBespokeProcedure},
	"/api/bespokeMeditations?uid=" + mine + "&user_id=": {generationv1connect.MeditationServiceGetMeditationProcedure, contentv1connect.ItemServiceBatchGetBespokeProcedure},
}

func TestTheServicesAreToldWhoReadsAnotherMembersThings(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	s.services.is(someone, true)
	s.services.is(s.uid(), false)
	s.services.give(s.uid(), meditation(mine, generationv1.Stage_STAGE_READY))
	admin, member := s.other(t), s.member(t)
	account := s.account("serein.user.read", "serein.meditation.read")
	for path, procedures := range readOf {
		for actor, read := range map[string]func() answer{
			"reports": func() answer { return s.rest(t, account, http.MethodGet, path+s.uid(), "") },
			someone:   func() answer { return admin.own(t, http.MethodGet, path+s.uid(), "") },
			"":        func() answer { return member.own(t, http.MethodGet, path+s.uid(), "") },
		} {
			require.Equal(t, http.StatusOK, read().StatusCode, path)
			for _, procedure := range procedures {
				require.Equal(t, auth.Subject{UID: s.uid(), Actor: actor}, s.services.subjectOf(procedure), "%s %s", actor, path)
			}
		}
	}
	s.rest(t, account, http.MethodGet, "/api/GetUser?uid="+s.uid(), "")
	require.Equal(t, auth.Subject{UID: s.uid(), Actor: "reports"}, s.services.subjectOf(identityv1connect.UserServiceGetUserProcedure))
}

// Calls whose answer is the same for everybody name no member, not even the first caller.
func TestCatalogueCallsNameNoMember(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	s.services.give(s.uid(), meditation(mine, generationv1.Stage_STAGE_READY))
	got := s.rest(t, s.account("serein.meditation.read"), http.MethodGet, "/api/bespokeMeditations?user_id="+s.uid(), "")
	require.Equal(t, http.StatusOK, got.StatusCode, got.body)
	require.Equal(t, auth.Subject{}, s.services.subjectOf(contentv1connect.CatalogueServiceGetCatalogueProcedure))
}

// An app that an admin signed in to acts for her as for any member.
func TestATokenCarriesNoAdminPowers(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	s.services.is(s.uid(), true)
	s.services.is(someone, false)
	s.services.give(someone, meditation(theirs, generationv1.Stage_STAGE_READY))
	b, token := s.member(t), s.token(nil, everyScope)
	for path, verb := range adminCalls {
		s.rest(t, token, verb, path, "{}").failed(t, http.StatusForbidden, "ADMIN_REQUIRED")
		require.NotEqual(t, http.StatusForbidden, b.own(t, verb, path, "{}").StatusCode, "our own pages: %s", path)
	}
	for _, path := range []string{"/api/GetUser?uid=", "/api/bespokeMeditations?user_id="} {
		s.rest(t, token, http.MethodGet, path+someone, "").failed(t, http.StatusNotFound, "USER_NOT_FOUND")
		require.Equal(t, http.StatusOK, s.rest(t, token, http.MethodGet, path+s.uid(), "").StatusCode)
		require.Equal(t, http.StatusOK, b.own(t, http.MethodGet, path+someone, "").StatusCode, "our own pages")
	}
}

func TestAMemberWhomNobodyKnowsIsNotFound(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	s.services.is(someone, true)
	admin, member := s.other(t), s.member(t)
	const unknown = "0192f0c1-0000-7000-8000-00000000000c"
	admin.own(t, http.MethodGet, "/api/bespokeMeditations?user_id="+unknown, "").failed(t, http.StatusNotFound, "USER_NOT_FOUND")
	s.services.failing(identityv1connect.UserServiceGetUserProcedure, errs.New(errs.NotFound, errorsv1.Reason_REASON_USER_NOT_FOUND, "There is no such member."))
	for path, scope := range map[string]string{"/api/GetUser?uid=": "serein.user.read", "/api/bespokeMeditations?user_id=": "serein.meditation.read"} {
		s.rest(t, s.account(scope), http.MethodGet, path+unknown, "").failed(t, http.StatusNotFound, "USER_NOT_FOUND")
	}
	own := member.own(t, http.MethodGet, "/api/bespokeMeditations", "")
	require.Equal(t, http.StatusOK, own.StatusCode, "a member of another provider is known to the session: %s", own.body)
}

func TestWhileIdentityIsAwayNobodyReadsOthers(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	b := s.member(t)
	s.services.failing(identityv1connect.UserServiceGetUserProcedure, errAway)
	b.own(t, http.MethodGet, "/api/GetUser?uid="+someone, "").failed(t, http.StatusServiceUnavailable, "UNAVAILABLE")
	b.own(t, http.MethodPost, "/api/sendMail", "{}").failed(t, http.StatusServiceUnavailable, "UNAVAILABLE")
}

func TestBespokeMeditationsHaveTheSpecificationsNames(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	m := meditation(mine, generationv1.Stage_STAGE_READY)
	s.services.give(s.uid(), m, &generationv1.Segment{Lines: []*generationv1.Line{{Text: "Welcome."}, {Text: "Sit."}}},
		&generationv1.Segment{Index: 1, Lines: []*generationv1.Line{{Text: "Breathe."}}})
	s.services.give(s.uid(), meditation("0192f0c1-0000-7000-8000-0000000000a2", generationv1.Stage_STAGE_NARRATING),
		&generationv1.Segment{Lines: []*generationv1.Line{{Text: "Not yet."}}})
	s.services.give(someone, meditation(theirs, generationv1.Stage_STAGE_READY))
	s.services.file(&contentv1.BespokeItem{
		Id: mine, Categories: []*contentv1.Category{{Name: "Gratitude"}, {Name: "Better Sleep"}}, Standing: &contentv1.Standing{Likes: 1},
	})
	b := s.member(t)
	got := tree(t, b.own(t, http.MethodGet, "/api/bespokeMeditations?user_id="+s.uid(), "").body)
	items, _ := got["items"].([]any)
	require.Len(t, items, 2)
	url := s.gateways[0].URL + "/media/meditations/" + mine + "/audio"
	require.Equal(t, map[string]any{
		"uid": mine, "id": mine, "title": "A kind evening", "content": "Welcome. Sit.\n\nBreathe.", "audioUrl": url, "duration": "Reset",
		"immersive": false, "type": "Gratitude", "style": "Zen", "category": []any{map[string]any{"category": "Gratitude"}, map[string]any{"category": "Better Sleep"}}, "likes": 1.0,
		"verified": false, "staticMed": false,
		"introMed": false, "createdBy": s.uid(), "generatedBy": "Ada", "firebaseId": s.uid(), "createdAt": "2025-11-13T02:13:20Z", "willDelete": false,
	}, items[0])
	require.Empty(t, at(t, items[1], "audioUrl"), "still being made")
	require.Empty(t, at(t, items[1], "content"), "still being made")
	require.Empty(t, at(t, items[1], "category"), "content knows nothing of it yet")

	one, _ := tree(t, b.own(t, http.MethodGet, "/api/bespokeMeditations?uid="+mine, "").body)["items"].([]any)
	require.Len(t, one, 1)
	for _, none := range []string{theirs, "nonsense"} {
		require.JSONEq(t, `{"items":[],"nextPageToken":""}`, b.own(t, http.MethodGet, "/api/bespokeMeditations?uid="+none, "").body)
	}
}

func TestBespokeMeditationsComeWithoutCategoriesWhileContentIsAway(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	s.services.give(s.uid(), meditation(mine, generationv1.Stage_STAGE_READY))
	s.services.file(&contentv1.BespokeItem{Id: mine, Categories: []*contentv1.Category{{Name: "Gratitude"}}})
	s.services.failing(contentv1connect.ItemServiceBatchGetBespokeProcedure, errAway)
	got := s.member(t).own(t, http.MethodGet, "/api/bespokeMeditations", "")
	require.Equal(t, http.StatusOK, got.StatusCode, got.body)
	items, _ := tree(t, got.body)["items"].([]any)
	require.Len(t, items, 1)
	require.Empty(t, at(t, items[0], "category"))
}

const wanted = `{"title":"A kind evening","meditationType":"Gratitude","practiceType":"Zen","duration":"Reset","language":"en-GB","voiceCode":"wren",
	"immersive":true,"userId":"victim","keepInside":true}`

// finish makes every new meditation ready at once.
func (s *stack) finish(id string, stage generationv1.Stage) {
	s.services.change(id, func(o *owned) {
		o.m.Stage = stage
		o.segments = []*generationv1.Segment{{Lines: []*generationv1.Line{{Text: "Welcome."}}}}
	})
}

// made waits for a meditation to be asked for and gives its id.
func (s *services) made(ctx context.Context) string {
	for ctx.Err() == nil {
		s.mu.Lock()
		for _, o := range s.meditations {
			if o.m.GetStage() == generationv1.Stage_STAGE_LISTENING {
				s.mu.Unlock()
				return o.m.GetId()
			}
		}
		s.changed.Wait()
		s.mu.Unlock()
	}
	return ""
}

func TestGenerateMeditationAnswersWhenItIsReady(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	b := s.member(t)
	go func() { s.finish(s.services.made(t.Context()), generationv1.Stage_STAGE_READY) }()
	got := b.own(t, http.MethodPost, "/api/generateMeditation", wanted)
	require.Equal(t, http.StatusOK, got.StatusCode, got.body)
	data := at(t, tree(t, got.body), "data")
	require.Equal(t, "A kind evening", at(t, data, "script", "title"))
	require.Equal(t, "Welcome.", at(t, data, "script", "content"))
	require.Equal(t, true, at(t, data, "dbItem", "immersive"))
	require.Equal(t, s.uid(), at(t, data, "dbItem", "createdBy"), "the caller's own, whatever userId says")
	require.Equal(t, at(t, data, "audioUrl"), at(t, data, "dbItem", "audioUrl"))
	require.Equal(t, s.uid(), s.services.meditations[0].uid)
	sent := s.services.created[0]
	require.Equal(t, []string{"gratitude", "zen", "reset", "wren", "en-GB"},
		[]string{sent.GetTypeId(), sent.GetPracticeId(), sent.GetSizeId(), sent.GetNarratorId(), sent.GetLanguage()})
	require.True(t, sent.GetKeepInside())
}

func TestNamesAndIDsMeanTheSame(t *testing.T) {
	t.Parallel()
	s := start(t, 1, waiting(time.Millisecond))
	b := s.member(t)
	for _, names := range []string{
		`"meditationType":"gratitude","practiceType":"zen","duration":"reset"`, `"meditationType":" GRATITUDE ","practiceType":"Zen","duration":"RESET"`,
		`"meditation_type":"Gratitude","practice_type":"zen","duration":"Reset"`,
	} {
		require.Equal(t, http.StatusAccepted, b.own(t, http.MethodPost, "/api/generateMeditation", `{"title":"x",`+names+`}`).StatusCode)
		sent := s.services.created[len(s.services.created)-1]
		require.Equal(t, []string{"gratitude", "zen", "reset"}, []string{sent.GetTypeId(), sent.GetPracticeId(), sent.GetSizeId()}, names)
	}
	b.own(t, http.MethodPost, "/api/generateMeditation", `{"meditationType":"Sleep"}`)
	require.Equal(t, "Sleep", s.services.created[3].GetTypeId(), "generation says what it does not know")
}

func waiting(d time.Duration) options { return func(_ *Config, p *settings) { p.wait = d } }

func TestAMeditationThatTakesLongerIsAnsweredWithItsAddress(t *testing.T) {
	t.Parallel()
	s := start(t, 1, waiting(20*time.Millisecond))
	b := s.member(t)
	got := b.own(t, http.MethodPost, "/api/generateMeditation", wanted)
	require.Equal(t, http.StatusAccepted, got.StatusCode, got.body)
	id, _ := tree(t, got.body)["id"].(string)
	require.NotContains(t, tree(t, got.body), "data")
	require.Equal(t, "/api/bespokeMeditations?uid="+id, got.Header.Get("Location"))
	s.finish(id, generationv1.Stage_STAGE_READY)
	found := b.own(t, http.MethodGet, got.Header.Get("Location"), "")
	items, _ := tree(t, found.body)["items"].([]any)
	require.Len(t, items, 1)
	require.Contains(t, at(t, items[0], "audioUrl"), "/media/meditations/"+id+"/audio")
}

func TestACreatedMeditationIsNeverAnsweredWithAFailureToAskAboutIt(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	b := s.member(t)
	const get, watch = generationv1connect.MeditationServiceGetMeditationProcedure, generationv1connect.MeditationServiceWatchMeditationProcedure
	for _, failing := range [][]string{{watch, get}, {get}} {
		for _, kind := range []errs.Kind{errs.Unavailable, errs.DeadlineExceeded, errs.Internal, errs.NotFound} {
			for _, procedure := range failing {
				s.services.failing(procedure, errs.New(kind, errorsv1.Reason_REASON_UNAVAILABLE, "Resting."))
			}
			before := len(s.services.created)
			if len(failing) == 1 {
				go func() { s.finish(s.services.made(t.Context()), generationv1.Stage_STAGE_READY) }()
			}
			got := b.own(t, http.MethodPost, "/api/generateMeditation", wanted)
			require.Equal(t, http.StatusAccepted, got.StatusCode, got.body)
			id, _ := tree(t, got.body)["id"].(string)
			require.Equal(t, "/api/bespokeMeditations?uid="+id, got.Header.Get("Location"))
			require.Len(t, s.services.created, before+1)
			s.services.failing(get, nil)
			s.services.failing(watch, nil)
			items, _ := tree(t, b.own(t, http.MethodGet, got.Header.Get("Location"), "").body)["items"].([]any)
			require.Len(t, items, 1)
			s.finish(id, generationv1.Stage_STAGE_READY)
		}
	}
}

func TestAGenerationThatDoesNotWorkSaysWhyAndWhere(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	b := s.member(t)
	const procedure = generationv1connect.MeditationServiceCreateMeditationProcedure
	for reason, c := range map[string]struct {
		err    error
		status int
		field  string
	}{
		"UNKNOWN_TYPE":         {errs.New(errs.Invalid, errorsv1.Reason_REASON_UNKNOWN_TYPE, "Which one?").On("type_id"), http.StatusBadRequest, "meditationType"},
		"UNKNOWN_SIZE":         {errs.New(errs.Invalid, errorsv1.Reason_REASON_UNKNOWN_SIZE, "Which one?"), http.StatusBadRequest, "duration"},
		"UNKNOWN_PRACTICE":     {errs.New(errs.Invalid, errorsv1.Reason_REASON_UNKNOWN_PRACTICE, "Which one?"), http.StatusBadRequest, "practiceType"},
		"UNKNOWN_NARRATOR":     {errs.New(errs.Invalid, errorsv1.Reason_REASON_UNKNOWN_NARRATOR, "Who?"), http.StatusBadRequest, "voiceCode"},
		"UNKNOWN_LANGUAGE":     {errs.New(errs.Invalid, errorsv1.Reason_REASON_UNKNOWN_LANGUAGE, "Which one?"), http.StatusBadRequest, "language"},
		"TITLE_PROFANE":        {errs.New(errs.Invalid, errorsv1.Reason_REASON_TITLE_PROFANE, "Title must not contain profanities").On("title"), http.StatusBadRequest, "title"},
		"TITLE_NEEDS_CARE":     {errs.New(errs.FailedPrecondition, errorsv1.Reason_REASON_TITLE_NEEDS_CARE, "You are not alone.").On("title"), http.StatusConflict, "title"},
		"INSUFFICIENT_CREDITS": {errs.New(errs.FailedPrecondition, errorsv1.Reason_REASON_INSUFFICIENT_CREDITS, "Too few."), http.StatusConflict, ""},
		"TOO_MANY_GENERATIONS": {errs.New(errs.Exhausted, errorsv1.Reason_REASON_TOO_MANY_GENERATIONS, "One at a time."), http.StatusTooManyRequests, ""},
		"INTERNAL":             {errs.New(errs.Unauthenticated, errorsv1.Reason_REASON_UNAUTHENTICATED, "SECRET"), http.StatusInternalServerError, ""},
	} {
		s.services.failing(procedure, c.err)
		got := b.own(t, http.MethodPost, "/api/generateMeditation", wanted)
		require.Equal(t, c.field, got.failed(t, c.status, reason).Field)
		require.NotContains(t, got.body, "SECRET")
	}
	s.services.failing(procedure, nil)
	for stage, want := range map[generationv1.Stage]string{
		generationv1.Stage_STAGE_FAILED: "INTERNAL", generationv1.Stage_STAGE_CANCELLED: "CANCELED",
		generationv1.Stage_STAGE_REFUNDED: "INTERNAL",
	} {
		go func() { s.finish(s.services.made(t.Context()), stage) }()
		got := b.own(t, http.MethodPost, "/api/generateMeditation", wanted)
		require.Contains(t, got.body, want)
		if stage == generationv1.Stage_STAGE_FAILED {
			require.Equal(t, "Failed to generate meditation. Please try again later.", got.failed(t, http.StatusInternalServerError, want).Error)
		}
	}
}

func TestOneIdempotencyKeyIsOneMeditation(t *testing.T) {
	t.Parallel()
	s := start(t, 1, waiting(time.Millisecond))
	b := s.member(t)
	keys := func(header string) string {
		got := b.own(t, http.MethodPost, "/api/generateMeditation", wanted, "Idempotency-Key", header)
		require.Equal(t, http.StatusAccepted, got.StatusCode, got.body)
		return s.services.created[len(s.services.created)-1].GetIdempotencyKey()
	}
	first := keys("order 66")
	require.Equal(t, first, keys("order 66"))
	require.NotEqual(t, first, keys("order 67"))
	require.Equal(t, "0192f0c1-0000-7000-8000-0000000000ff", keys("0192f0c1-0000-7000-8000-0000000000ff"))
	none := keys("")
	require.NotEqual(t, first, none)
	require.Equal(t, none, keys(""), "without one the same request is one a day")
	long := b.own(t, http.MethodPost, "/api/generateMeditation", wanted, "Idempotency-Key", strings.Repeat("k", 256))
	require.Equal(t, "Idempotency-Key", long.failed(t, http.StatusBadRequest, "INVALID_ARGUMENT").Field)
}

func TestTwoIdempotencyKeysAreRefusedAndMakeNothing(t *testing.T) {
	t.Parallel()
	s := start(t, 1, waiting(time.Millisecond))
	b := s.member(t)
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, b.base+"/api/generateMeditation", strings.NewReader(wanted))
	require.NoError(t, err)
	req.Header = http.Header{"Content-Type": {"application/json"}, "X-Serein": {"1"}, "Idempotency-Key": {"order 66", "order 67"}}
	res, err := b.Do(req)
	require.NoError(t, err)
	defer func() { _ = res.Body.Close() }()
	body, err := io.ReadAll(res.Body)
	require.NoError(t, err)
	refused := answer{res, string(body)}
	require.Equal(t, "Idempotency-Key", refused.failed(t, http.StatusBadRequest, "INVALID_ARGUMENT").Field)
	require.Empty(t, s.services.created)
}

// What services say to each other, such as that the gateway may not call, is no caller's business.
func TestARefusalOfTheGatewayItselfIsAFaultToItsCallers(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	b := s.member(t)
	s.services.failing(generationv1connect.MeditationServiceCreateMeditationProcedure, auth.ErrForbidden)
	b.own(t, http.MethodPost, "/api/generateMeditation", wanted).failed(t, http.StatusInternalServerError, "INTERNAL")
	s.services.failing(billingv1connect.AccountServiceGetAccountProcedure, auth.ErrForbidden)
	b.own(t, http.MethodGet, "/api/GetUser", "").failed(t, http.StatusInternalServerError, "INTERNAL")
}

func TestServerOwnedFieldsAreRefusedByName(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	b := s.member(t)
	for field, value := range map[string]string{
		"isGod": "true", "subscription": `{"subId":"serein-premium"}`, "credits": "99", "meditationCredits": "99",
		"extraBespokeMeditationCredits": "0", "purchasedItems": "[]", "referralCode": `"MINE"`,
	} {
		got := b.own(t, http.MethodPost, "/api/UpdateUser", `{"firstName":"Eve","`+field+`":`+value+`}`)
		require.Equal(t, field, got.failed(t, http.StatusBadRequest, "FIELD_NOT_WRITABLE").Field)
		require.Equal(t, field, b.own(t, http.MethodPost, "/api/UpdateUser", `{"`+field+`":null}`).failed(t, http.StatusBadRequest, "FIELD_NOT_WRITABLE").Field)
	}
}

func TestCallsThatAreStillToComeStandInOneTable(t *testing.T) {
	t.Parallel()
	s := start(t, 1, waiting(time.Millisecond))
	s.services.is(s.uid(), true)
	unbuilt := map[string]string{}
	for _, line := range rest.Lines() {
		body := "{}"
		if line.Verb == http.MethodGet {
			body = ""
		}
		got := s.rest(t, s.mayCall(line), line.Verb, line.Path, body)
		if got.StatusCode == http.StatusNotImplemented {
			unbuilt[line.Verb+" "+line.Path] = got.failed(t, http.StatusNotImplemented, "NOT_BUILT").Error
		}
	}
	require.Equal(t, rest.NotBuilt, unbuilt)
}

func TestEverybodyElseIsUnauthenticated(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	s.member(t)
	good, err := base64.RawURLEncoding.DecodeString(strings.Split(s.token(nil, "serein.user.read"), ".")[1])
	require.NoError(t, err)
	require.Equal(t, http.StatusOK, s.rest(t, issuer.SignedWithES256(s.op, good), http.MethodGet, "/api/GetUser", "").StatusCode, "either algorithm of the provider's")
	for name, token := range map[string]string{
		"nonsense": "x", "no token": "", "another key": issuer.SignedByAnotherKey(s.op, good),
		"RS256, naming the EC key":  issuer.RS256NamingTheECKey(s.op, good),
		"ES256, naming the RSA key": issuer.ES256NamingTheRSAKey(s.op, good),
		"with the public EC key":    issuer.SignedWithPublicECKey(s.op, good),
		"an ID token":               s.token(map[string]any{"aud": issuer.ClientID}, "serein.user.read"),
		"another audience":          s.token(map[string]any{"aud": "another"}, "serein.user.read"),
		"a member's, for services":  s.token(map[string]any{"aud": "serein"}, "serein.user.read"),
		"an account's, for the API": s.token(map[string]any{"sub": "reports", "client_id": "reports"}, "serein.user.read"),
		"another issuer":            s.token(map[string]any{"iss": "https://evil.example"}, "serein.user.read"),
		"expired":                   s.token(map[string]any{"exp": s.clock.Now().Add(-time.Second).Unix()}, "serein.user.read"),
		"without an id":             s.token(map[string]any{"jti": ""}, "serein.user.read"),
		"for nobody":                s.token(map[string]any{"sub": ""}, "serein.user.read"),
		"unsigned":                  issuer.Unsigned(s.op, []byte(`{"iss":"`+s.op.URL+`","aud":"serein-api","sub":"x","exp":9999999999}`)),
		"far too long":              s.token(map[string]any{"x": strings.Repeat("x", 5000)}, "serein.user.read"),
	} {
		got := s.rest(t, token, http.MethodGet, "/api/GetUser", "")
		got.failed(t, http.StatusUnauthorized, "UNAUTHENTICATED")
		require.Equal(t, `Bearer realm="serein", error="invalid_token"`, got.Header.Get("WWW-Authenticate"), name)
	}
	noScope := s.rest(t, s.token(nil, "serein.article.read"), http.MethodGet, "/api/GetUser", "")
	noScope.failed(t, http.StatusForbidden, "SCOPE_REQUIRED")
	require.Equal(t, `Bearer realm="serein", error="insufficient_scope", scope="serein.user.read"`, noScope.Header.Get("WWW-Authenticate"))
	visitor := s.gateways[0].browser(t)
	nobody := visitor.own(t, http.MethodGet, "/api/GetUser", "")
	nobody.failed(t, http.StatusUnauthorized, "UNAUTHENTICATED")
	require.Equal(t, `Bearer realm="serein"`, nobody.Header.Get("WWW-Authenticate"), "who brings none hears of no error")
	sound := visitor.get(t, "/media/meditations/"+anOrder+"/audio", "Authorization", "Bearer x")
	require.Equal(t, `Bearer realm="serein", error="invalid_token"`, sound.Header.Get("WWW-Authenticate"))
	visitor.own(t, http.MethodGet, "/api/GetUser", "", "Authorization", "Basic YTpi").failed(t, http.StatusUnauthorized, "UNAUTHENTICATED")
	visitor.own(t, http.MethodGet, "/api/GetUser", "", "Cookie", "__Host-serein="+strings.Repeat("a", 43)).failed(t, http.StatusUnauthorized, "SIGN_IN_REQUIRED")
}

func TestForgedTokensDoNotMakeTheProviderSendItsKeys(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	forged := issuer.SignedByAnotherKey(s.op, []byte(`{"iss":"`+s.op.URL+`","aud":"serein-api","sub":"x","exp":9999999999}`))
	b := s.gateways[0].browser(t)
	flood := func() {
		var calls sync.WaitGroup
		var right atomic.Int64
		for token, status := range map[string]int{forged: http.StatusUnauthorized, s.token(nil, "serein.user.read"): http.StatusOK} {
			for range 20 {
				calls.Go(func() {
					got, err := b.try(t.Context(), http.MethodGet, "/api/GetUser", nil, "Authorization", "Bearer "+token)
					if err == nil && got.StatusCode == status {
						right.Add(1)
					}
				})
			}
		}
		calls.Wait()
		require.EqualValues(t, 40, right.Load())
	}
	flood()
	flood()
	require.Equal(t, 1, s.op.KeyFetches())
	s.clock.Move(5 * time.Second)
	flood()
	require.Equal(t, 2, s.op.KeyFetches(), "keys that are new are found")
}

func TestARevokedTokenOpensNothing(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	token := s.token(nil, everyScope)
	read := func() answer { return s.rest(t, token, http.MethodGet, "/api/GetUser", "") }
	write := func() answer { return s.rest(t, token, http.MethodPost, "/api/UpdateUser", `{"firstName":"Amara"}`) }
	require.Equal(t, http.StatusOK, read().StatusCode)
	s.services.give(s.uid(), meditation(mine, generationv1.Stage_STAGE_READY))
	sound := func() int {
		return s.gateways[0].browser(t).get(t, "/media/meditations/"+mine+"/audio", "Authorization", "Bearer "+token).StatusCode
	}
	require.Equal(t, http.StatusOK, sound())
	allowed := write().StatusCode
	require.NotEqual(t, http.StatusUnauthorized, allowed)

	s.services.revoke("a-grant.1")
	write().failed(t, http.StatusUnauthorized, "UNAUTHENTICATED")
	read().failed(t, http.StatusUnauthorized, "UNAUTHENTICATED")
	require.Equal(t, http.StatusUnauthorized, sound())
	require.Equal(t, allowed, s.rest(t, s.token(map[string]any{"jti": "b-grant.1"}, everyScope), http.MethodPost, "/api/UpdateUser", `{"firstName":"Amara"}`).StatusCode, "another's stands")
	require.Equal(t, http.StatusOK, s.rest(t, s.account("serein.user.read"), http.MethodGet, "/api/GetUser?uid="+s.uid(), "").StatusCode, "a service account has no grant")
}

func TestAReadGoesOnForSecondsAfterARevocation(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	token := s.token(nil, everyScope)
	read := func() answer { return s.rest(t, token, http.MethodGet, "/api/GetUser", "") }
	require.Equal(t, http.StatusOK, read().StatusCode)
	require.Equal(t, http.StatusOK, read().StatusCode)
	require.Equal(t, 1, s.services.asks(identityv1connect.GrantServiceGetGrantProcedure), "one question in some seconds")
	s.services.revoke("a-grant.1")
	s.clock.Move(5*time.Second - time.Millisecond)
	require.Equal(t, http.StatusOK, read().StatusCode)
	s.clock.Move(time.Millisecond)
	read().failed(t, http.StatusUnauthorized, "UNAUTHENTICATED")
}

func TestWhileIdentityIsAwayTokensReadForSecondsAndWriteNothing(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	token := s.token(nil, everyScope)
	s.services.give(s.uid(), meditation(mine, generationv1.Stage_STAGE_READY))
	read := func() answer { return s.rest(t, token, http.MethodGet, "/api/bespokeMeditations?user_id="+s.uid(), "") }
	require.Equal(t, http.StatusOK, read().StatusCode)
	s.services.failing(identityv1connect.GrantServiceGetGrantProcedure, errAway)
	require.Equal(t, http.StatusOK, read().StatusCode)
	s.rest(t, token, http.MethodPost, "/api/UpdateUser", `{"firstName":"Amara"}`).failed(t, http.StatusServiceUnavailable, "UNAVAILABLE")
	s.clock.Move(5 * time.Second)
	read().failed(t, http.StatusServiceUnavailable, "UNAVAILABLE")
	require.Equal(t, http.StatusOK, s.rest(t, s.account("serein.meditation.read"), http.MethodGet, "/api/bespokeMeditations?user_id="+s.uid(), "").StatusCode)
}

func TestATokenNeedsTheCallsScope(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	s.services.is(s.uid(), true)
	for _, line := range rest.Lines() {
		others := strings.ReplaceAll(" "+everyScope+" ", " "+line.Scope+" ", " ")
		require.Contains(t, everyScope, line.Scope)
		s.rest(t, s.token(nil, others), line.Verb, line.Path, "{}").failed(t, http.StatusForbidden, "SCOPE_REQUIRED")
		s.rest(t, s.account(others), line.Verb, line.Path, "{}").failed(t, http.StatusForbidden, "SCOPE_REQUIRED")
	}
	s.rest(t, s.account("serein.meditation.write"), http.MethodPost, "/api/generateMeditation", wanted).failed(t, http.StatusForbidden, "FORBIDDEN")
}

func TestASessionCountsOnlyOnOurOwnPages(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	b := s.member(t)
	for _, headers := range [][]string{
		{}, {"X-Serein", "0"}, {"X-Serein", "1", "Sec-Fetch-Site", "cross-site"}, {"X-Serein", "1", "Sec-Fetch-Site", "same-site"},
	} {
		b.get(t, "/api/GetUser", headers...).failed(t, http.StatusForbidden, "CROSS_SITE")
		got := b.send(t, http.MethodPost, "/api/generateMeditation", strings.NewReader(wanted), append(headers, "Content-Type", "application/json", "Origin", "https://evil.example")...)
		got.failed(t, http.StatusForbidden, "CROSS_SITE")
		require.Empty(t, got.Header.Get("Access-Control-Allow-Origin"))
	}
	require.Empty(t, s.services.created)
	scoped := b.own(t, http.MethodGet, "/api/GetUser", "", "Authorization", "Bearer "+s.token(nil))
	scoped.failed(t, http.StatusForbidden, "SCOPE_REQUIRED") // a token is judged by itself, session or not
}

func TestRequestsThatAreWrongAreToldSo(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	b := s.member(t)
	for _, path := range []string{"/api/Nope", "/api/getuser", "/api/GetUser/", "/api/GetUser/x", "/api/openapi.yaml", "/api/serein.rest.v1.UserService/GetUser"} {
		b.own(t, http.MethodGet, path, "").failed(t, http.StatusNotFound, "NOT_FOUND")
	}
	for path, want := range map[string]string{"/api/generateMeditation": "POST", "/api/GetUser": "GET", "/api/deleteStaticMed": "DELETE"} {
		for _, verb := range []string{http.MethodPut, http.MethodPatch, http.MethodOptions} {
			got := b.own(t, verb, path, "{}", "X-HTTP-Method-Override", want)
			got.failed(t, http.StatusMethodNotAllowed, "METHOD_NOT_ALLOWED")
			require.Equal(t, want, got.Header.Get("Allow"))
		}
	}
	override := b.own(t, http.MethodPost, "/api/GetUser", "uid=x", "X-HTTP-Method-Override", "GET", "Content-Type", "application/x-www-form-urlencoded")
	override.failed(t, http.StatusMethodNotAllowed, "METHOD_NOT_ALLOWED")
	for _, body := range []string{"", "{", "[]", "null", `"x"`, "{} {}", `{"title":`, "title=x"} {
		b.own(t, http.MethodPost, "/api/generateMeditation", body).failed(t, http.StatusBadRequest, "INVALID_ARGUMENT")
	}
	for _, body := range []string{`{"title":7}`, `{"immersive":"yes"}`, `{"title":"\ud800"}`, `{"title":"x","title":"y"}`} {
		b.own(t, http.MethodPost, "/api/generateMeditation", body).failed(t, http.StatusBadRequest, "INVALID_ARGUMENT")
	}
	for _, kind := range []string{"", "text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "application/xml", ";"} {
		b.own(t, http.MethodPost, "/api/generateMeditation", wanted, "Content-Type", kind).failed(t, http.StatusUnsupportedMediaType, "UNSUPPORTED_MEDIA_TYPE")
	}
	b.own(t, http.MethodPost, "/api/generateMeditation", `{"title":"`+strings.Repeat("x", 70_000)+`"}`).failed(t, http.StatusRequestEntityTooLarge, "REQUEST_TOO_LARGE")
	require.Equal(t, "title", b.own(t, http.MethodPost, "/api/generateMeditation", `{"title":"`+strings.Repeat("x", 5000)+`"}`).failed(t, http.StatusBadRequest, "INVALID_ARGUMENT").Field)
	long := strings.Repeat("x", 200)
	require.Equal(t, "meditationType", b.own(t, http.MethodPost, "/api/generateMeditation", `{"meditationType":"`+long+`"}`).failed(t, http.StatusBadRequest, "INVALID_ARGUMENT").Field)
	require.Equal(t, "user_id", b.own(t, http.MethodGet, "/api/bespokeMeditations?user_id="+long, "").failed(t, http.StatusBadRequest, "INVALID_ARGUMENT").Field)
	require.Empty(t, s.services.created)
	head := b.own(t, http.MethodHead, "/api/GetUser", "")
	require.Equal(t, http.StatusOK, head.StatusCode)
	require.Empty(t, head.body)
	require.Equal(t, http.StatusTemporaryRedirect, b.own(t, http.MethodGet, "/api", "").StatusCode)
}

func TestRESTIsCountedWithTheScreens(t *testing.T) {
	t.Parallel()
	s := start(t, 1, scaled(1), waiting(time.Millisecond))
	b := s.member(t)
	for range 15 {
		require.Equal(t, http.StatusAccepted, b.own(t, http.MethodPost, "/api/generateMeditation", wanted).StatusCode)
	}
	over := b.own(t, http.MethodPost, "/api/generateMeditation", wanted)
	over.failed(t, http.StatusTooManyRequests, "TOO_MANY_REQUESTS")
	require.NotEmpty(t, over.Header.Get("Retry-After"))
	require.Equal(t, http.StatusTooManyRequests, b.call(t, generator+"Generate", generateBody).StatusCode, "one person, one limit")

	flooded := answer{}
	for range addressLimit.Burst + 1 {
		if flooded = s.gateways[0].browser(t).own(t, http.MethodGet, "/api/Nope", ""); flooded.StatusCode == http.StatusTooManyRequests {
			break
		}
	}
	flooded.failed(t, http.StatusTooManyRequests, "TOO_MANY_REQUESTS")
}

func TestWaitingCallsAndStreamsShareOneLimit(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	b := s.member(t)
	s.services.give(s.uid(), meditation(mine, generationv1.Stage_STAGE_NARRATING))
	waits, giveUp := context.WithCancel(t.Context())
	defer giveUp()
	var waiting sync.WaitGroup
	for range 4 {
		waiting.Go(func() {
			_, _ = b.try(waits, http.MethodPost, "/api/generateMeditation", strings.NewReader(wanted), "Content-Type", "application/json", "X-Serein", "1")
		})
	}
	watched := generationv1connect.MeditationServiceWatchMeditationProcedure
	require.Eventually(t, func() bool { return s.services.asks(watched) >= 4 }, patience, time.Millisecond)
	for range 12 {
		_, over := b.watch(t, mine).next(t)
		require.False(t, over)
	}
	over := b.own(t, http.MethodPost, "/api/generateMeditation", wanted)
	over.failed(t, http.StatusTooManyRequests, "TOO_MANY_REQUESTS")
	require.Equal(t, "15", over.Header.Get("Retry-After"))
	require.Equal(t, 4, s.services.asks(generationv1connect.MeditationServiceCreateMeditationProcedure), "nothing is made that nobody can wait for")
	refused, ended := b.watch(t, mine).next(t)
	require.True(t, ended)
	require.Equal(t, "resource_exhausted", at(t, refused, "error", "code"))

	giveUp()
	waiting.Wait()
	require.Eventually(t, func() bool {
		_, ended := b.watch(t, mine).next(t)
		return !ended
	}, patience, time.Millisecond, "who has gone makes room")
}

// lines is a log that tests read.
type lines struct {
	mu sync.Mutex
	bytes.Buffer
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.Buffer.Write(p)
}

func (l *lines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.Buffer.String()
}

func TestOneRequestHasOneIDAndItsLogNoSecret(t *testing.T) {
	t.Parallel()
	log := &lines{}
	s := start(t, 1, logged(log))
	b := s.member(t)
	token := s.token(nil, "serein.user.read")
	s.services.failing(billingv1connect.AccountServiceGetAccountProcedure, errs.New(errs.Internal, errorsv1.Reason_REASON_INTERNAL, "x"))
	s.services.hanging(billingv1connect.PriceServiceListPricesProcedure) // another part of the answer, which ends with it
	f := s.rest(t, token, http.MethodGet, "/api/GetUser?uid=SECRETQUERY", "").failed(t, http.StatusNotFound, "USER_NOT_FOUND")
	g := b.own(t, http.MethodGet, "/api/GetUser", "", "X-Request-Id", "forged").failed(t, http.StatusInternalServerError, "INTERNAL")
	require.NotEqual(t, "forged", g.RequestID)
	require.NotEqual(t, f.RequestID, g.RequestID)
	require.Eventually(t, func() bool { return strings.Count(log.String(), `"msg":"REST call"`) == 2 }, patience, time.Millisecond)
	for _, id := range []string{f.RequestID, g.RequestID} {
		require.Contains(t, log.String(), `"request_id":"`+id+`","method":"GET","route":"/api/GetUser"`)
	}
	require.Equal(t, 2, strings.Count(log.String(), g.RequestID), "its cause and its line: %s", log)
	for _, secret := range []string{token, b.cookie("__Host-serein"), "SECRETQUERY"} {
		require.NotContains(t, log.String(), secret)
	}
}

func TestTheDocumentAndItsPageAreThere(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	visitor := s.gateways[0].browser(t)
	for path, kind := range map[string]string{
		"/api/openapi.json": "application/json", "/api/": "text/html; charset=utf-8", "/api/docs": "text/html; charset=utf-8", "/api/docs.css": "text/css; charset=utf-8",
	} {
		got := visitor.get(t, path)
		require.Equal(t, http.StatusOK, got.StatusCode, path)
		require.Equal(t, kind, got.Header.Get("Content-Type"))
		require.NotEmpty(t, got.body)
	}
	require.Contains(t, visitor.get(t, "/api/openapi.json").body, s.gateways[0].URL)
	visitor.own(t, http.MethodPost, "/api/openapi.json", "{}").failed(t, http.StatusNotFound, "NOT_FOUND")
}

func TestTheLineOfEveryCallWorks(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	s.services.is(s.uid(), true)
	s.services.catalogue("MiniMed", "Zen (Zazen)")
	s.services.publish(example())
	s.services.subscribed(s.uid(), paysFor("serein-core", "month", active))
	s.services.give(s.uid(), meditation(mine, generationv1.Stage_STAGE_READY))
	go func() { s.finish(s.services.made(t.Context()), generationv1.Stage_STAGE_READY) }()
	for _, line := range rest.Lines() {
		cmd := exec.CommandContext(t.Context(), "bash", "-euc", line.Curl+` -w '\n%{http_code}'`)
		cmd.Env = []string{"PATH=/usr/bin:/bin:/usr/local/bin", "SEREIN=" + s.gateways[0].URL, "TOKEN=" + s.mayCall(line)}
		out, err := cmd.Output()
		require.NoError(t, err, line.Curl)
		body, status, _ := strings.Cut(string(out[bytes.LastIndexByte(out, '\n'):]), "\n")
		require.Empty(t, body)
		want := "200"
		if _, later := rest.NotBuilt[line.Verb+" "+line.Path]; later {
			want = "501"
		}
		require.Equal(t, want, status, "%s\n%s", line.Curl, out)
	}
}

func TestAPanicOfACallIsAnErrorOfItsForm(t *testing.T) {
	t.Parallel()
	api, err := rest.New(rest.Config{Log: slog.New(slog.DiscardHandler), Now: func() time.Time { return time.Time{} }})
	require.NoError(t, err)
	w := httptest.NewRecorder() // without sessions to ask, the call panics
	r := httptest.NewRequest(http.MethodGet, "/api/GetUser", nil)
	r.Header.Set("Authorization", "Bearer x")
	api.ServeHTTP(w, r)
	require.Equal(t, http.StatusInternalServerError, w.Code)
	require.Regexp(t, `^\{"error":"Something went wrong on our side\..*","reason":"INTERNAL","requestId":".+"\}\n$`, w.Body.String())
}

func TestAnAccessTokenLoadsTheSoundOfItsMemberAlone(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	s.services.give(s.uid(), meditation(mine, generationv1.Stage_STAGE_READY))
	s.services.give(someone, meditation(theirs, generationv1.Stage_STAGE_READY))
	b := s.gateways[0].browser(t)
	const scope = "serein.meditation.read"
	ask := func(id, path, authorization string, headers ...string) answer {
		return b.get(t, "/media/meditations/"+id+path, append(headers, "Authorization", authorization)...)
	}
	for _, path := range []string{"/audio", "/download", "/segments/0"} {
		whole := ask(mine, path, "bearer "+s.token(nil, scope))
		require.Equal(t, http.StatusOK, whole.StatusCode, whole.body)
		require.Equal(t, string(audio), whole.body)
		require.Equal(t, "private, no-cache", whole.Header.Get("Cache-Control"))
		part := ask(mine, path, "Bearer "+s.token(nil, scope), "Range", "bytes=0-9")
		require.Equal(t, http.StatusPartialContent, part.StatusCode)
		require.Len(t, part.body, 10)

		require.Equal(t, http.StatusNotFound, ask(theirs, path, "Bearer "+s.token(nil, scope)).StatusCode, "another member's")
		require.Equal(t, http.StatusForbidden, ask(mine, path, "Bearer "+s.token(nil, "serein.user.read serein.meditation.write")).StatusCode)
		require.Equal(t, http.StatusForbidden, ask(mine, path, "Bearer "+s.account(scope)).StatusCode, "a service account's own there is none")
		for _, none := range []string{"Bearer x", "Basic YTpi", "Bearer " + s.token(map[string]any{"aud": "another"}, scope)} {
			require.Equal(t, http.StatusUnauthorized, ask(mine, path, none).StatusCode, none)
		}
		inAddress := b.get(t, "/media/meditations/"+mine+path+"?access_token="+s.token(nil, scope))
		require.Equal(t, http.StatusUnauthorized, inAddress.StatusCode, "an address is no place for a token")
	}
	member := s.member(t)
	judged := member.get(t, "/media/meditations/"+mine+"/audio", "Authorization", "Bearer x")
	require.Equal(t, http.StatusUnauthorized, judged.StatusCode, "a token is judged by itself, session or not")
}

func TestADeletionWithoutABodySaysWhatIsMissing(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	got := s.gateways[0].browser(t).send(t, http.MethodDelete, "/api/deleteStaticMed", nil, "Authorization", "Bearer "+s.account("serein.library.write"))
	got.failed(t, http.StatusBadRequest, "INVALID_ARGUMENT")
}
