package safety_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/services/generation/internal/safety"
	"serein.app/services/generation/internal/safety/linear"
)

// ordinaryTo is a classifier to which these titles are ordinary.
func ordinaryTo(t *testing.T, titles ...string) *linear.Model {
	t.Helper()
	return sureOf(t, safety.Ordinary, titles...)
}

// sureOf is a classifier to which these titles are of a class.
func sureOf(t *testing.T, class safety.Class, titles ...string) *linear.Model {
	t.Helper()
	const times = 20
	var all []linear.Example
	for _, title := range titles {
		all = append(all, linear.Example{Words: safety.Legible(title), Class: slices.Index(safety.Learnt, class)})
	}
	return trained(t, slices.Repeat(all, times))
}

func TestTheClassifierTakesNothingBackFromCertainRules(t *testing.T) {
	t.Parallel()
	for title, class := range map[string]safety.Class{
		"I want to die": safety.Crisis, "suicide": safety.Crisis, "he raped me": safety.Crisis, "overdosed on cake and pills": safety.Crisis,
		"My feet are killing me": safety.Pain, "assaulted on my way home": safety.Crisis, "I was assaulted": safety.Crisis, "assaulted by two men": safety.Crisis,
	} {
		require.Equal(t, class, safety.ClassifyBy(title, ordinaryTo(t, title)).Class, title)
	}
}

func TestWhatWeakRulesFindFallsIntoTheNetWhereTheTitleSeemsOrdinary(t *testing.T) {
	t.Parallel()
	for _, title := range []string{"Evict a spider", "A virus scan", "Funeral of a sock", "Assaulted by the smell of bins"} {
		found := safety.ClassifyBy(title, ordinaryTo(t, title))
		require.Equal(t, safety.Heavy, found.Class, title)
		require.False(t, found.Quotable(), title)
		long := title + strings.Repeat(" and more of it", 6)
		require.NotEqual(t, safety.Heavy, safety.ClassifyBy(long, ordinaryTo(t, long)).Class, "in a long title the rules alone count: %s", long)
	}
}

func TestAWeakRuleOfCrisisGivesWayToAClassThatIsMetGently(t *testing.T) {
	t.Parallel()
	for title, class := range map[string]safety.Class{
		"flashbacks of the assault": safety.Trauma, "flashbacks of the assault and pills": safety.Crisis, "flashbacks of my rape and I want to die": safety.Crisis,
	} {
		require.Equal(t, class, safety.ClassifyBy(title, sureOf(t, safety.Trauma, title)).Class, title)
	}
}

func TestWordsOfAClassAreOnlySureWhereItLeadsOrARuleFindsIt(t *testing.T) {
	t.Parallel()
	const title = "that letter from the clinic"
	words, both := safety.Legible(title), []linear.Example(nil)
	for _, class := range []safety.Class{safety.Infertility, safety.Illness} {
		both = append(both, linear.Example{Words: words, Class: slices.Index(safety.Learnt, class)})
	}
	found := safety.ClassifyBy(title, trained(t, both))
	require.True(t, found.Speaks(safety.Infertility))
	require.True(t, found.Speaks(safety.Illness))
	require.NotEqual(t, found.Sure(safety.Infertility), found.Sure(safety.Illness), "the likelier one leads")
	require.True(t, found.Sure(found.Class))
}
