package generation

import (
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	generationv1 "serein.app/proto/gen/serein/generation/v1"
	"serein.app/proto/gen/serein/generation/v1/generationv1connect"
	handlers "serein.app/services/generation/internal/rpc"
	"serein.app/services/generation/internal/title"
	"serein.app/services/platform/auth"
	"serein.app/services/platform/errs"
	"serein.app/services/platform/service"
	"serein.app/services/platform/telemetry"
	"serein.app/services/testkit"
)

// notes is a log that can be read while it is written.
type notes struct {
	mu   sync.Mutex
	text []byte
}

func (n *notes) Write(p []byte) (int, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.text = append(n.text, p...)
	return len(p), nil
}

func (n *notes) String() string {
	n.mu.Lock()
	defer n.mu.Unlock()
	return string(n.text)
}

// Whatever a title of crisis would have cost or left behind is looked for: a hold, a row, an event, a line of log.
func TestATitleOfCrisisIsNeverMadeHeldChargedWrittenPublishedOrLogged(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	log := &notes{}
	tel, err := telemetry.SetupTo(t.Context(), Name, log)
	require.NoError(t, err)
	parts := h.fakes()
	parts.checkTitle = title.Check
	started, err := service.Start(t.Context(), Name, h.config().Config, handlers.Policy(), tel)
	require.NoError(t, err)
	require.NoError(t, build(started, h.config(), parts))
	url, _ := testkit.Serve(t, started)
	c := client(t, "gateway", url)
	uid := h.member(8)
	member := auth.WithMember(t.Context(), uid.String())

	for _, crisis := range []string{
		"I don't want to live anymore", "I don’t want to be here any more", "i hate my self", "I was assaulted last year",
		"My brother killed himself", "sucidal thoughts at three", "better off without me", "want it to stop",
	} {
		r := createRequest()
		r.Title = crisis
		_, err := c.CreateMeditation(member, r)
		require.Equal(t, "TITLE_NEEDS_CARE", errs.From(err).Word(), crisis)
		require.Equal(t, errs.FailedPrecondition, errs.From(err).Kind)
		require.Equal(t, "title", errs.From(err).Field)
		require.NotEmpty(t, errs.From(err).Public)
		_, checked := c.CheckTitle(t.Context(), &generationv1.CheckTitleRequest{Title: crisis})
		// Without its cause, whose headers carry the second of the answer.
		require.Equal(t, errs.From(err).Because(nil), errs.From(checked).Because(nil), "a visitor hears the same")
		require.NotContains(t, log.String(), crisis)
	}
	require.Zero(t, h.billing.calls("hold"))
	require.Equal(t, int64(8), h.billing.available(uid))
	require.Zero(t, h.count(`SELECT count(*) FROM meditations`))
	require.Empty(t, h.events())

	_, err = c.CreateMeditation(member, createRequest())
	require.NoError(t, err, "the same member is answered at once for another title")
	require.Equal(t, 1, h.billing.calls("hold"))
}

// CheckTitle gives the reasons of CreateMeditation to every caller.
func TestCheckTitleJudgesForEveryCallerAndMakesNothing(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	parts := h.fakes()
	parts.checkTitle = title.Check
	url, _ := h.service(parts)
	c := client(t, "gateway", url)
	for given, want := range map[string]string{
		"": "TITLE_REQUIRED", strings.Repeat("a", 81): "TITLE_TOO_LONG", "two\nlines": "TITLE_INVALID",
		"oh shit": "TITLE_PROFANE", "I want to die": "TITLE_NEEDS_CARE", strings.Repeat("a", 4097): "INVALID_ARGUMENT",
	} {
		_, err := c.CheckTitle(t.Context(), &generationv1.CheckTitleRequest{Title: given})
		require.Equal(t, want, errs.From(err).Word(), given)
		require.Equal(t, "title", errs.From(err).Field, given)
	}
	_, err := c.CheckTitle(t.Context(), &generationv1.CheckTitleRequest{Title: "A quiet evening"})
	require.NoError(t, err)
	require.Zero(t, h.billing.calls("hold"))
	require.Zero(t, h.count(`SELECT count(*) FROM meditations`))
	_, err = client(t, "content", url).CheckTitle(t.Context(), &generationv1.CheckTitleRequest{Title: "A quiet evening"})
	require.Equal(t, errs.Forbidden, errs.KindOf(err))
}

// groundingOf waits until the recording is made; nobody is signed in.
func groundingOf(tb testing.TB, url string) (made *generationv1.GetGroundingResponse) {
	tb.Helper()
	c := generationv1connect.NewGroundingServiceClient(testkit.Dialer(tb, "gateway").To(Name, url))
	require.Eventually(tb, func() bool {
		var err error
		made, err = c.GetGrounding(tb.Context(), &generationv1.GetGroundingRequest{})
		if err != nil {
			require.Equal(tb, errs.Unavailable, errs.KindOf(err))
		}
		return err == nil
	}, waitFor, 20*time.Millisecond)
	return made
}

func TestTheGroundingIsForEverybodyAndCostsNothing(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	url, _ := h.service(h.fakes())
	made := groundingOf(t, url)
	require.Greater(t, len(made.GetLines()), 1)
	require.Positive(t, made.GetDurationMs())
	require.Regexp(t, `^grounding/[0-9a-f]{16}\.mp3$`, made.GetPath())
	res := hear(t, "gateway", "", url+"/media/"+made.GetPath(), nil)
	require.Equal(t, http.StatusOK, res.StatusCode)
	require.NotEmpty(t, body(t, res))
	require.Zero(t, h.billing.calls("hold"))
	require.Zero(t, h.count(`SELECT count(*) FROM meditations`))
	require.Equal(t, http.StatusForbidden, hear(t, "content", "", url+"/media/"+made.GetPath(), nil).StatusCode)
}

func TestTheSampleIsForEverybodyAndCostsNothing(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	url, _ := h.service(h.fakes())
	c := generationv1connect.NewSampleServiceClient(testkit.Dialer(t, "gateway").To(Name, url))
	var made *generationv1.GetSampleResponse
	require.Eventually(t, func() (there bool) {
		var err error
		made, err = c.GetSample(t.Context(), &generationv1.GetSampleRequest{})
		return err == nil
	}, waitFor, 20*time.Millisecond)
	require.Greater(t, len(made.GetLines()), 1)
	require.Regexp(t, `^sample/[0-9a-f]{16}\.mp3$`, made.GetPath())
	res := hear(t, "gateway", "", url+"/media/"+made.GetPath(), nil)
	require.Equal(t, http.StatusOK, res.StatusCode)
	require.NotEmpty(t, body(t, res))
	require.Zero(t, h.billing.calls("hold"))
}

func TestEveryNarratorIsHeardInASentenceBeforeAMemberChooses(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	url, _ := h.service(h.fakes())
	c := generationv1connect.NewSampleServiceClient(testkit.Dialer(t, "gateway").To(Name, url))
	var all []*generationv1.Narrator
	require.Eventually(t, func() bool {
		res, err := c.ListNarrators(t.Context(), &generationv1.ListNarratorsRequest{})
		all = res.GetNarrators()
		return err == nil && !slices.ContainsFunc(all, func(n *generationv1.Narrator) bool { return n.GetSamplePath() == "" })
	}, waitFor, 20*time.Millisecond)
	paths := map[string]bool{}
	for i, id := range []string{"maren", "isla", "wren", "nova"} {
		require.Equal(t, id, all[i].GetId())
		require.Equal(t, map[bool]string{true: "A vendor"}[id == "nova"], all[i].GetRecipient())
		require.NotEmpty(t, all[i].GetName())
		require.Positive(t, all[i].GetSampleDurationMs())
		require.Regexp(t, `^sample/[0-9a-f]{16}\.mp3$`, all[i].GetSamplePath())
		paths[all[i].GetSamplePath()] = true
		require.Equal(t, http.StatusOK, hear(t, "gateway", "", url+"/media/"+all[i].GetSamplePath(), nil).StatusCode)
	}
	require.Len(t, paths, len(all), "each speaks for themselves")
	require.Equal(t, http.StatusNotFound, hear(t, "gateway", "", url+"/media/sample/0000000000000000.mp3", nil).StatusCode)
}
