package safety

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestRulesThatCannotBeReadAreRefused(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"a rule before the first section": "a b", "an unknown class": "== joy\na", "an unknown set": "== crisis\n@nobody",
		"a rule without words": "== crisis\n..",
	} {
		_, err := parse(text)
		require.Error(t, err, name)
	}
}

func TestAnIdiomHidesItsWordsAndNoOthers(t *testing.T) {
	t.Parallel()
	for title, class := range map[string]Class{
		"dying for a coffee": Ordinary, "dying for a coffee and I want to die": Crisis,
		"killing time": Ordinary, "killing time until I kill myself": Crisis,
		"hurt myself running": Pain, "running to hurt myself": Crisis,
	} {
		require.Equal(t, class, Classify(title).Class, title)
	}
}

func TestATitleMaySpeakOfSeveralThings(t *testing.T) {
	t.Parallel()
	found := Classify("Pregnant after a miscarriage")
	require.Equal(t, Grief, found.Class)
	require.Equal(t, "miscarriage", found.Topic)
	require.True(t, found.Speaks(Pregnancy))
	require.False(t, found.Speaks(Trauma))
	require.True(t, found.Sensitive())
	require.False(t, Classify("A quiet evening").Sensitive())
}

func TestACrisisLeadsWhateverElseWasFoundBefore(t *testing.T) {
	t.Parallel()
	for _, other := range Classes[1:] {
		f := Finding{Class: Ordinary}
		f.add(rule{rank: rank(other)})
		f.add(rule{rank: rank(Crisis)})
		f.add(rule{rank: rank(other)})
		require.Equal(t, Crisis, f.Class, other)
	}
}
