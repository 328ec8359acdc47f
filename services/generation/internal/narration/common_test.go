package narration_test

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"serein.app/services/generation/internal/narration"
	"serein.app/services/generation/internal/recording"
)

// What a member's words are in is said to the synthesiser, of each piece of a long sentence too, and nothing else is.
func TestTheSynthesiserIsToldWhichSentencesHaveAMembersWords(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("and it goes on, ", 20) + "until it ends."
	text := recording.Script{Passages: []recording.Passage{
		{Sentences: []string{"One.", "Two for Amara.", long, "Four."}, Common: []bool{true, false, true}, Pause: time.Second},
	}}
	var mu sync.Mutex
	common, pieces := map[string]bool{}, 0
	r := newRecorder(t, hum{Before: func(_ context.Context, u narration.Utterance) error {
		mu.Lock()
		defer mu.Unlock()
		pieces++
		common[u.Text] = u.Common
		return nil
	}}, openCodec(t), 1)
	check := func() {
		require.Greater(t, pieces, 4, "the long sentence is cut")
		for said, is := range common {
			require.Equal(t, said != "Two for Amara." && said != "Four.", is, said)
		}
		clear(common)
		pieces = 0
	}
	record(t, r, "maren", text, 0, 0)
	check()
	require.NoError(t, r.RecordInBackground(t.Context(), "maren", text, 0, ignore))
	check()
	text.Passages = recording.ByNoMember(text.Passages)
	record(t, r, "maren", text, 0, 0)
	for said, is := range common {
		require.True(t, is, said)
	}
}
