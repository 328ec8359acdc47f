package postgres_test

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"serein.app/services/content/internal/reading"
)

// BenchmarkSearchInAListOfTwentyThousand measures a page and its total, and says the slowest in a hundred.
func BenchmarkSearchInAListOfTwentyThousand(b *testing.B) {
	h := setup(b)
	h.Library(b)
	h.Shelve(b, 20_000, 300)
	h.Vacuum(b)
	for name, words := range map[string][]string{
		"OneLetter": {"s"}, "ThreeLetters": {"s", "t", "a"}, "InHalf": {"half"}, "Seldom": {"seldom"}, "Oldest": {"oldest"}, "SeldomAndFrequent": {"s", "seldom"}, "Nowhere": {"zzz"},
	} {
		b.Run(name, func(b *testing.B) {
			var took []time.Duration
			for b.Loop() {
				begun := time.Now()
				_, _, _, err := h.Search(b.Context(), articlesIn(""), words, reading.First, 25)
				took = append(took, time.Since(begun))
				require.NoError(b, err)
			}
			slices.Sort(took)
			b.ReportMetric(float64(took[len(took)*99/100].Microseconds())/1000, "p99-ms")
		})
	}
}
