package flite

import (
	"context"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"serein.app/services/generation/internal/narration"
	"serein.app/services/generation/internal/recording"
	"serein.app/services/sound/mp3"
	"serein.app/services/testkit"
)

// longestScript of the fuzz test in bytes: an input costs a second of a core at most.
const longestScript = 120

// FuzzAnyScriptIsNarratedToItsEnd has the real synthesiser and the real encoder make recordings of any text. A soak
// gives it many more inputs than these.
func FuzzAnyScriptIsNarratedToItsEnd(f *testing.F) {
	for _, text := range []string{
		"Rest here.|And the hands.", "|/|", "静けさ 🌊 ', \x00\x1b[2J", "%s%n -o /etc/passwd/<speak>é</speak>", "1234567890123 a.b.c!?,,,--''", strings.Repeat("ß", 60),
	} {
		f.Add(text)
	}
	synthesiser := open(f)
	code, err := os.ReadFile(testkit.Part(f, "mp3.wasm"))
	require.NoError(f, err)
	codec, err := mp3.Open(f.Context(), code, "")
	require.NoError(f, err)
	f.Cleanup(func() { require.NoError(f, codec.Close(context.Background())) })
	recorder, err := narration.New(narration.Synthesisers{"flite": synthesiser}, codec, 2)
	require.NoError(f, err)
	f.Fuzz(func(t *testing.T, text string) {
		var script recording.Script
		for passage := range strings.SplitSeq(text[:min(len(text), longestScript)], "|") {
			script.Passages = append(script.Passages, recording.Passage{Sentences: strings.Split(passage, "/"), Pause: time.Second})
		}
		segments := 0
		require.NoError(t, recorder.Record(t.Context(), "maren", script, 0, 0, func(s recording.Segment, mp3 []byte) error {
			segments++
			require.NotEmpty(t, mp3)
			require.GreaterOrEqual(t, s.Duration, s.Silence)
			return nil
		}))
		require.Equal(t, recorder.Segments(script), segments)
	})
}
