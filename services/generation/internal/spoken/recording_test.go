package spoken_test

import (
	"bytes"
	"context"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"serein.app/services/generation/internal/flite"
	"serein.app/services/generation/internal/narration"
	"serein.app/services/generation/internal/recording"
	"serein.app/services/generation/internal/spoken"
	"serein.app/services/sound/mp3"
	"serein.app/services/testkit"
)

// The real synthesiser and the real encoder make a recording without the store, with an empty one, and out of a full one.
func TestARecordingIsTheSameToTheByteWithTheStoreAndWithoutIt(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	synthesiser, err := flite.Open(t.Context(), part(t, "flite.wasm"), "")
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, synthesiser.Close(context.Background())) })
	codec, err := mp3.Open(t.Context(), part(t, "mp3.wasm"), "")
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, codec.Close(context.Background())) })
	script := recording.Script{Passages: recording.ByNoMember([]recording.Passage{
		{Sentences: []string{"Welcome.", "Let your shoulders soften, and breathe in slowly, all the way down.", "Rest."}, Pause: 2 * time.Second},
		{Sentences: []string{"There is nothing to fix."}, Pause: 1500 * time.Millisecond},
	})}
	record := func(voice narration.Synthesiser, narrator string) []byte {
		var whole bytes.Buffer
		recorder, err := narration.New(narration.Synthesisers{"flite": voice}, codec, 2)
		require.NoError(t, err)
		err = recorder.Record(t.Context(), narrator, script, 0, 0, func(_ recording.Segment, mp3 []byte) error {
			_, err := whole.Write(mp3)
			return err
		})
		require.NoError(t, err)
		return whole.Bytes()
	}
	real := func(ports *spoken.Ports) { ports.Synthesiser = synthesiser }
	for i, narrator := range []string{"isla", "tomas"} {
		without := record(synthesiser, narrator)
		empty := s.open(plenty, real)
		require.Equal(t, without, record(empty, narrator), narrator)
		require.Zero(t, empty.hits, "narrators do not share sentences")
		s.kept(4 * (i + 1))
		full := s.open(plenty, real)
		require.Equal(t, without, record(full, narrator), narrator)
		require.Equal(t, 4, full.hits)
		require.Empty(t, full.misses)
	}
}

func part(tb testing.TB, name string) []byte {
	tb.Helper()
	code, err := os.ReadFile(testkit.Part(tb, name))
	require.NoError(tb, err)
	return code
}
