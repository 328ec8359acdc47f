package linear_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/services/generation/internal/safety/linear"
)

func examples() (all []linear.Example) {
	for class, texts := range [][]string{
		{"red apple", "green apple", "ripe red plum", "sweet plum"}, {"fast car", "slow lorry", "fast old lorry", "new car"},
	} {
		for _, text := range texts {
			all = append(all, linear.Example{Words: strings.Fields(text), Class: class})
		}
	}
	return all
}

func TestWhatWasLearntAndWhatIsLikeItIsKnown(t *testing.T) {
	t.Parallel()
	m, err := linear.Open(linear.Train(examples(), 2), 2)
	require.NoError(t, err)
	for text, class := range map[string]int{"red apple": 0, "new car": 1, "green plums": 0, "old lorries": 1} {
		scores := m.Scores(strings.Fields(text))
		require.Greater(t, scores[class], scores[1-class], text)
	}
	require.Equal(t, []float64{0, 0}, m.Scores(nil))
}

func TestTrainingGivesTheSameBytesInWhicheverOrder(t *testing.T) {
	t.Parallel()
	other := examples()
	slices.Reverse(other)
	require.Equal(t, linear.Train(examples(), 2), linear.Train(other, 2))
}

func TestWeightsOfAnotherSizeAreRefused(t *testing.T) {
	t.Parallel()
	_, err := linear.Open(make([]byte, 7), 2)
	require.ErrorIs(t, err, linear.ErrFormat)
	_, err = linear.Open(nil, 0)
	require.ErrorIs(t, err, linear.ErrFormat)
}
