package script

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestALineHasOthersOfItsOwnStage(t *testing.T) {
	t.Parallel()
	const line, more = "Feet can be asked to do nothing, and they are good at it.", "Let them be as far away as they are."
	o, err := Another(Place{Title: "x", Passage: []string{"Before.", line, more, "After."}, At: 2, Inner: true})
	require.NoError(t, err)
	require.Equal(t, []int{1, 2}, []int{o.First, o.Count}, "the thought is replaced as a whole")
	require.NotEmpty(t, o.Instead)
	lib, err := words()
	require.NoError(t, err)
	settle := map[string]bool{}
	for _, b := range lib.common["settle"].stages["settle"] {
		settle[b.lines[0].text] = true
	}
	for _, thought := range o.Instead {
		require.True(t, settle[thought[0]], thought[0])
		require.NotEqual(t, line, thought[0])
	}
}

// What stands in the place of a line may be said wherever the line was: it needs nothing of the scene, and is about nothing, that the line did not.
func TestWhatStandsInThePlaceOfALineNeedsNoMoreThanTheLine(t *testing.T) {
	t.Parallel()
	for text, at := range placesByText() {
		o, err := Another(Place{Title: "Sore back, bad day", Immersive: true, Passage: []string{text}, At: 0, Inner: true})
		require.NoError(t, err)
		require.Equal(t, []int{0, 1}, []int{o.First, o.Count})
		for _, thought := range o.Instead {
			other := placesByText()[thought[0]]
			require.Equal(t, at.where, other.where, text)
			require.Subset(t, at.block.needs, other.block.needs, text)
			require.Subset(t, at.block.kinds, other.block.kinds, text)
			require.False(t, other.block.hears || other.block.asks() || other.block.holdsNames(), thought[0])
		}
	}
}

func TestALineOfSomebodyElsesGetsOneForEverybodyInTheMiddleAlone(t *testing.T) {
	t.Parallel()
	p := Place{Title: "x", Passage: []string{"A sentence that a model wrote."}, Inner: true}
	o, err := Another(p)
	require.NoError(t, err)
	require.NotEmpty(t, o.Instead)
	for _, thought := range o.Instead {
		require.Len(t, thought, 1)
	}
	p.Inner = false
	o, err = Another(p)
	require.NoError(t, err)
	require.Empty(t, o.Instead, "what greets and what says farewell stays")
}
