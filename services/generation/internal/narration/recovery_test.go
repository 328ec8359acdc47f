package narration

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"serein.app/services/generation/internal/recording"
	"serein.app/services/generation/internal/recovery"
)

// One goroutine starts those that render the single segments; this panic is in the first.
func TestPanicInRenderLoopEndsOnlyItsRecording(t *testing.T) {
	t.Parallel()
	r, err := New(Synthesisers{"flite": mute{}}, nil, 2)
	require.NoError(t, err)
	r.workers = nil // no worker can be asked for
	script := recording.Script{Passages: []recording.Passage{{Sentences: []string{"Rest here."}, Pause: time.Second}}}
	for range 3 {
		err := r.Record(t.Context(), "maren", script, 0, 0, func(recording.Segment, []byte) error { return nil })
		require.ErrorIs(t, err, recovery.ErrPanic)
	}
}

// mute is never asked to speak.
type mute struct{}

func (mute) Speak(context.Context, Utterance) (Speech, error) { return Speech{}, nil }
func (mute) HasVoice(string) bool                             { return true }
