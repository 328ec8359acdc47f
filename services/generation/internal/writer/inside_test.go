package writer_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/services/generation/internal/script"
	"serein.app/services/generation/internal/writer"
	"serein.app/services/testkit"
)

// whoLeaves makes a Writer whose model is outside Serein.
func whoLeaves(t *testing.T, m writer.Model, c *counts, leaves bool) *writer.Writer {
	t.Helper()
	return writer.New(writer.Ports{
		Outside: writer.NewOutside(m, patient), BuiltIn: script.Composer{}, Budget: c, Metrics: c, Log: testkit.Logger(t), Leaves: leaves,
	})
}

func TestWhatIsKeptInsideIsWrittenByOneWhoDoesNotLeave(t *testing.T) {
	t.Parallel()
	for _, leaves := range []bool{true, false} {
		m, c := ordered("A walk by the canal"), newCounts()
		m.KeepInside = true
		model := &standIn{turns: []turn{{text: text(good(t, m))}}}
		s, err := whoLeaves(t, model, c, leaves).Write(t.Context(), m)
		require.NoError(t, err)
		if leaves {
			require.Empty(t, model.asked)
			require.Equal(t, sentences(builtIn(t, m)), sentences(s))
			continue
		}
		require.Len(t, model.asked, 1, "a model in the cluster is inside")
	}
}

func TestWhatIsKeptInsideIsNotStreamedFromAModelOutside(t *testing.T) {
	t.Parallel()
	for _, leaves := range []bool{true, false} {
		w := whoLeaves(t, &standIn{}, newCounts(), leaves)
		w.Streamed = true
		m := ordered("A walk by the canal")
		require.True(t, w.Streams(m))
		m.KeepInside = true
		require.Equal(t, !leaves, w.Streams(m))
	}
}

func TestASentenceOfAMeditationThatWasKeptInsideIsNotShownToAModelOutside(t *testing.T) {
	t.Parallel()
	for _, leaves := range []bool{true, false} {
		m := ordered("A walk by the canal")
		m.Past, m.Tellable = [][]string{{"The secret garden is near."}, {"The lake is still."}}, [][]string{{"The lake is still."}}
		model := &standIn{turns: []turn{{}}}
		_, err := whoLeaves(t, model, newCounts(), leaves).Write(t.Context(), m)
		require.NoError(t, err)
		require.Contains(t, model.asked[0].Turns[0], "lake is still")
		if leaves {
			require.NotContains(t, model.asked[0].Turns[0], "secret garden")
		} else {
			require.Contains(t, model.asked[0].Turns[0], "secret garden")
		}
	}
}
