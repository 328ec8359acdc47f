package script_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/services/generation/internal/recording"
	"serein.app/services/generation/internal/script"
)

var update = flag.Bool("update", false, "write the golden scripts again; then read them")

// An editor reads these scripts: after a change of the words the golden files show how the sentences sound together.
func TestScriptsReadAsTheyDidWhenAnEditorReadThem(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ title, typeID, practiceID, sizeID string }{
		{"After the long meeting", "stress-relief", "mbsr", "reset"},
		{"Night before the exam", "better-sleep", "yogic", "timeout"},
		{"Missing my dad", "compassion", "zen", "minimed"},
		{"PTSD flashbacks", "anxiety-relief", "vipassana", "reset"},
		{"I am pregnant and cannot sleep", "better-sleep", "mbsr", "minimed"},
	} {
		r := request(c.typeID, c.practiceID, c.sizeID)
		r.Title, r.Seed = c.title, 20261121
		s, err := script.Compose(r)
		require.NoError(t, err)
		golden := filepath.Join("testdata", c.typeID+"."+c.practiceID+"."+c.sizeID+".txt")
		if *update {
			require.NoError(t, os.WriteFile(golden, []byte(readable(r, s)), 0o600))
		}
		want, err := os.ReadFile(golden)
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
