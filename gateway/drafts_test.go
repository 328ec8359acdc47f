package gateway

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	generationv1 "serein.app/proto/gen/serein/generation/v1"
)

const drafts = "/serein.web.v1.DraftService/"

func TestAScriptIsReadAndChangedBeforeItIsNarrated(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	s.services.give(s.uid(), meditation(mine, generationv1.Stage_STAGE_READY)) // and its draft
	b := s.member(t)
	created := b.call(t, drafts+"CreateDraft", bodies["CreateDraft"])
	require.Equal(t, http.StatusOK, created.StatusCode, created.body)
	draft, _ := tree(t, created.body)["draft"].(map[string]any)
	require.Equal(t, []any{mine, "A kind evening"}, []any{draft["id"], draft["title"]})
	require.Equal(t, "Gratitude", draft["typeName"])
	require.Equal(t, "Rain", draft["trackName"])
	require.Contains(t, created.body, "Say a little more.")
	require.Contains(t, created.body, "DRAFT_PROBLEM_KIND_TOO_FEW_WORDS")

	listed := b.call(t, drafts+"ListDrafts", "{}")
	require.Contains(t, listed.body, `"A night"`)
	require.NotContains(t, listed.body, "Welcome.", "a note says no lines")

	changed := b.call(t, drafts+"ChangeLine", `{"id":"`+mine+`","revision":1,"line":1,"text":"Good evening."}`)
	require.Contains(t, changed.body, "Good evening.")
	require.Contains(t, b.call(t, drafts+"RewriteLine", `{"id":"`+mine+`","revision":2,"line":1}`).body, "Be welcome.")

	got := b.call(t, generator+"Generate", `{"draftId":"`+mine+`","draftRevision":3,"idempotencyKey":"`+mine+`"}`)
	require.Equal(t, http.StatusOK, got.StatusCode, got.body)
	asked := s.services.created[len(s.services.created)-1]
	require.Equal(t, mine, asked.GetDraftId())
	require.EqualValues(t, 3, asked.GetDraftRevision())
}

func TestAnotherMembersScriptDoesNotExist(t *testing.T) {
	t.Parallel()
	b := start(t, 1).member(t)
	for _, procedure := range []string{"GetDraft", "ChangeLine", "RewriteLine"} {
		got := b.call(t, drafts+procedure, `{"id":"`+theirs+`"}`)
		require.Equal(t, http.StatusNotFound, got.StatusCode, procedure)
		require.Contains(t, got.body, "DRAFT_NOT_FOUND", procedure)
	}
}

func TestWritingAScriptCountsAsAPressOfGenerate(t *testing.T) {
	t.Parallel()
	b := start(t, 1, scaled(1)).member(t)
	var last int
	for range 16 {
		last = b.call(t, drafts+"CreateDraft", bodies["CreateDraft"]).StatusCode
	}
	require.Equal(t, http.StatusTooManyRequests, last)
	narrated := b.call(t, generator+"Generate", `{"draftId":"`+mine+`","draftRevision":1,"idempotencyKey":"`+mine+`"}`)
	require.Contains(t, narrated.body, "TOO_MANY_REQUESTS", "and no word about the title, which the request does not have")
}
