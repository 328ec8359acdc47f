package narration

import (
	"context"
	"errors"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"serein.app/services/generation/internal/recording"
	writer "serein.app/services/generation/internal/script"
	"serein.app/services/sound/mp3"
	"serein.app/services/testkit"
)

// Speeds of a synthesiser, in seconds of speech that it makes in a second: the built-in one alone on a core, and one that takes
// three times as long, such as the built-in one beside other work.
const (
	builtIn = 20
	slow    = 7
)

// aWord is how long a narrator takes for one, and start what the built-in synthesiser takes before it speaks.
const (
	aWord = 450 * time.Millisecond
	start = 16 * time.Millisecond
)

// unhurried speaks at a narrator's pace, and takes the time of the bubble's clock for it.
type unhurried struct{ speed time.Duration }

func (unhurried) HasVoice(string) bool { return true }

func (s unhurried) Speak(_ context.Context, u Utterance) (Speech, error) {
	sound := speechTime(u.Text)
	time.Sleep(start + sound/s.speed) //nolint:forbidigo // the bubble's clock
	samples := make([]float32, int(sound*16000/time.Second))
	for i := range samples {
		samples[i] = float32(i%80)/400 - 0.1
	}
	return Speech{Samples: samples, Rate: 16000}, nil
}

func speechTime(sentences ...string) time.Duration {
	return time.Duration(len(strings.Fields(strings.Join(sentences, " ")))) * aWord
}

// A member listens to the first segment, from the moment at which it is there, while the second is made. With one worker,
// nothing is made ahead.
func TestTheSecondSegmentIsThereBeforeTheFirstHasEnded(t *testing.T) {
	t.Parallel()
	code, err := os.ReadFile(testkit.Part(t, "mp3.wasm"))
	require.NoError(t, err)
	codec, err := mp3.Open(t.Context(), code, "")
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, codec.Close(context.Background())) })
	openings := hardest(t)
	for _, speed := range []time.Duration{builtIn, slow} {
		for _, opening := range openings {
			synctest.Test(t, func(t *testing.T) {
				r, err := New(Synthesisers{"flite": unhurried{speed}}, codec, 1)
				require.NoError(t, err)
				enough, ends := errors.New("enough"), time.Time{}
				require.ErrorIs(t, r.Record(t.Context(), "ansel", opening, 0, 0, func(s recording.Segment, _ []byte) error {
					if s.Index == 0 {
						ends = time.Now().Add(s.Duration)
						return nil
					}
					require.False(t, time.Now().After(ends), "%q: %s late at speed %d", opening.Passages[0].Sentences, time.Since(ends), speed)
					return enough
				}), enough)
			})
		}
	}
}

// hardest gives, for every type of meditation, the script whose second segment has the most to say for the sound of its first.
func hardest(t *testing.T) (all []recording.Script) {
	t.Helper()
	for _, typeID := range []string{
		"stress-relief", "loving-kindness", "better-sleep", "focus-concentration", "mindfulness", "compassion",
		"gratitude", "anxiety-relief", "resilience", "relationships", "anger",
	} {
		var chosen recording.Script
		most := 0.0
		for _, practiceID := range []string{
			"vipassana", "zen", "tibetan", "mbsr", "transcendental", "yogic", "taoist", "secular-mindfulness",
		} {
			text, err := writer.Compose(writer.Request{
				Title: "After the long meeting", TypeID: typeID, PracticeID: practiceID, SizeID: "minimed",
				MinWords: 350, MaxWords: 380, Breaks: 17, PauseSeconds: 40, Seed: 1,
				Affirmations: []string{"I can put this down for now.", "My body knows how to rest.", "There is time for me in this day."},
			})
			require.NoError(t, err)
			parts := plan(text.Passages)
			first, second := speechTime(parts[0].Sentences...), speechTime(parts[1].Sentences...)
			if share := second.Seconds() / (first + parts[0].Pause).Seconds(); share > most {
				chosen, most = text, share
			}
		}
		all = append(all, chosen)
	}
	return all
}
