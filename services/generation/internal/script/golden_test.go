package script_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/services/generation/internal/recording"
	"serein.app/services/generation/internal/script"
)

var update = flag.Bool("update", false, "write the golden scripts again; then read them")

// golden is a request whose script is kept as a file.
type golden struct{ title, typeID, practiceID, sizeID string }

// chosen are scripts that an editor wants to see after each change.
var chosen = []golden{
	{"After the long meeting", "stress-relief", "mbsr", "reset"},
	{"Night before the exam", "better-sleep", "yogic", "timeout"},
	{"Missing my dad", "compassion", "zen", "minimed"},
	{"PTSD flashbacks", "anxiety-relief", "vipassana", "reset"},
	{"I am pregnant and cannot sleep", "better-sleep", "mbsr", "minimed"},
}

// drawn are twenty more, drawn by a seed, so that no editor chooses what is read.
func drawn() (all []golden) {
	titles := []string{
		"My driving test", "Up since four", "New puppy", "Rain on the tent", "Letting go of my list", "First day at the new job", "So angry with my boss",
		"Sunday evening", "Can't stop scrolling", "A walk by the sea", "Not good enough", "Before my wedding", "Our house move", "Flight to Rome", "Quiet",
		"Empty nest", "Training for the marathon", "Mum has dementia", "We broke up", "Waiting for the results", "Washing-up", "Snow", "My dissertation", "Turning fifty",
	}
	rng := rand.New(rand.NewPCG(20261130, 34))
	for range 20 {
		all = append(all, golden{
			titles[rng.IntN(len(titles))], types[rng.IntN(len(types))], practices[rng.IntN(len(practices))], sizes[rng.IntN(len(sizes))],
		})
	}
	return all
}

// An editor reads these scripts: after a change of the words the golden files show how the sentences sound together.
func TestScriptsReadAsTheyDidWhenAnEditorReadThem(t *testing.T) {
	t.Parallel()
	for i, c := range append(slices.Clone(chosen), drawn()...) {
		r := request(c.typeID, c.practiceID, c.sizeID)
		r.Title, r.Seed = c.title, 20261121
		s, err := script.Compose(r)
		require.NoError(t, err)
		file := filepath.Join("testdata", "scripts", fmt.Sprintf("%02d.%s.%s.%s.txt", i+1, c.typeID, c.practiceID, c.sizeID))
		if *update {
			require.NoError(t, os.WriteFile(file, []byte(readable(r, s)), 0o600))
		}
		want, err := os.ReadFile(file)
		require.NoError(t, err)
		require.Equal(t, string(want), readable(r, s), "run with -update, then read it")
	}
}

func readable(r script.Request, s recording.Script) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n%s, %s, %s: %d words, %d silences, %s in all\n\n",
		r.Title, r.TypeID, r.PracticeID, r.SizeID, s.Words, len(s.Passages), silence(s))
	for _, p := range s.Passages {
		fmt.Fprintf(&b, "%s\n    (%s)\n", strings.Join(p.Sentences, "\n"), p.Pause)
	}
	return b.String()
}
