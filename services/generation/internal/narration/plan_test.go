package narration

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"serein.app/services/generation/internal/recording"
)

func TestAPlanKeepsEverySentenceAndEveryPause(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		passages := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) recording.Passage {
			return recording.Passage{
				Sentences: rapid.SliceOfN(rapid.StringMatching(`[a-z]{1,5}`), 1, 12).Draw(t, "sentences"),
				Common:    rapid.SliceOfN(rapid.Bool(), 0, 14).Draw(t, "common"),
				Pause:     time.Duration(rapid.IntRange(1, 20).Draw(t, "pause")) * time.Second,
			}
		}), 1, 8).Draw(t, "passages")
		parts := plan(passages)
		require.Equal(t, len(parts), (&Recorder{}).Segments(recording.Script{Passages: passages}))
		require.Len(t, parts[0].Sentences, 1)
		for _, p := range passages {
			var said []string
			for len(said) < len(p.Sentences) {
				require.LessOrEqual(t, len(parts[0].Sentences), maxSentences)
				for i := range parts[0].Sentences {
					require.Equal(t, p.IsCommon(len(said)+i), parts[0].IsCommon(i))
				}
				said = append(said, parts[0].Sentences...)
				want := sentenceGap
				if len(said) == len(p.Sentences) {
					want = p.Pause
				}
				require.Equal(t, want, parts[0].Pause)
				parts = parts[1:]
			}
			require.Equal(t, p.Sentences, said)
		}
		require.Empty(t, parts)
	})
}

func TestALongSentenceIsSpokenInPieces(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`([a-zé’]{1,12}[,;]? ){0,80}[a-z]{1,250}`).Draw(t, "text")
		pieces := split(text)
		for _, p := range pieces {
			require.LessOrEqual(t, len(p), longest+utf8.UTFMax)
			require.True(t, utf8.ValidString(p))
		}
		require.Equal(t, strings.ReplaceAll(text, " ", ""), strings.ReplaceAll(strings.Join(pieces, ""), " ", ""))
	})
	require.Equal(t, []string{"Breathe in."}, split(" Breathe in. "))
}
