package narration_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"serein.app/services/generation/internal/narration"
	"serein.app/services/generation/internal/recording"
)

// A sentence that is kept is given to others, so that it is spoken without the sentences beside it.
func TestASentenceWithAMembersWordsIsSpokenWithItsNeighbours(t *testing.T) {
	t.Parallel()
	text := recording.Script{Passages: []recording.Passage{
		{Sentences: []string{"Welcome, Amara.", "Two."}, Common: []bool{false, true}, Pause: time.Second},
		{Sentences: []string{"Three for you.", "Four."}, Common: []bool{false, true}, Pause: time.Second},
		{Sentences: []string{"Five, Amara."}, Pause: time.Second},
	}}
	var mu sync.Mutex
	got := map[string][2]string{}
	r := newRecorder(t, hum{Before: func(_ context.Context, u narration.Utterance) error {
		mu.Lock()
		defer mu.Unlock()
		got[u.Text] = [2]string{u.Before, u.After}
		return nil
	}}, openCodec(t), 2)
	want := map[string][2]string{
		"Welcome, Amara.": {"", "Two."}, "Two.": {}, "Three for you.": {"Two.", "Four."}, "Four.": {}, "Five, Amara.": {"Four.", ""},
	}
	record(t, r, "maren", text, 0, 0)
	require.Equal(t, want, got)
	clear(got)
	require.NoError(t, r.RecordInBackground(t.Context(), "maren", text, 0, ignore))
	require.Equal(t, want, got)
}
