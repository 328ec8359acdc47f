package narration_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"serein.app/services/generation/internal/narration/dsp"
	writer "serein.app/services/generation/internal/script"
	"serein.app/services/testkit/signal"
)

// The whole way of a MiniMed, words, voice and encoder being the real ones: its silences are 40 s, as they are planned and
// as they can be measured.
func TestTheSilencesOfAMiniMedAddUp(t *testing.T) {
	t.Parallel()
	text, err := writer.Compose(writer.Request{
		Title: "After the long meeting", TypeID: "stress-relief", PracticeID: "zen", SizeID: "minimed",
		MinWords: 350, MaxWords: 380, Breaks: 17, PauseSeconds: 40, Seed: 1,
		Affirmations: []string{"I can put this down for now.", "My body knows how to rest.", "There is time for me in this day."},
	})
	require.NoError(t, err)
	segments := record(t, newRecorder(t, openFlite(t), openCodec(t), 2), "callum", text, 0, 0)
	sound := decode(t, join(segments))
	var marked, measured time.Duration
	breaks := 0
	for i, s := range segments {
		if s.Silence < time.Second {
			continue // a breath between two sentences
		}
		breaks++
		if i == len(segments)-1 {
			marked, measured = marked+s.Silence, measured+s.Silence // what follows is the bell's
			continue
		}
		end, next := s.Lines[len(s.Lines)-1].End, segments[i+1].Lines[0].Start
		quiet := quietAround(sound, at((end+next)/2))
		require.InDelta(t, (next - end).Seconds(), quiet.Seconds(), 0.2)
		marked, measured = marked+next-end, measured+quiet
	}
	require.Equal(t, 17, breaks)
	require.InDelta(t, 40, marked.Seconds(), 0.001)
	require.InDelta(t, 40, measured.Seconds(), 1)
}

// quietAround is how long the sound is no louder than the room and the voice's last trace in it, around a place.
func quietAround(sound []float32, place int) time.Duration {
	const step = dsp.Rate / 200
	quiet := func(at int) bool { return signal.Level(sound[at:at+step]) < -50 }
	from, to := place, place
	for quiet(from - step) {
		from -= step
	}
	for quiet(to) {
		to += step
	}
	return time.Duration(to-from) * time.Second / dsp.Rate
}
