package script_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"serein.app/services/generation/internal/brief"
	"serein.app/services/generation/internal/recording"
	"serein.app/services/generation/internal/script"
)

// TestARestMakesAScriptWhole leaves scripts after each of their passages, in every size and practice, and has the rest written: the passages and
// silences are exact, nothing is said twice and what the title needs is kept. The words may miss their range in few, and by little.
func TestARestMakesAScriptWhole(t *testing.T) {
	t.Parallel()
	affirmations := []string{"I can put this down for now.", "One thing at a time is enough.", "There is time for me in this day."}
	titles := []string{"After the long meeting", "My driving test", "My father died last week", "I was in a car crash", "My back hurts", "x"}
	types := []string{"stress-relief", "better-sleep", "gratitude", "anger"}
	all, missed := 0, 0
	for n, practice := range []string{"vipassana", "zen", "tibetan", "mbsr", "transcendental", "yogic", "taoist", "secular-mindfulness"} {
		for s, size := range []struct {
			id                      string
			low, high, breaks, left int
		}{{"minimed", 350, 380, 17, 40}, {"reset", 550, 600, 19, 70}, {"timeout", 900, 950, 28, 90}} {
			r := script.Request{
				Title: titles[(n+s)%len(titles)], TypeID: types[(n+s)%len(types)], PracticeID: practice, SizeID: size.id, MinWords: size.low, MaxWords: size.high,
				Breaks: size.breaks, PauseSeconds: size.left, Affirmations: affirmations, Seed: 1,
			}
			b := brief.Of(brief.Brief{
				Title: r.Title, TypeID: r.TypeID, PracticeID: r.PracticeID, Affirmations: affirmations, MinWords: size.low, MaxWords: size.high,
				Breaks: size.breaks, Pause: time.Duration(size.left) * time.Second, Language: "en-GB",
			})
			other := r
			other.Seed = 2
			begun, err := script.Compose(other)
			require.NoError(t, err)
			for said := 1; said < size.breaks; said += 1 + s {
				name := fmt.Sprintf("%s %s %s after %d", r.Title, practice, size.id, said)
				rest, err := script.Rest(r, begun.Passages[:said:said])
				require.NoError(t, err, name)
				whole := recording.Script{Passages: append(begun.Passages[:said:said], rest...)}
				all++
				for _, f := range b.Check(whole) {
					require.Equal(t, brief.Words, f.Reason, "%s: %s", name, f)
					missed++
					t.Log(name, words(whole), size.low, size.high)
					require.GreaterOrEqual(t, words(whole), size.low-25, name)
					require.LessOrEqual(t, words(whole), size.high+25, name)
				}
			}
		}
	}
	t.Logf("%d of %d rests miss the range of words", missed, all)
	require.Less(t, missed*50, all, "fewer than one in fifty")
}

func words(s recording.Script) (n int) {
	for _, p := range s.Passages {
		n += brief.CountWords(p.Sentences)
	}
	return n
}

func TestARestNeedsRoom(t *testing.T) {
	t.Parallel()
	r := script.Request{
		Title: "x", TypeID: "anger", PracticeID: "zen", SizeID: "minimed", MinWords: 350, MaxWords: 380, Breaks: 17, PauseSeconds: 40,
		Affirmations: []string{"I can put this down for now.", "One thing at a time is enough.", "There is time for me in this day."},
	}
	whole, err := script.Compose(r)
	require.NoError(t, err)
	_, err = script.Rest(r, whole.Passages)
	require.ErrorIs(t, err, script.ErrRequest, "nothing is left to be written")
	_, err = script.Rest(r, []recording.Passage{{Sentences: []string{"Sit down."}, Pause: 39 * time.Second}})
	require.ErrorIs(t, err, script.ErrRequest, "no silence is left")
}
