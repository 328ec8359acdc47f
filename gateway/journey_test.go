package gateway

import (
	"net/http"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	errorsv1 "serein.app/proto/gen/serein/errors/v1"
	generationv1 "serein.app/proto/gen/serein/generation/v1"
	"serein.app/proto/gen/serein/generation/v1/generationv1connect"
	"serein.app/services/platform/errs"
)

const journeys = "/serein.web.v1.JourneyService/"

// listed are the ids of one of the two lists of My Journey.
func (b *browser) listed(t *testing.T, body string) (ids []string) {
	t.Helper()
	got := b.call(t, journeys+"ListBespoke", body)
	require.Equal(t, http.StatusOK, got.StatusCode, got.body)
	cards, _ := tree(t, got.body)["meditations"].([]any)
	for _, card := range cards {
		id, _ := at(t, card, "id").(string)
		ids = append(ids, id)
	}
	return ids
}

var firstAnswers = regexp.MustCompile(`id="page">([^<]*)</script>`)

// begins are the answers that stand in the member's page at that address; nil for none.
func (b *browser) begins(t *testing.T, address string) []any {
	t.Helper()
	got := b.get(t, address)
	require.Equal(t, http.StatusOK, got.StatusCode)
	block := firstAnswers.FindStringSubmatch(got.body)
	if block == nil {
		return nil
	}
	require.Equal(t, "no-store", got.Header.Get("Cache-Control"))
	begun := tree(t, block[1])
	require.Equal(t, "/journey", at(t, begun, "page"))
	answers, _ := at(t, begun, "answers").([]any)
	return answers
}

func TestMyJourneyBeginsWithItsFirstAnswers(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	b := s.member(t)
	own := meditation(mine, generationv1.Stage_STAGE_READY)
	own.Title = "</script><b>& more"
	s.services.give(s.uid(), own)
	answers := b.begins(t, "/journey")
	require.Len(t, answers, 2)
	require.InDelta(t, 1, at(t, answers[0], "bespoke"), 0)
	require.Equal(t, own.GetTitle(), at(t, answers[1], "meditations", 0, "title"))

	require.Empty(t, s.other(t).begins(t, "/journey")[1], "another member's has nothing of it")
	for _, another := range []string{"/journey?tab=articles", "/journey?search=x"} {
		require.Nil(t, b.begins(t, another), another)
	}
	require.NotNil(t, b.begins(t, "/journey?from=letter"))
	s.services.failing(generationv1connect.MeditationServiceListMeditationsProcedure, errs.ErrUnavailable)
	answers = b.begins(t, "/journey")
	require.NotNil(t, answers[0])
	require.Nil(t, answers[1], "the app asks for it")
	require.False(t, s.gateways[0].browser(t).opens(t, "/journey"))
}

func TestAMemberDeletesRecoversAndRenames(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	b := s.member(t)
	s.services.give(s.uid(), meditation(mine, generationv1.Stage_STAGE_READY))
	require.InDelta(t, 1, at(t, b.shown(t), "journeyCount"), 0)

	marked := b.call(t, journeys+"MarkBespokeDeleted", `{"id":"`+mine+`"}`)
	require.Equal(t, http.StatusOK, marked.StatusCode, marked.body)
	require.Equal(t, "2027-01-15T08:00:00Z", at(t, tree(t, marked.body), "meditation", "deletesAt"))
	require.NotContains(t, b.shown(t), "journeyCount", "the count is read back at once")
	require.Empty(t, b.listed(t, "{}"))
	require.Equal(t, []string{mine}, b.listed(t, `{"deleted":true}`))
	require.Equal(t, http.StatusOK, b.get(t, "/media/meditations/"+mine+"/audio").StatusCode, "it plays until it is gone")
	again := b.call(t, journeys+"MarkBespokeDeleted", `{"id":"`+mine+`"}`)
	require.Contains(t, again.body, "MEDITATION_MARKED")

	recovered := b.call(t, journeys+"RecoverBespoke", `{"id":"`+mine+`"}`)
	require.Equal(t, http.StatusOK, recovered.StatusCode, recovered.body)
	require.NotContains(t, recovered.body, "deletesAt")
	require.InDelta(t, 1, at(t, b.shown(t), "journeyCount"), 0)
	require.Equal(t, []string{mine}, b.listed(t, "{}"))
	require.Empty(t, b.listed(t, `{"deleted":true}`))
	require.Contains(t, b.call(t, journeys+"RecoverBespoke", `{"id":"`+mine+`"}`).body, "MEDITATION_NOT_MARKED")

	renamed := b.call(t, journeys+"RenameBespoke", `{"id":"`+mine+`","title":"A night"}`)
	require.Equal(t, "A night", at(t, tree(t, renamed.body), "meditation", "title"))
	s.services.failing(generationv1connect.MeditationServiceRenameMeditationProcedure,
		errs.New(errs.FailedPrecondition, errorsv1.Reason_REASON_TITLE_NEEDS_CARE, "You matter.").On("title"))
	require.Contains(t, b.call(t, journeys+"RenameBespoke", `{"id":"`+mine+`","title":"x"}`).body, "TITLE_NEEDS_CARE")
}

func TestWhatIsGoneHasATitleAndNoSound(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	b := s.member(t)
	gone := meditation(mine, generationv1.Stage_STAGE_DELETED)
	gone.DeletesAt = goesAt
	s.services.give(s.uid(), gone)
	got := b.call(t, journeys+"ListBespoke", `{"deleted":true}`)
	card := at(t, tree(t, got.body), "meditations", 0)
	require.Equal(t, "STAGE_DELETED", at(t, card, "stage"))
	require.NotContains(t, card, "audioUrl")
	shown, _ := b.watch(t, mine).next(t)
	require.Contains(t, shown, "credits", "the work is over")
}

func TestAnotherMembersMeditationIsNobodysToDelete(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	s.services.give(s.uid(), meditation(mine, generationv1.Stage_STAGE_READY))
	visitor, a, b := s.gateways[0].browser(t), s.member(t), s.other(t)
	const unknown = "0192f0c1-0000-7000-8000-0000000000c1"
	for _, procedure := range []string{"MarkBespokeDeleted", "RecoverBespoke", "RenameBespoke"} {
		call := func(who *browser, id string) answer {
			return who.call(t, journeys+procedure, `{"id":"`+id+`","title":"x"}`)
		}
		if procedure != "RenameBespoke" {
			call = func(who *browser, id string) answer { return who.call(t, journeys+procedure, `{"id":"`+id+`"}`) }
		}
		require.Equal(t, http.StatusUnauthorized, call(visitor, mine).StatusCode)
		require.Equal(t, http.StatusNotFound, call(b, mine).StatusCode)
		require.Equal(t, call(b, unknown).body, call(b, mine).body, "exactly like an unknown one")
		require.Equal(t, http.StatusOK, call(a, mine).StatusCode)
	}
}
