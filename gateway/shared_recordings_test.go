package gateway

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTheGroundingIsHeardByVisitorsInRanges(t *testing.T) {
	t.Parallel()
	visitor := start(t, 1).gateways[0].browser(t)
	grounding := tree(t, visitor.call(t, generator+"GetGrounding", "{}").body)
	path, _ := at(t, grounding, "audioUrl").(string)
	require.Equal(t, "/media/grounding/calm-3f2a.mp3", path)
	require.Equal(t, "90000", at(t, grounding, "durationMs"))

	whole := visitor.get(t, path)
	require.Equal(t, http.StatusOK, whole.StatusCode)
	require.Equal(t, string(audio[:1000]), whole.body)
	require.Equal(t, "public, max-age=31536000, immutable", whole.Header.Get("Cache-Control"))
	require.Equal(t, http.StatusPartialContent, visitor.get(t, path, "Range", "bytes=1-3").StatusCode)
	for _, other := range []string{"/media/grounding/none.mp3", "/media/grounding/calm-3f2a.json", "/media/grounding/..%2fcalm-3f2a.mp3"} {
		require.Equal(t, http.StatusNotFound, visitor.get(t, other).StatusCode, other)
	}
}

func TestTheSampleIsHeardByVisitorsInRanges(t *testing.T) {
	t.Parallel()
	visitor := start(t, 1).gateways[0].browser(t)
	sample := tree(t, visitor.call(t, generator+"GetSample", "{}").body)
	path, _ := at(t, sample, "audioUrl").(string)
	require.Equal(t, "/media/sample/lake-3f2a.mp3", path)
	require.Equal(t, http.StatusOK, visitor.get(t, path).StatusCode)
	require.Equal(t, http.StatusPartialContent, visitor.get(t, path, "Range", "bytes=1-3").StatusCode)
	for _, other := range []string{"/media/sample/none.mp3", "/media/sample/lake-3f2a.json"} {
		require.Equal(t, http.StatusNotFound, visitor.get(t, other).StatusCode, other)
	}
}

func TestVisitorsHearEveryNarratorInASentence(t *testing.T) {
	t.Parallel()
	visitor := start(t, 1).gateways[0].browser(t)
	all := tree(t, visitor.call(t, generator+"ListNarrators", "{}").body)
	require.Equal(t, []any{
		map[string]any{
			"id": "wren", "name": "Wren", "description": "Light and bright.", "sampleUrl": "/media/sample/wren-3f2a.mp3", "sampleDurationMs": "6000",
		},
		map[string]any{"id": "ansel", "name": "Ansel", "description": "Deep and unhurried."},
	}, at(t, all, "narrators"))
	require.Equal(t, http.StatusOK, visitor.get(t, "/media/sample/wren-3f2a.mp3").StatusCode)
}
