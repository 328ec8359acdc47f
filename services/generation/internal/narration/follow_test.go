package narration_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"serein.app/services/generation/internal/narration"
	"serein.app/services/generation/internal/recording"
)

// written is a script of which the passages are there that were sent.
func written(s recording.Script) (recording.Coming, chan recording.Passage) {
	sent := make(chan recording.Passage, len(s.Passages))
	return recording.Coming{Passages: len(s.Passages), Words: 100, Next: func(ctx context.Context, _ int) (recording.Passage, error) {
		select {
		case p := <-sent:
			return p, nil
		case <-ctx.Done():
			return recording.Passage{}, ctx.Err()
		}
	}}, sent
}

var threePassages = recording.Script{Passages: []recording.Passage{
	{Sentences: []string{"Sit down.", "Let your feet be heavy.", "Let your hands rest."}, Pause: time.Second},
	{Sentences: []string{"Look at the light."}, Pause: 2 * time.Second},
	{Sentences: []string{"Breathe in.", "Breathe out.", "Be here.", "Let it go.", "Go on with your day."}, Pause: time.Second},
}}

func TestAScriptThatIsBeingWrittenSoundsLikeTheWholeOne(t *testing.T) {
	t.Parallel()
	r := newRecorder(t, hum{}, openCodec(t), 2)
	whole := record(t, r, "maren", threePassages, 0, 0)
	for from := range whole {
		c, sent := written(threePassages)
		for _, p := range threePassages.Passages {
			sent <- p
		}
		var followed []recorded
		require.NoError(t, r.Follow(t.Context(), "maren", c, from, whole[from].Start, func(s recording.Segment, mp3 []byte) error {
			followed = append(followed, recorded{s, mp3})
			return nil
		}))
		require.Equal(t, whole[from:], followed, "from segment %d", from)
	}
}

func TestAPassageIsSpokenBeforeTheNextIsThere(t *testing.T) {
	t.Parallel()
	r := newRecorder(t, hum{}, openCodec(t), 2)
	c, sent := written(threePassages)
	sent <- threePassages.Passages[0]
	next := 1
	require.NoError(t, r.Follow(t.Context(), "maren", c, 0, 0, func(s recording.Segment, _ []byte) error {
		if s.Silence >= time.Second && next < len(threePassages.Passages) { // a passage is spoken
			sent <- threePassages.Passages[next]
			next++
		}
		return nil
	}))
	require.Equal(t, 3, next)
}

func TestAWriterThatFailsEndsTheRecording(t *testing.T) {
	t.Parallel()
	r := newRecorder(t, hum{}, openCodec(t), 2)
	gone := errors.New("gone")
	c := recording.Coming{Passages: 2, Next: func(context.Context, int) (recording.Passage, error) { return recording.Passage{}, gone }}
	require.ErrorIs(t, r.Follow(t.Context(), "maren", c, 0, 0, ignore), gone)
	require.ErrorIs(t, r.Follow(t.Context(), "nobody", c, 1, 0, ignore), narration.ErrNarrator)
}
