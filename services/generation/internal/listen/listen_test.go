package listen_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"serein.app/services/generation/internal/listen"
	"serein.app/services/generation/internal/meditation"
	"serein.app/services/generation/internal/narration"
	"serein.app/services/generation/internal/narration/narrationtest"
	"serein.app/services/generation/internal/recording"
	"serein.app/services/sound/mp3"
	"serein.app/services/testkit"
	"serein.app/services/testkit/repository"
)

// words writes three sentences and two silences.
type words struct{}

func (words) Write(context.Context, meditation.Meditation) (recording.Script, error) {
	return recording.Script{Words: 9, Passages: []recording.Passage{
		{Sentences: []string{"Here we are again.", "All is well."}, Pause: 2 * time.Second},
		{Sentences: []string{"Good night."}, Pause: time.Second},
	}}, nil
}

func TestPagePlaysThisRunBesideTheEarlierOne(t *testing.T) {
	t.Parallel()
	code, err := os.ReadFile(testkit.Part(t, "mp3.wasm"))
	require.NoError(t, err)
	codec, err := mp3.Open(t.Context(), code, "")
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, codec.Close(context.Background())) })
	recorder, err := narration.New(narration.Synthesisers{"flite": narrationtest.Hum{}}, codec, 1)
	require.NoError(t, err)
	var told []listen.Made
	studio := listen.Studio{
		Writer: words{}, Recorder: recorder, Made: func(m listen.Made) { told = append(told, m) },
	}
	pieces := []listen.Piece{{
		Narrator: recording.Narrator{ID: "maren", Name: "Maren"}, Type: listen.Type{ID: "anger", Name: "Anger <1>"},
		Practice: "zen", Size: listen.Size{ID: "minimed", Name: "MiniMed"},
	}}
	before, now := filepath.Join(t.TempDir(), "before"), filepath.Join(t.TempDir(), "now")
	require.NoError(t, studio.Run(t.Context(), pieces, before, ""))
	require.NotContains(t, read(t, before, "index.html"), "<th>Before</th>")
	require.NoError(t, studio.Run(t.Context(), pieces, now, before))

	require.Len(t, told, 2)
	made := told[0]
	require.Equal(t, made, told[1], "the same product, the same recording")
	require.InDelta(t, -19, made.Loudness, 3)
	require.Less(t, made.TruePeak, -1.0)
	require.Greater(t, made.Length, 3.9)
	require.InDelta(t, 191, made.Pitch, 3, "200 Hz, brought down with the formants of Maren")
	require.Less(t, made.PitchDeviation, 0.3)
	require.Equal(t, []any{9, 2, 3.0, 2.0}, []any{made.Words, made.Silences, made.Silence, made.LongestPause})
	require.Equal(t, read(t, before, made.File), read(t, now, made.File))
	page := read(t, now, "index.html")
	require.Contains(t, page, "pitch 191 Hz")
	require.Equal(t, 2, strings.Count(page, "<audio"))
	require.Contains(t, page, `src="maren.anger.minimed.mp3"`)
	relative, err := filepath.Rel(now, before)
	require.NoError(t, err)
	require.Contains(t, page, `src="`+filepath.ToSlash(relative)+`/maren.anger.minimed.mp3"`)
	require.Contains(t, page, "Anger &lt;1&gt;")

	require.ErrorContains(t, studio.Run(t.Context(), pieces, now, now), "not with itself")
	require.ErrorIs(t, studio.Run(t.Context(), pieces, now, t.TempDir()), os.ErrNotExist)
}

func read(t *testing.T, folder, file string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(folder, file))
	require.NoError(t, err)
	return string(data)
}

func TestEveryNarratorReadsEveryTypeAndEverySize(t *testing.T) {
	t.Parallel()
	root, err := repository.Root()
	require.NoError(t, err)
	c, err := listen.ReadCatalogue(filepath.Join(root, "services", "content", "internal", "catalogue"))
	require.NoError(t, err)
	recorder, err := narration.New(narration.Synthesisers{"flite": narrationtest.Hum{}}, nil, 1)
	require.NoError(t, err)
	narrators := recorder.Narrators()
	pieces := listen.Pieces(c, narrators)
	files, sizes := map[string]bool{}, map[string]int{}
	for _, p := range pieces {
		files[p.File()] = true
		sizes[p.Size.ID]++
		require.NotZero(t, p.Size.MinWords)
		require.NotEmpty(t, p.Type.Affirmations)
	}
	require.Len(t, files, len(pieces))
	require.Equal(t, map[string]int{
		"minimed": len(narrators) * len(c.Types), "reset": len(narrators), "timeout": len(narrators),
	}, sizes)
}
