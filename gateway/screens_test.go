package gateway

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	billingv1 "serein.app/proto/gen/serein/billing/v1"
	"serein.app/proto/gen/serein/billing/v1/billingv1connect"
	"serein.app/proto/gen/serein/content/v1/contentv1connect"
	errorsv1 "serein.app/proto/gen/serein/errors/v1"
	generationv1 "serein.app/proto/gen/serein/generation/v1"
	"serein.app/proto/gen/serein/generation/v1/generationv1connect"
	"serein.app/proto/gen/serein/identity/v1/identityv1connect"
	"serein.app/services/platform/auth"
	"serein.app/services/platform/errs"
	"serein.app/services/testkit/issuer"
)

const (
	mine    = "0192f0c1-0000-7000-8000-0000000000a1"
	theirs  = "0192f0c1-0000-7000-8000-0000000000b1"
	someone = "0192f0c1-0000-7000-8000-00000000000b"

	generator = "/serein.web.v1.GeneratorService/"
	journey   = "/serein.web.v1.JourneyService/ListBespoke"
)

func (s *stack) uid() string { return "0192f0c1-0000-7000-8000-00000000000a" }

// member signs in as the first member.
func (s *stack) member(tb testing.TB) *browser {
	tb.Helper()
	b := s.gateways[0].browser(tb)
	b.signIn(tb, "")
	return b
}

// other signs in as somebody else.
func (s *stack) other(tb testing.TB) *browser {
	tb.Helper()
	s.op.With(func(b *issuer.Behaviour) { b.Subject = someone })
	defer s.op.With(func(b *issuer.Behaviour) { b.Subject = s.uid() })
	return s.member(tb)
}

func tree(tb testing.TB, body string) map[string]any {
	tb.Helper()
	var out map[string]any
	require.NoError(tb, json.Unmarshal([]byte(body), &out), body)
	return out
}

// at follows a path of names, and of numbers in lists.
func at(tb testing.TB, v any, path ...any) any {
	tb.Helper()
	for _, step := range path {
		switch step := step.(type) {
		case string:
			m, ok := v.(map[string]any)
			require.True(tb, ok, "%v at %s", v, step)
			v = m[step]
		case int:
			list, ok := v.([]any)
			require.True(tb, ok && step < len(list), "%v at %d", v, step)
			v = list[step]
		}
	}
	return v
}

func TestTheSessionSaysWhoWithPlanCreditsAndCount(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	b := s.member(t)
	s.services.give(s.uid(), meditation(mine, generationv1.Stage_STAGE_READY))
	s.services.give(someone, meditation(theirs, generationv1.Stage_STAGE_READY))
	who := tree(t, b.call(t, getSession, "{}").body)
	require.Equal(t, "Ada", at(t, who, "member", "givenName"))
	require.Equal(t, "free-trial", at(t, who, "member", "plan", "id"))
	require.Equal(t, "8", at(t, who, "member", "credits", "plan"))
	require.EqualValues(t, 1, at(t, who, "member", "journeyCount"))

	page := b.get(t, "/", "Accept", "text/html")
	require.Contains(t, page.body, `"givenName":"Ada"`, "the same in the page")
	require.Equal(t, "no-store", page.Header.Get("Cache-Control"))

	visitor := tree(t, s.gateways[0].browser(t).call(t, getSession, "{}").body)
	require.NotContains(t, visitor, "member")
	require.Contains(t, visitor, "serverTime")
}

func TestAServiceThatIsAwayLeavesOnlyItsPartOut(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	b := s.member(t)
	away := errs.New(errs.Unavailable, errorsv1.Reason_REASON_UNAVAILABLE, "Resting.")
	s.services.failing(billingv1connect.AccountServiceGetAccountProcedure, away)
	s.services.failing(generationv1connect.MeditationServiceListMeditationsProcedure, away)
	who := tree(t, b.call(t, getSession, "{}").body)
	require.Equal(t, "Ada", at(t, who, "member", "givenName"))
	require.Nil(t, at(t, who, "member", "credits"))
	require.Nil(t, at(t, who, "member", "plan"))
	require.Contains(t, b.get(t, "/", "Accept", "text/html").body, `"givenName":"Ada"`)
	form := b.call(t, generator+"GetGenerator", "{}")
	require.Equal(t, http.StatusOK, form.StatusCode)
	require.Contains(t, form.body, "Gratitude")
}

func TestVisitorsSeeTheFormAndMembersTheirCreditsToo(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	visitor := tree(t, s.gateways[0].browser(t).call(t, generator+"GetGenerator", "{}").body)
	require.NotContains(t, visitor, "credits")
	require.EqualValues(t, 1, visitor["costVoiceOnly"])
	require.EqualValues(t, 2, visitor["costImmersive"])

	b := s.member(t)
	s.services.give(someone, meditation(theirs, generationv1.Stage_STAGE_NARRATING))
	require.NotContains(t, tree(t, b.call(t, generator+"GetGenerator", "{}").body), "running", "somebody else's is not shown")
	s.services.give(s.uid(), meditation("0192f0c1-0000-7000-8000-0000000000a0", generationv1.Stage_STAGE_READY))
	s.services.give(s.uid(), meditation(mine, generationv1.Stage_STAGE_NARRATING))
	form := tree(t, b.call(t, generator+"GetGenerator", "{}").body)
	require.Equal(t, mine, at(t, form, "running", "id"))
	require.Equal(t, "Gratitude", at(t, form, "running", "typeName"))
	require.Equal(t, "8", at(t, form, "credits", "plan"))
}

func TestTheFormSaysWhoOutsideGetsTitlesAndWhatTheMemberChoseLast(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	form := func(b *browser) map[string]any { return tree(t, b.call(t, generator+"GetGenerator", "{}").body) }
	narrators := []any{map[string]any{"narratorId": "ansel", "recipient": "Voices Ltd"}}
	require.Equal(t, map[string]any{"writer": "Writers Ltd", "narrators": narrators}, form(s.gateways[0].browser(t))["outside"])

	b := s.member(t)
	newest := meditation("0192f0c1-0000-7000-8000-0000000000a0", generationv1.Stage_STAGE_DELETED)
	newest.KeptInside = true
	s.services.give(s.uid(), newest)
	s.services.give(s.uid(), meditation("0192f0c1-0000-7000-8000-0000000000a1", generationv1.Stage_STAGE_READY))
	require.Equal(t, true, at(t, form(b), "outside", "keepInside"))
	s.services.failing(generationv1connect.MeditationServiceListMeditationsProcedure, errs.New(errs.Unavailable, errorsv1.Reason_REASON_UNAVAILABLE, "Resting."))
	require.Equal(t, true, at(t, form(s.other(t)), "outside", "keepInside"), "nobody can say what they chose")
}

func TestTheFormDoesNotSayThatNothingLeavesWhereNobodyKnows(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	s.services.failing(generationv1connect.SampleServiceListNarratorsProcedure, errs.New(errs.Unavailable, errorsv1.Reason_REASON_UNAVAILABLE, "Resting."))
	res := s.gateways[0].browser(t).call(t, generator+"GetGenerator", "{}")
	require.Equal(t, http.StatusOK, res.StatusCode)
	require.NotContains(t, tree(t, res.body), "outside")
}

func TestTheCatalogueOutlivesContent(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	b := s.gateways[0].browser(t)
	away := errs.New(errs.Unavailable, errorsv1.Reason_REASON_UNAVAILABLE, "Resting.")
	s.services.failing(contentv1connect.CatalogueServiceGetCatalogueProcedure, away)
	none := b.call(t, generator+"GetGenerator", "{}")
	require.Equal(t, http.StatusServiceUnavailable, none.StatusCode)
	require.Contains(t, none.body, "UNAVAILABLE")

	s.services.failing(contentv1connect.CatalogueServiceGetCatalogueProcedure, nil)
	s.clock.Move(6 * time.Second)
	require.Contains(t, b.call(t, generator+"GetGenerator", "{}").body, "Gratitude")
	s.services.failing(contentv1connect.CatalogueServiceGetCatalogueProcedure, away)
	s.clock.Move(24 * time.Hour)
	for range 3 {
		require.Contains(t, b.call(t, generator+"GetGenerator", "{}").body, "Gratitude", "the last good copy")
	}
}

// Billing has said with the hold what is left; a second question would cost a member a third of their wait.
func TestGenerateAnswersWithTheCreditsThatBillingToldWithTheHold(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	b := s.member(t)
	s.services.told = &billingv1.Balance{PlanAvailable: 5, TopUpAvailable: 2, Held: 1}
	before := s.services.asks(billingv1connect.AccountServiceGetAccountProcedure)
	made := b.call(t, generator+"Generate", generateBody)
	require.Equal(t, http.StatusOK, made.StatusCode, made.body)
	require.Equal(t, map[string]any{"plan": "5", "topUp": "2", "held": "1"}, at(t, tree(t, made.body), "credits"))
	require.Equal(t, before, s.services.asks(billingv1connect.AccountServiceGetAccountProcedure))
}

func TestGenerateIsForTheSessionsMemberWhateverTheBodySays(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	b := s.member(t)
	const body = `{"title":"A kind evening","typeId":"gratitude","practiceId":"zen","sizeId":"reset","immersive":true,"trackId":"rain",
		"idempotencyKey":"0192f0c1-0000-7000-8000-0000000000ff","uid":"victim","userId":"victim","credits":99,"cost":0,"plan":"x"}`
	made := b.call(t, generator+"Generate", body)
	require.Equal(t, http.StatusOK, made.StatusCode, made.body)
	m := tree(t, made.body)
	require.Equal(t, "STAGE_LISTENING", at(t, m, "meditation", "stage"))
	require.Equal(t, "/media/tracks/rain-3f2a.mp3", at(t, m, "meditation", "track", "url"))
	require.Equal(t, "8", at(t, m, "credits", "plan"))
	require.Equal(t, s.uid(), s.services.meditations[0].uid)

	signedOut := s.gateways[0].browser(t).call(t, generator+"Generate", body)
	require.Equal(t, http.StatusUnauthorized, signedOut.StatusCode)
	require.Len(t, s.services.meditations, 1)
	invalid := b.call(t, generator+"Generate", `{"idempotencyKey":"no"}`)
	require.Equal(t, http.StatusBadRequest, invalid.StatusCode)
	require.Contains(t, invalid.body, "INVALID_ARGUMENT")
}

func TestTheNarratorThatAMemberChoosesGoesWithTheRequest(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	b := s.member(t)
	form := tree(t, b.call(t, generator+"GetGenerator", "{}").body)
	require.Equal(t, []any{map[string]any{"id": "gratitude", "name": "Gratitude", "narratorId": "wren", "narratorName": "Wren"}}, at(t, form, "types"))
	require.Equal(t, []any{"isla", "Isla"}, []any{at(t, form, "immersiveNarratorId"), at(t, form, "immersiveNarratorName")})
	const body = `{"title":"A kind evening","typeId":"gratitude","practiceId":"zen","sizeId":"reset","narratorId":"ansel","givenName":"Ada","keepInside":true,
		"idempotencyKey":"0192f0c1-0000-7000-8000-0000000000ff"}`
	require.Equal(t, http.StatusOK, b.call(t, generator+"Generate", body).StatusCode)
	require.Equal(t, "ansel", s.services.created[0].GetNarratorId())
	require.Equal(t, "Ada", s.services.created[0].GetGivenName())
	require.True(t, s.services.created[0].GetKeepInside())
	long := strings.Replace(body, "Ada", strings.Repeat("a", 41), 1)
	require.Contains(t, b.call(t, generator+"Generate", long).body, "INVALID_ARGUMENT")
}

func TestAnotherMembersMeditationDoesNotExist(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	s.services.give(s.uid(), meditation(mine, generationv1.Stage_STAGE_READY))
	s.services.give(someone, meditation(theirs, generationv1.Stage_STAGE_READY))
	visitor, a, b := s.gateways[0].browser(t), s.member(t), s.other(t)
	const unknown = "0192f0c1-0000-7000-8000-0000000000c1"
	for _, procedure := range []string{"GetMeditation", "CancelMeditation"} {
		call := func(who *browser, id string) answer { return who.call(t, generator+procedure, `{"id":"`+id+`"}`) }
		require.Equal(t, http.StatusUnauthorized, call(visitor, mine).StatusCode)
		require.Equal(t, http.StatusOK, call(a, mine).StatusCode)
		require.Equal(t, http.StatusNotFound, call(b, mine).StatusCode)
		require.Equal(t, call(b, unknown).body, call(b, mine).body, "exactly like an unknown one")
	}
	for _, path := range []string{"/audio", "/download", "/segments/0"} {
		get := func(who *browser, id string) answer { return who.get(t, "/media/meditations/"+id+path) }
		require.Equal(t, http.StatusUnauthorized, get(visitor, mine).StatusCode)
		require.Equal(t, http.StatusOK, get(a, mine).StatusCode)
		foreign, none := get(b, mine), get(b, unknown)
		require.Equal(t, http.StatusNotFound, foreign.StatusCode)
		require.Equal(t, none.body, foreign.body)
		none.Header.Del("Date")
		foreign.Header.Del("Date")
		require.Equal(t, none.Header, foreign.Header)
	}
	require.NotContains(t, b.call(t, journey, "{}").body, mine)
	require.Contains(t, a.call(t, journey, "{}").body, mine)
}

func TestARecordingComesInAnyPieceAndNothingElseCrosses(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	b := s.member(t)
	s.services.give(s.uid(), meditation(mine, generationv1.Stage_STAGE_READY))
	const path = "/media/meditations/" + mine + "/audio"
	whole := b.get(t, path)
	require.Equal(t, string(audio), whole.body)
	require.Equal(t, "audio/mpeg", whole.Header.Get("Content-Type"))
	require.Equal(t, "private, no-cache", whole.Header.Get("Cache-Control"))
	require.Equal(t, "bytes", whole.Header.Get("Accept-Ranges"))
	require.Empty(t, whole.Header.Get("X-Internal-Path"))
	require.Empty(t, whole.Header.Get("Set-Cookie"))

	part := b.get(t, path, "Range", "bytes=17-33")
	require.Equal(t, http.StatusPartialContent, part.StatusCode)
	require.Equal(t, "sound of the sea ", part.body)
	require.Equal(t, http.StatusRequestedRangeNotSatisfiable, b.get(t, path, "Range", "bytes=99999999-").StatusCode)
	require.Equal(t, http.StatusNotModified, b.get(t, path, "If-None-Match", `"sea"`).StatusCode)
	head := b.send(t, http.MethodHead, path, nil)
	require.Equal(t, http.StatusOK, head.StatusCode)
	require.EqualValues(t, len(audio), head.ContentLength)

	require.Empty(t, whole.Header.Get("Content-Disposition"), "what is played is not saved")
	saved := b.get(t, "/media/meditations/"+mine+"/download", "Range", "bytes=17-33")
	require.Equal(t, http.StatusPartialContent, saved.StatusCode)
	require.Equal(t, "sound of the sea ", saved.body)
	require.Equal(t, disposition, saved.Header.Get("Content-Disposition"))
	require.Equal(t, "private, no-cache", saved.Header.Get("Cache-Control"))

	track := s.gateways[0].browser(t).get(t, "/media/tracks/rain-3f2a.mp3")
	require.Equal(t, http.StatusOK, track.StatusCode)
	require.Equal(t, "public, max-age=31536000, immutable", track.Header.Get("Cache-Control"))
	require.Equal(t, http.StatusNotFound, b.get(t, "/media/tracks/none.mp3").StatusCode)
	making := b.get(t, "/media/tracks/sea-3f2a.mp3")
	require.Equal(t, http.StatusServiceUnavailable, making.StatusCode)
	require.Equal(t, "5", making.Header.Get("Retry-After"))
	s.services.generation.Close()
	require.Equal(t, http.StatusServiceUnavailable, b.get(t, path).StatusCode)
}

func TestFailuresSayWhatIsPublicAndNothingElse(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	b := s.member(t)
	const procedure = generationv1connect.MeditationServiceCreateMeditationProcedure
	const body = `{"idempotencyKey":"0192f0c1-0000-7000-8000-0000000000ff"}`
	for _, c := range []struct {
		fault  error
		status int
		want   []string
	}{
		{errs.New(errs.FailedPrecondition, errorsv1.Reason_REASON_INSUFFICIENT_CREDITS, "You do not have enough credits.").Because(errors.New("SECRET")), http.StatusBadRequest, []string{"You do not have enough credits.", "failed_precondition"}},
		{errs.New(errs.Invalid, errorsv1.Reason_REASON_TITLE_PROFANE, "Please choose kinder words.").On("title"), http.StatusBadRequest, []string{"Please choose kinder words."}},
		{errs.New(errs.Exhausted, errorsv1.Reason_REASON_TOO_MANY_GENERATIONS, "One at a time."), http.StatusTooManyRequests, []string{"One at a time."}},
		{errors.New("pq: SECRET table"), http.StatusInternalServerError, []string{"Something went wrong on our side."}},
		{auth.ErrForbidden.Because(errors.New("SECRET")), http.StatusInternalServerError, []string{"Something went wrong on our side."}},
		{auth.ErrUnauthenticated.Because(errors.New("SECRET")), http.StatusInternalServerError, []string{"Something went wrong on our side."}},
		{errs.New(errs.Unavailable, errorsv1.Reason_REASON_UNAVAILABLE, "We can’t reach that part of Serein at the moment. Please try again."), http.StatusServiceUnavailable, []string{"can’t reach that part of Serein"}},
	} {
		s.services.failing(procedure, c.fault)
		got := b.call(t, generator+"Generate", body)
		require.Equal(t, c.status, got.StatusCode, got.body)
		for _, want := range c.want {
			require.Contains(t, got.body, want)
		}
		require.NotContains(t, got.body, "SECRET")
	}
	s.services.generation.Close()
	gone := b.call(t, generator+"Generate", body)
	require.Equal(t, http.StatusServiceUnavailable, gone.StatusCode)
	require.Contains(t, gone.body, "We can’t reach that part of Serein at the moment.")
	require.NotContains(t, gone.body, "127.0.0.1")
}

func TestSignUpPassesOnWhatThePanelSaid(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	b := s.gateways[0].browser(t)
	const account = "/serein.web.v1.AccountService/"
	made := b.call(t, account+"SignUp", `{"username":"ada","email":"ada@example.org","givenName":"Ada","familyName":"L","password":"long enough","ageConfirmed":true,"termsVersion":"`+termsVersion+`"}`)
	require.Equal(t, http.StatusOK, made.StatusCode, made.body)
	require.Equal(t, "ada", s.services.signUps[0].GetUsername())
	require.True(t, s.services.signUps[0].GetAgeConfirmed())
	require.Equal(t, termsVersion, s.services.signUps[0].GetTermsVersion(), "as the form showed it")
	require.Equal(t, http.StatusOK, b.call(t, account+"ConfirmSignUp", `{"username":"ada","code":"123456"}`).StatusCode)
	require.Equal(t, http.StatusOK, b.call(t, account+"ResendConfirmationCode", `{"username":"ada"}`).StatusCode)

	s.services.failing(identityv1connect.SignUpServiceConfirmSignUpProcedure, errs.New(errs.Invalid, errorsv1.Reason_REASON_CODE_MISMATCH, "That code is not the one we sent."))
	wrong := b.call(t, account+"ConfirmSignUp", `{"username":"ada","code":"1"}`)
	require.Equal(t, http.StatusBadRequest, wrong.StatusCode)
	require.Contains(t, wrong.body, "That code is not the one we sent.")
}

// watch opens a stream as the app does and reads its messages one by one.
type watch struct {
	res  *http.Response
	body *bufio.Reader
}

func (b *browser) watch(tb testing.TB, id string) *watch {
	tb.Helper()
	message := []byte(`{"id":"` + id + `"}`)
	envelope := append([]byte{0}, binary.BigEndian.AppendUint32(nil, uint32(len(message)))...)
	req, err := http.NewRequestWithContext(tb.Context(), http.MethodPost, b.base+generator+"WatchMeditation", bytes.NewReader(append(envelope, message...)))
	require.NoError(tb, err)
	req.Header.Set("Content-Type", "application/connect+json")
	req.Header.Set("X-Serein", "1")
	res, err := b.Do(req)
	require.NoError(tb, err)
	tb.Cleanup(func() { _ = res.Body.Close() })
	return &watch{res: res, body: bufio.NewReader(res.Body)}
}

// next is the next message, or the end with its error.
func (w *watch) next(tb testing.TB) (message map[string]any, end bool) {
	tb.Helper()
	var head [5]byte
	_, err := io.ReadFull(w.body, head[:])
	require.NoError(tb, err)
	payload := make([]byte, binary.BigEndian.Uint32(head[1:]))
	_, err = io.ReadFull(w.body, payload)
	require.NoError(tb, err)
	return tree(tb, string(payload)), head[0]&2 != 0
}

func TestAStreamShowsEveryChangeAndEndsWithTheCredits(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	b := s.member(t)
	s.services.give(s.uid(), meditation(mine, generationv1.Stage_STAGE_WRITING))
	w := b.watch(t, mine)
	first, _ := w.next(t)
	require.Equal(t, "STAGE_WRITING", at(t, first, "meditation", "stage"))

	s.services.change(mine, func(o *owned) {
		o.m.Stage = generationv1.Stage_STAGE_NARRATING
		o.segments = append(o.segments, &generationv1.Segment{Index: 0, DurationMs: 900, Lines: []*generationv1.Line{{Text: "Breathe in.", EndMs: 800}}})
	})
	second, _ := w.next(t)
	require.Equal(t, "STAGE_NARRATING", at(t, second, "meditation", "stage"))
	segments, _ := second["newSegments"].([]any)
	require.Equal(t, "/media/meditations/"+mine+"/segments/0", at(t, segments[0], "audioUrl"))
	require.NotContains(t, second, "credits")

	s.services.mu.Lock()
	s.services.balance[s.uid()] = &billingv1.Balance{PlanAvailable: 7}
	s.services.mu.Unlock()
	s.services.change(mine, func(o *owned) { o.m.Stage = generationv1.Stage_STAGE_READY })
	last, _ := w.next(t)
	require.Equal(t, "STAGE_READY", at(t, last, "meditation", "stage"))
	require.Equal(t, "/media/meditations/"+mine+"/audio", at(t, last, "meditation", "audioUrl"))
	require.Equal(t, "7", at(t, last, "credits", "plan"))
	end, over := w.next(t)
	require.True(t, over)
	require.NotContains(t, end, "error")
}

func TestAFailedMeditationSaysWhyInWords(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	b := s.member(t)
	failed := meditation(mine, generationv1.Stage_STAGE_FAILED)
	failed.FailureReason = "narration_failed"
	s.services.give(s.uid(), failed)
	shown, _ := b.watch(t, mine).next(t)
	require.Contains(t, at(t, shown, "meditation", "failureMessage"), "Your credits weren’t used")
}

func TestARefundIsSaidInWords(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	b := s.member(t)
	for id, want := range map[string]struct {
		cost int32
		says string
	}{
		mine:                                   {2, "Its sound was lost. Your 2 credits are back."},
		"0192f0c1-0000-7000-8000-0000000000c2": {1, "Its sound was lost. Your credit is back."},
	} {
		lost := meditation(id, generationv1.Stage_STAGE_REFUNDED)
		lost.Cost, lost.FailureReason = want.cost, "sound_lost"
		s.services.give(s.uid(), lost)
		shown, _ := b.watch(t, id).next(t)
		require.Equal(t, "STAGE_REFUNDED", at(t, shown, "meditation", "stage"))
		require.Equal(t, want.says, at(t, shown, "meditation", "failureMessage"))
		require.Contains(t, shown, "credits", "with the credits as they stand now")
	}
}

func TestTheTermsOfCancellingComeWithTheStreamAndTheAcceptedPriceGoesBack(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	b := s.member(t)
	made := meditation(mine, generationv1.Stage_STAGE_NARRATING)
	made.CancelTerms = &generationv1.CancelTerms{Price: 2, FreeLeft: 1}
	s.services.give(s.uid(), made)
	shown, _ := b.watch(t, mine).next(t)
	require.Equal(t, "2", fmt.Sprint(at(t, shown, "meditation", "cancelTerms", "price")))
	require.Equal(t, "1", fmt.Sprint(at(t, shown, "meditation", "cancelTerms", "freeLeft")))
	got := b.call(t, generator+"CancelMeditation", `{"id":"`+mine+`","acceptedPrice":2}`)
	require.Equal(t, http.StatusOK, got.StatusCode, got.body)
	require.Contains(t, got.body, `"endedEarly":true`)
}

func TestAQuietStreamBeatsAndEndsWithItsSession(t *testing.T) {
	t.Parallel()
	s := start(t, 1, func(_ *Config, p *settings) { p.heartbeat = 20 * time.Millisecond })
	b := s.member(t)
	s.services.give(s.uid(), meditation(mine, generationv1.Stage_STAGE_NARRATING))
	w := b.watch(t, mine)
	for range 3 {
		beat, over := w.next(t)
		require.False(t, over)
		require.Equal(t, mine, at(t, beat, "meditation", "id"))
	}
	require.Equal(t, http.StatusOK, b.call(t, "/serein.web.v1.SessionService/SignOut", "{}").StatusCode)
	require.Eventually(t, func() bool {
		m, over := w.next(t)
		return over && at(t, m, "error", "code") == "unauthenticated"
	}, patience, time.Millisecond)
}

func TestStreamsEndWhenTheGatewayStops(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	b := s.member(t)
	s.services.give(s.uid(), meditation(mine, generationv1.Stage_STAGE_NARRATING))
	w := b.watch(t, mine)
	_, over := w.next(t)
	require.False(t, over)
	s.gateways[0].stop()
	end, over := w.next(t)
	require.True(t, over)
	require.Equal(t, "unavailable", at(t, end, "error", "code"))
}

func TestAStreamOfSomebodyElsesMeditationDoesNotExist(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	s.services.give(someone, meditation(theirs, generationv1.Stage_STAGE_NARRATING))
	end, over := s.member(t).watch(t, theirs).next(t)
	require.True(t, over)
	require.Equal(t, "not_found", at(t, end, "error", "code"))
	end, over = s.gateways[0].browser(t).watch(t, theirs).next(t)
	require.True(t, over)
	require.Equal(t, "unauthenticated", at(t, end, "error", "code"))
}

func TestAMemberHasAFewStreamsAtMost(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	b := s.member(t)
	s.services.give(s.uid(), meditation(mine, generationv1.Stage_STAGE_NARRATING))
	for range 16 {
		_, over := b.watch(t, mine).next(t)
		require.False(t, over)
	}
	end, over := b.watch(t, mine).next(t)
	require.True(t, over)
	require.Equal(t, "resource_exhausted", at(t, end, "error", "code"))
	require.Contains(t, end["error"].(map[string]any)["message"].(string), "breath")
}
