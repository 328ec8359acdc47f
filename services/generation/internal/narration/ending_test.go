package narration_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"serein.app/services/generation/internal/recording"
	"serein.app/services/testkit/signal"
)

func TestARecordingEndsWithABellAndFadesAway(t *testing.T) {
	t.Parallel()
	r := newRecorder(t, hum{}, openCodec(t), 1)
	for _, pause := range []time.Duration{time.Second, 9 * time.Second} {
		s := recording.Script{Passages: []recording.Passage{
			{Sentences: []string{"Rest here."}, Pause: pause}, {Sentences: []string{"And go well."}, Pause: pause},
		}}
		segments := record(t, r, "maren", s, 0, 0)
		require.Equal(t, pause, segments[1].Silence, "what is planned stays")
		sound := decode(t, join(segments))
		end := at(segments[1].Lines[0].End)
		bell := end + at(pause)
		if pause > 6*time.Second {
			bell = end + at(1500*time.Millisecond)
			require.InDelta(t, at(pause), len(sound)-end, 100, "it lies in the last silence")
		}
		require.Less(t, signal.Level(sound[end+9600:bell-200]), -60.0)
		require.InDelta(t, -25, signal.Level(sound[bell+2400:bell+24000]), 4)
		require.Less(t, signal.Level(sound[len(sound)-240:]), -80.0, "the room has faded away too")

		first := decode(t, segments[0].mp3)
		require.Less(t, signal.Level(first[at(segments[0].Lines[0].End)+9600:]), -60.0, "only the last segment has a bell")
	}
}

func TestNarrationInTheBackgroundAndAScriptWithoutABellHaveNone(t *testing.T) {
	t.Parallel()
	r := newRecorder(t, hum{}, openCodec(t), 1)
	s := recording.Script{Passages: []recording.Passage{{Sentences: []string{"Rest here."}, Pause: 2 * time.Second}}}
	quiet := func(s recording.Segment, mp3 []byte) error {
		require.Less(t, signal.Level(decode(t, mp3)[at(s.Lines[0].End)+9600:]), -60.0)
		return nil
	}
	require.NoError(t, r.RecordInBackground(t.Context(), "maren", s, 0, quiet))
	s.NoBell = true
	require.NoError(t, r.Record(t.Context(), "maren", s, 0, 0, quiet))
}
