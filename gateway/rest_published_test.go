package gateway

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"serein.app/gateway/internal/view"
	contentv1 "serein.app/proto/gen/serein/content/v1"
	"serein.app/proto/gen/serein/content/v1/contentv1connect"
	errorsv1 "serein.app/proto/gen/serein/errors/v1"
	generationv1 "serein.app/proto/gen/serein/generation/v1"
	"serein.app/services/platform/auth"
	"serein.app/services/platform/errs"
)

const (
	listArticles   = contentv1connect.ArticleServiceListArticlesProcedure
	listLibrary    = contentv1connect.LibraryServiceListMeditationsProcedure
	makeMeditation = contentv1connect.StudioServiceMakeMeditationProcedure
	makeArticle    = contentv1connect.StudioServiceMakeArticleProcedure
	toggleLike     = contentv1connect.ItemServiceToggleLikeProcedure
)

// items of a list's answer.
func (a answer) items(t *testing.T) []any {
	t.Helper()
	require.Equal(t, http.StatusOK, a.StatusCode, a.body)
	items, ok := tree(t, a.body)["items"].([]any)
	require.True(t, ok, a.body)
	return items
}

func TestArticlesHaveTheSpecificationsNamesAndWhatTheCallerMayRead(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	b := s.member(t)
	sound := s.gateways[0].URL + "/media/narrations/3f2a.mp3"
	want := map[string]any{
		"uid": "id-" + membersSlug, "id": "id-" + membersSlug, "title": "Rest is not a reward", "content": "In plain words.",
		"body": "<p>Lie down.</p><p>For members.</p>", "audioUrl": sound, "likes": 31.0,
		"category": []any{map[string]any{"category": "Anxiety Relief", "confidence": 100.0}},
	}
	articles := s.token(nil, "serein.article.read")
	for _, whole := range []answer{
		b.own(t, http.MethodGet, "/api/getArticles", ""), s.rest(t, articles, http.MethodGet, "/api/getArticles", ""),
		s.rest(t, s.account("serein.article.read"), http.MethodGet, "/api/getArticles", ""),
	} {
		require.Len(t, whole.items(t), 2)
		require.Equal(t, want, whole.items(t)[1])
		require.Empty(t, tree(t, whole.body)["nextPageToken"])
	}
	s.services.subscribed(s.uid(), nil)
	s.clock.Move(view.Wrong)
	items := b.own(t, http.MethodGet, "/api/getArticles", "").items(t)
	require.Equal(t, sound, at(t, items[0], "audioUrl"), "this one is open")
	want["body"], want["audioUrl"] = "<p>Lie down.</p>", ""
	require.Equal(t, want, items[1])
}

func TestTheLibraryHasTheSpecificationsNames(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	sound := s.gateways[0].URL + "/media/narrations/3f2a.mp3"
	want := map[string]any{
		"uid": lake, "id": lake, "title": "The lake after rain", "content": "Rest here.\n\nBreathe.", "audioUrl": sound, "duration": "492",
		"immersive": true, "type": "", "style": "", "category": []any{map[string]any{"category": "Better Sleep"}}, "likes": 4.0, "verified": true,
		"staticMed": true, "introMed": false, "createdBy": someone, "generatedBy": "", "firebaseId": someone, "createdAt": "2026-11-03T09:00:00Z", "willDelete": false,
	}
	for _, got := range []answer{
		s.member(t).own(t, http.MethodGet, "/api/staticMeditations", ""), s.rest(t, s.account("serein.library.read"), http.MethodGet, "/api/staticMeditations", ""),
		s.rest(t, s.token(nil, "serein.library.read"), http.MethodGet, "/api/staticMeditations", ""),
	} {
		require.Equal(t, want, got.items(t)[0])
	}
}

func TestAListHasTwoHundredItemsAtMostAndSaysWhereItGoesOn(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	for i := range 230 {
		s.services.publish(&article{slug: fmt.Sprintf("a-%03d", i)})
	}
	b := s.member(t)
	first := b.own(t, http.MethodGet, "/api/getArticles", "")
	require.Len(t, first.items(t), 200)
	next, _ := tree(t, first.body)["nextPageToken"].(string)
	require.NotEmpty(t, next)
	rest := b.own(t, http.MethodGet, "/api/getArticles?page_token="+next, "")
	require.Len(t, rest.items(t), 32)
	require.Empty(t, tree(t, rest.body)["nextPageToken"])
	require.Equal(t, "id-a-198", at(t, rest.items(t)[0], "uid"), "no item is left out or twice")

	library := b.own(t, http.MethodGet, "/api/staticMeditations", "") // which never ends
	require.Len(t, library.items(t), 4)
	require.Equal(t, "next", tree(t, library.body)["nextPageToken"])
	asked, _ := s.services.lastRequest("ListMeditationsRequest").(*contentv1.ListMeditationsRequest)
	require.Equal(t, []any{int32(50), "next", true}, []any{asked.GetPageSize(), asked.GetPageToken(), asked.GetWithScripts()})

	s.services.failing(listArticles, errs.New(errs.Invalid, errorsv1.Reason_REASON_PAGE_TOKEN_INVALID, "No such page.").On("page_token"))
	require.Equal(t, "page_token", b.own(t, http.MethodGet, "/api/getArticles?page_token=x", "").failed(t, http.StatusBadRequest, "PAGE_TOKEN_INVALID").Field)
	s.services.failing(listLibrary, errAway)
	b.own(t, http.MethodGet, "/api/staticMeditations", "").failed(t, http.StatusServiceUnavailable, "UNAVAILABLE")
}

const (
	aScript = `{"title":"A gate","script":"Lie down.","voiceCode":"maren","meditationType":"GRATITUDE","practiceType":"Zen","immersive":true,"introMed":true,"generatedBy":"Eve"`
	anEssay = `{"title":"On rest","text":"Rest.","formattedText":"<p>Rest.</p>","voiceCode":"maren","meditationType":"Gratitude","practiceType":"zen","generatedBy":"Eve"`
)

// studioCalls are those that change what Serein publishes, with content's call of each.
var studioCalls = map[string]struct{ verb, body, procedure string }{
	"/api/generateStaticMeditation": {http.MethodPost, aScript + "}", makeMeditation},
	"/api/generateArticle":          {http.MethodPost, anEssay + "}", makeArticle},
	"/api/updateStaticMed":          {http.MethodPost, `{"uid":"a-gate","verified":true}`, contentv1connect.StudioServiceVerifyMeditationProcedure},
	"/api/deleteStaticMed":          {http.MethodDelete, `{"uid":"a-gate"}`, contentv1connect.StudioServiceDeleteMeditationProcedure},
}

func TestContentHearsWhoChangesWhatTheHousePublishes(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	s.services.is(s.uid(), true)
	admin, other := s.member(t), s.other(t)
	account := s.account("serein.library.write", "serein.article.write")
	for path, c := range studioCalls {
		require.Equal(t, http.StatusOK, admin.own(t, c.verb, path, c.body).StatusCode, path)
		require.Equal(t, "gateway", s.services.callerOf(c.procedure))
		require.Equal(t, auth.Subject{UID: s.uid(), Admin: true}, s.services.subjectOf(c.procedure), path)
		got := s.rest(t, account, c.verb, path, c.body)
		require.Equal(t, http.StatusOK, got.StatusCode, "%s: %s", path, got.body)
		require.Equal(t, "client:reports", s.services.callerOf(c.procedure), path)
		require.Equal(t, auth.Subject{}, s.services.subjectOf(c.procedure), "nobody stands behind an account")
		asked := s.services.asks(c.procedure)
		other.own(t, c.verb, path, c.body).failed(t, http.StatusForbidden, "ADMIN_REQUIRED")
		s.rest(t, s.token(nil, everyScope), c.verb, path, c.body).failed(t, http.StatusForbidden, "ADMIN_REQUIRED")
		s.rest(t, s.account("serein.library.read", "serein.article.read"), c.verb, path, c.body).failed(t, http.StatusForbidden, "SCOPE_REQUIRED")
		require.Equal(t, asked, s.services.asks(c.procedure), path)
	}
	for path, procedure := range map[string]string{"/api/getArticles": listArticles, "/api/staticMeditations": listLibrary} {
		require.Equal(t, http.StatusOK, s.rest(t, s.account("serein.article.read", "serein.library.read"), http.MethodGet, path, "").StatusCode)
		require.Equal(t, "client:reports", s.services.callerOf(procedure), path)
	}
}

func TestAnAdminsTokenReadsAsAMembers(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	s.services.is(s.uid(), true)
	b, token := s.member(t), s.token(nil, everyScope)
	like := `{"uid":"id-` + openSlug + `","table":"Articles"}`
	for path, c := range map[string]struct{ verb, body, procedure string }{
		"/api/getArticles": {http.MethodGet, "", listArticles}, "/api/staticMeditations": {http.MethodGet, "", listLibrary},
		"/api/updateLike": {http.MethodPost, like, toggleLike},
	} {
		require.Equal(t, http.StatusOK, s.rest(t, token, c.verb, path, c.body).StatusCode, path)
		require.False(t, s.services.subjectOf(c.procedure).Admin, path)
		require.Contains(t, s.services.subjectOf(c.procedure).Entitlements, "library", path)
		require.Equal(t, http.StatusOK, b.own(t, c.verb, path, c.body).StatusCode, path)
		require.True(t, s.services.subjectOf(c.procedure).Admin, path)
	}
	s.services.subscribed(s.uid(), nil)
	s.clock.Move(view.Wrong)
	require.Equal(t, http.StatusOK, b.own(t, http.MethodGet, "/api/staticMeditations", "").StatusCode, "an admin needs no plan")
	s.rest(t, token, http.MethodGet, "/api/staticMeditations", "").failed(t, http.StatusForbidden, "SUBSCRIPTION_REQUIRED")
}

func TestWhatIsPublishedIsMadeOfTheRequest(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	s.services.is(s.uid(), true)
	b, account := s.member(t), s.account(everyScope)
	const id = "0192F0C1-0000-7000-8000-0000000000FF"
	got := tree(t, b.own(t, http.MethodPost, "/api/generateStaticMeditation", aScript+`,"id":"`+id+`"}`).body)
	meditation, _ := s.services.lastRequest("MakeMeditationRequest").(*contentv1.MakeMeditationRequest)
	require.Equal(t, []any{"0192f0c1-0000-7000-8000-0000000000ff", "A gate", "gratitude", "zen", "Lie down.", "maren", "Ada", true, true}, []any{
		meditation.GetId(), meditation.GetTitle(), meditation.GetType(), meditation.GetPractice(), meditation.GetScript(), meditation.GetNarratorId(),
		meditation.GetGeneratedBy(), meditation.GetImmersive(), meditation.GetIntro(),
	}, "a member is called by their own name")
	require.Equal(t, map[string]any{
		"uid": "a-gate", "id": "a-gate", "title": "A gate closing softly", "content": "Lie down.", "audioUrl": s.gateways[0].URL + "/media/narrations/3f2a.mp3",
		"duration": "42", "immersive": true, "type": "Better Sleep", "style": "Zen (Zazen)", "category": []any{map[string]any{"category": "Better Sleep"}},
		"likes": 0.0, "verified": false, "staticMed": true, "introMed": false, "createdBy": someone, "generatedBy": "Ada", "firebaseId": someone,
		"createdAt": "2026-11-03T09:00:00Z", "willDelete": false,
	}, got["meditation"])

	got = tree(t, s.rest(t, account, http.MethodPost, "/api/generateArticle", anEssay+"}").body)
	essay, _ := s.services.lastRequest("MakeArticleRequest").(*contentv1.MakeArticleRequest)
	require.Equal(t, []any{"On rest", "gratitude", "zen", "Rest.", "<p>Rest.</p>", "maren", "Eve", false}, []any{
		essay.GetTitle(), essay.GetType(), essay.GetPractice(), essay.GetText(), essay.GetHtml(), essay.GetNarratorId(), essay.GetGeneratedBy(), essay.GetOpen(),
	}, "an account says whose it is")
	require.Equal(t, map[string]any{
		"uid": "a-gate", "id": "a-gate", "title": "A gate closing softly", "content": "Rest.", "body": "<p>Rest.</p>", "audioUrl": "", "likes": 0.0,
		"category": []any{map[string]any{"category": "Better Sleep", "confidence": 100.0}, map[string]any{"category": "Gratitude", "confidence": 41.0}},
	}, got["article"])
}

func TestARequestToPublishHasOneID(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	s.services.is(s.uid(), true)
	admin := s.member(t)
	made := func(fields string, ask func(body string, headers ...string) answer, headers ...string) string {
		require.Equal(t, http.StatusOK, ask(aScript+fields+"}", headers...).StatusCode)
		sent, _ := s.services.lastRequest("MakeMeditationRequest").(*contentv1.MakeMeditationRequest)
		_, err := uuid.Parse(sent.GetId())
		require.NoError(t, err)
		return sent.GetId()
	}
	asAdmin := func(body string, headers ...string) answer {
		return admin.own(t, http.MethodPost, "/api/generateStaticMeditation", body, headers...)
	}
	asAccount := func(body string, headers ...string) answer {
		return s.rest(t, s.account(everyScope), http.MethodPost, "/api/generateStaticMeditation", body, headers...)
	}
	first, keyed := made("", asAdmin), made("", asAdmin, "Idempotency-Key", "k")
	require.NotEqual(t, first, made("", asAdmin))
	require.Equal(t, keyed, made("", asAdmin, "Idempotency-Key", "k"))
	require.NotEqual(t, keyed, made("", asAccount, "Idempotency-Key", "k"), "a key is its caller's")
	require.Equal(t, mine, made(`,"id":"`+mine+`"`, asAdmin, "Idempotency-Key", "k"))
	for path, body := range map[string]string{"/api/generateStaticMeditation": aScript, "/api/generateArticle": anEssay} {
		require.Equal(t, "id", admin.own(t, http.MethodPost, path, body+`,"id":"nonsense"}`).failed(t, http.StatusBadRequest, "INVALID_ARGUMENT").Field)
	}
}

func TestARefusalOfContentNamesTheFieldAsItWasSent(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	s.services.is(s.uid(), true)
	b := s.member(t)
	for _, c := range []struct {
		path, field, sent string
		kind              errs.Kind
		reason            errorsv1.Reason
		status            int
	}{
		{"/api/generateStaticMeditation", "type", "meditationType", errs.Invalid, errorsv1.Reason_REASON_UNKNOWN_TYPE, 400},
		{"/api/generateStaticMeditation", "practice", "practiceType", errs.Invalid, errorsv1.Reason_REASON_UNKNOWN_PRACTICE, 400},
		{"/api/generateStaticMeditation", "narrator_id", "voiceCode", errs.Invalid, errorsv1.Reason_REASON_UNKNOWN_NARRATOR, 400},
		{"/api/generateStaticMeditation", "script", "script", errs.Invalid, errorsv1.Reason_REASON_SCRIPT_INVALID, 400},
		{"/api/generateStaticMeditation", "id", "id", errs.Conflict, errorsv1.Reason_REASON_IDEMPOTENCY_KEY_REUSED, 409},
		{"/api/generateArticle", "type", "meditationType", errs.Invalid, errorsv1.Reason_REASON_UNKNOWN_TYPE, 400},
		{"/api/generateArticle", "html", "formattedText", errs.Invalid, errorsv1.Reason_REASON_INVALID_ARGUMENT, 400},
		{"/api/generateArticle", "", "", errs.Unavailable, errorsv1.Reason_REASON_UNAVAILABLE, 503},
		{"/api/updateStaticMed", "", "", errs.FailedPrecondition, errorsv1.Reason_REASON_NOT_NARRATED, 409},
		{"/api/updateStaticMed", "", "", errs.NotFound, errorsv1.Reason_REASON_ITEM_NOT_FOUND, 404},
		{"/api/deleteStaticMed", "", "", errs.NotFound, errorsv1.Reason_REASON_ITEM_NOT_FOUND, 404},
	} {
		call, refusal := studioCalls[c.path], errs.New(c.kind, c.reason, "No.")
		if c.field != "" {
			refusal = refusal.On(c.field)
		}
		s.services.failing(call.procedure, refusal)
		require.Equal(t, c.sent, b.own(t, call.verb, c.path, call.body).failed(t, c.status, refusal.Word()).Field, "%s %s", c.path, c.field)
	}
}

func TestWhatNobodyCanMeanIsRefusedBeforeContentHearsIt(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	s.services.is(s.uid(), true)
	b := s.member(t)
	for _, c := range []struct{ path, body, field string }{
		{"/api/updateStaticMed", `{"uid":"a-gate","verified":false}`, "verified"},
		{"/api/updateStaticMed", `{"uid":"a-gate"}`, "verified"},
		{"/api/updateStaticMed", `{"verified":true}`, "uid"},
		{"/api/deleteStaticMed", `{}`, "uid"},
		{"/api/updateLike", `{"uid":"a","table":"Users"}`, "table"},
		{"/api/updateLike", `{"uid":"a","table":"articles"}`, "table"},
		{"/api/updateLike", `{"uid":"a"}`, "table"},
		{"/api/updateLike", `{"table":"Articles"}`, "uid"},
	} {
		verb := http.MethodPost
		if c.path == "/api/deleteStaticMed" {
			verb = http.MethodDelete
		}
		require.Equal(t, c.field, b.own(t, verb, c.path, c.body).failed(t, http.StatusBadRequest, "INVALID_ARGUMENT").Field, "%s %s", c.path, c.body)
	}
	for _, never := range []string{
		toggleLike, contentv1connect.ItemServiceSetLikeProcedure, contentv1connect.StudioServiceVerifyMeditationProcedure,
		contentv1connect.StudioServiceDeleteMeditationProcedure,
	} {
		require.Zero(t, s.services.asks(never), never)
	}
}

func TestALikeIsCountedAndNeverBelieved(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	b, other := s.member(t), s.other(t)
	like := func(who *browser, fields string) answer {
		return who.own(t, http.MethodPost, "/api/updateLike", `{"table":"Articles",`+fields+`}`)
	}
	const open = `"uid":"id-` + openSlug + `"`
	for _, c := range []struct{ fields, want string }{
		{open + `,"likes":1000000`, `{"likes":49,"liked":true}`},
		{open + `,"likes":1000000`, `{"likes":48,"liked":false}`},
		{open + `,"likes":-7,"liked":true`, `{"likes":49,"liked":true}`},
		{open + `,"likes":0,"liked":true`, `{"likes":49,"liked":true}`},
		{open + `,"likes":"12","liked":false`, `{"likes":48,"liked":false}`},
		{open + `,"liked":false`, `{"likes":48,"liked":false}`},
	} {
		got := like(b, c.fields)
		require.Equal(t, http.StatusOK, got.StatusCode, got.body)
		require.JSONEq(t, c.want, got.body, c.fields)
	}
	s.services.subscribed(someone, nil)
	like(other, `"uid":"id-`+membersSlug+`"`).failed(t, http.StatusForbidden, "SUBSCRIPTION_REQUIRED")
	like(b, `"uid":"nothing"`).failed(t, http.StatusNotFound, "ITEM_NOT_FOUND")
	s.rest(t, s.account(everyScope), http.MethodPost, "/api/updateLike", `{`+open+`,"table":"Articles"}`).failed(t, http.StatusForbidden, "FORBIDDEN")
}

func TestATableThatLiesIsRefused(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	b := s.member(t)
	s.services.give(s.uid(), meditation(mine, generationv1.Stage_STAGE_READY))
	s.services.give(someone, meditation(theirs, generationv1.Stage_STAGE_READY))
	like := func(table, uid, more string) answer {
		return b.own(t, http.MethodPost, "/api/updateLike", `{"uid":"`+uid+`","likes":1,"table":"`+table+`"`+more+`}`)
	}
	like("Static_Meditations", "id-"+openSlug, "").failed(t, http.StatusNotFound, "ITEM_NOT_FOUND")
	like("Articles", mine, "").failed(t, http.StatusNotFound, "ITEM_NOT_FOUND")
	for _, uid := range []string{"id-" + openSlug, theirs, "nonsense", uuid.NewString()} {
		like("User_Bespoke_Meditations", uid, "").failed(t, http.StatusNotFound, "ITEM_NOT_FOUND")
		like("User_Bespoke_Meditations", uid, `,"liked":true`).failed(t, http.StatusNotFound, "ITEM_NOT_FOUND")
	}
	require.Contains(t, like("User_Bespoke_Meditations", mine, "").body, `"liked":true`)
}
