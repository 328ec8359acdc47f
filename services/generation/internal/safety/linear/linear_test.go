package linear_test

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/services/generation/internal/safety/linear"
)

// words of a text, each with itself as its stem and with its first letter as its sense.
func words(text string) (all []linear.Word) {
	for word := range strings.FieldsSeq(text) {
		all = append(all, linear.Word{Text: word, Stem: word, Senses: []string{word[:1]}})
	}
	return all
}

func examples() (all []linear.Example) {
	for class, texts := range [][]string{
		{"red apple", "green apple", "ripe red plum", "sweet plum"}, {"fast car", "slow lorry", "fast old lorry", "new car"},
	} {
		for _, text := range texts {
			all = append(all, linear.Example{Words: words(text), Class: class})
		}
	}
	return all
}

func TestWhatWasLearntAndWhatIsLikeItIsKnown(t *testing.T) {
	t.Parallel()
	m, err := linear.Open(linear.Train(examples(), 2), 2)
	require.NoError(t, err)
	for text, class := range map[string]int{"red apple": 0, "new car": 1, "green plums": 0, "old lorries": 1} {
		chances := m.Chances(words(text))
		require.Greater(t, chances[class], float32(0.5), text)
		require.InDelta(t, 1, chances[0]+chances[1], 1e-6)
	}
	require.Len(t, m.Chances(nil), 2, "a text without words has chances too")
}

func TestTrainingGivesTheSameBytesInWhicheverOrder(t *testing.T) {
	t.Parallel()
	other := examples()
	slices.Reverse(other)
	require.Equal(t, linear.Train(examples(), 2), linear.Train(other, 2))
}

// A machine that computes otherwise than the one on which the sum was taken fails here.
func TestTrainingGivesTheSameBytesOnEveryMachine(t *testing.T) {
	t.Parallel()
	sum := sha256.Sum256(linear.Train(examples(), 2))
	require.Equal(t, "7b3788b12e53b6a994a248d536a4d78b615f74c1be09299c629d1cf1525d3ca1", hex.EncodeToString(sum[:]))
}

func TestWeightsOfAnotherSizeAreRefused(t *testing.T) {
	t.Parallel()
	_, err := linear.Open(make([]byte, 7), 2)
	require.ErrorIs(t, err, linear.ErrFormat)
	_, err = linear.Open(nil, 0)
	require.ErrorIs(t, err, linear.ErrFormat)
}
