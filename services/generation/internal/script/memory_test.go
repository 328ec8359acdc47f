package script

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/services/generation/internal/recording"
	"serein.app/services/generation/internal/safety"
)

// Of k blocks of which n are spoken a day, none comes back within k/n days.
func TestAPoolIsUsedEvenly(t *testing.T) {
	t.Parallel()
	const blocks, aDay = 12, 3
	sheet := &sheet{stages: map[string][]*block{}}
	for i := range blocks {
		sheet.stages["turn"] = append(sheet.stages["turn"], &block{lines: []line{{text: fmt.Sprintf("Sentence %d.", i)}}})
	}
	past, last := [][]string{}, map[string]int{}
	for day := range 60 {
		d := &draft{
			lib: &library{known: map[string]bool{}}, rng: rand.New(rand.NewPCG(uint64(day), 1)), used: map[*block]bool{}, since: states{similesApart: true},
			names: strings.NewReplacer(),
		}
		d.memory = d.lib.remember(past[:min(len(past), 30)])
		d.run(part{aDay, aDay}).speak(sheet, "turn", aDay)
		require.NoError(t, d.err)
		spoken := []string{}
		for _, p := range d.passages {
			for _, s := range p.sentences() {
				if before, met := last[s]; met {
					require.GreaterOrEqual(t, day-before, blocks/aDay, s)
				}
				last[s], spoken = day, append(spoken, s)
			}
		}
		past = append([][]string{spoken}, past...)
	}
}

func TestASentenceWithATitleIsKnownAgain(t *testing.T) {
	t.Parallel()
	lib := &library{known: map[string]bool{"Here you are.": true}}
	m := lib.remember([][]string{{"Here you are."}, {"You called this: After the long meeting.", "Here you are."}, {"Hello, Amara."}})
	require.Equal(t, 0, m.age("Here you are."))
	require.Equal(t, 1, m.age("You called this: {title}."))
	require.Equal(t, 2, m.age("Hello, {name}."))
	require.Equal(t, never, m.age("These words, {title}, may rest."))
	require.Equal(t, never, m.age("There you are."))
	old := &block{lines: []line{{text: "Never spoken."}, {text: "You called this: {title}."}}}
	require.Equal(t, 1, m.block(old), "any of its sentences counts")
}

func TestTheSamePastGivesTheSameScriptAndAnotherPastAnother(t *testing.T) {
	t.Parallel()
	lib := fresh(t)
	r := ask(shapes[1], "gratitude", "tibetan", "Zebras", 3)
	first, err := lib.compose(r)
	require.NoError(t, err)
	r.Past = [][]string{spoken(first)}
	one, err := lib.compose(r)
	require.NoError(t, err)
	two, err := lib.compose(r)
	require.NoError(t, err)
	require.Equal(t, one, two)
	require.NotEqual(t, first, one)
}

// The catalogue's affirmations come first, then the type's other sets, and again when all were said.
func TestSetsOfAffirmationsTakeTurns(t *testing.T) {
	t.Parallel()
	lib := fresh(t)
	lib.types["anger"].stages["affirm"] = nil
	for i := range 3 {
		set := &block{}
		for j := range affirmationsPerType {
			set.lines = append(set.lines, line{text: fmt.Sprintf("I may say %s %s now.", []string{"one", "two", "three"}[i], []string{"here", "there", "softly"}[j])})
		}
		lib.types["anger"].stages["affirm"] = append(lib.types["anger"].stages["affirm"], set)
	}
	r := ask(shapes[0], "anger", "zen", "Zebras", 1)
	said := []string{}
	for day := range uint64(8) {
		r.Seed = day
		s, err := lib.compose(r)
		require.NoError(t, err)
		for _, set := range append(lib.types["anger"].stages["affirm"], &block{lines: []line{{text: r.Affirmations[0]}}}) {
			if slices.Contains(spoken(s), set.lines[0].text) {
				said = append(said, set.lines[0].text)
			}
		}
		r.Past = append([][]string{spoken(s)}, r.Past...)
	}
	require.Len(t, said, 8)
	require.Equal(t, r.Affirmations[0], said[0])
	require.Len(t, map[string]bool{said[0]: true, said[1]: true, said[2]: true, said[3]: true}, 4)
	require.Equal(t, said[:4], said[4:])
}

// A set that nobody has judged is not said to a title that needs care.
func TestASetThatIsNotKnownIsNotSaidToATitleThatNeedsCare(t *testing.T) {
	t.Parallel()
	lib := fresh(t)
	lib.types["anger"].stages["affirm"] = []*block{{lines: []line{{text: "I am glad."}, {text: "I am strong."}, {text: "I am rich."}}}}
	r := ask(shapes[0], "anger", "zen", "My father died last week", 1)
	r.Affirmations = []string{"My anger may speak without taking over.", "I can choose what I do next.", "I can be firm and be fair."}
	for day := range uint64(4) {
		r.Seed = day
		s, err := lib.compose(r)
		require.NoError(t, err)
		require.NotContains(t, spoken(s), "I am rich.")
		require.Contains(t, spoken(s), r.Affirmations[0])
		r.Past = append([][]string{spoken(s)}, r.Past...)
	}
}

// What a member who makes one Timeout a day with the same choices may know of the words: the share in a hundred, by the
// number of the meditation. Asked are under 10 at the fifth and under 35 at the twentieth.
var knownAtMost = map[int]float64{2: 1, 3: 2, 5: 10, 10: 18, 20: 35, 30: 85}

func TestADailyMemberIsToldMuchThatIsNew(t *testing.T) {
	t.Parallel()
	lib, err := words()
	require.NoError(t, err)
	known, members := map[int]float64{}, 0.0
	for i, practiceID := range sortedPractices(lib) {
		typeIDs := slices.Sorted(maps.Keys(lib.types))
		title := []string{"Zebras", "After the long meeting", "Flight to Rome"}[i%3]
		for n, share := range daily(t, lib, ask(shapes[2], typeIDs[i%len(typeIDs)], practiceID, title, 0), 30) {
			known[n] += share
		}
		members++
	}
	for _, n := range []int{2, 3, 5, 10, 20, 30} {
		share := 100 * known[n] / members
		t.Logf("#%d: %.1f%% of the words are known", n, share)
		require.LessOrEqual(t, share, knownAtMost[n], "#%d", n)
	}
}

// titlesOfCare has a title of each class that is met gently.
var titlesOfCare = map[safety.Class]string{
	safety.Trauma: "PTSD flashbacks", safety.Grief: "My father died last week", safety.Infertility: "Third round of IVF",
	safety.Pregnancy: "I am pregnant and cannot sleep", safety.Breath: "Asthma", safety.Illness: "I have cancer", safety.Pain: "My back hurts",
	safety.Breakup: "We broke up", safety.Hardship: "Eviction notice", safety.Shame: "I am so ashamed", safety.Lonely: "So lonely", safety.Heavy: "Blood",
}

// The same for a title of every class of care, of which a member may make one every day: the share in a hundred at the twentieth.
func TestADailyMemberInNeedOfCareIsToldSomethingNew(t *testing.T) {
	t.Parallel()
	lib, err := words()
	require.NoError(t, err)
	for class := range spares {
		title := titlesOfCare[class]
		require.Equal(t, class, safety.Classify(title).Class, title)
		known := daily(t, lib, ask(shapes[2], "anxiety-relief", "vipassana", title, 0), 20)
		t.Logf("%s: %.0f%% at #5, %.0f%% at #20", title, 100*known[5], 100*known[20])
		require.LessOrEqual(t, known[20], knownInCare, title)
	}
}

// knownInCare is what such a member may know at the twentieth, as a share of one.
const knownInCare = 0.9

// daily answers, for each meditation of a member who makes one a day, the share of its words that stand in sentences
// which the member has been told before.
func daily(t *testing.T, lib *library, r Request, days int) map[int]float64 {
	t.Helper()
	told, shares := map[string]bool{}, map[int]float64{}
	for day := 1; day <= days; day++ {
		r.Seed = uint64(day)
		s, err := lib.compose(r)
		require.NoError(t, err)
		shares[day] = share(s, told)
		for _, sentence := range spoken(s) {
			told[sentence] = true
		}
		r.Past = append([][]string{spoken(s)}, r.Past[:min(len(r.Past), 29)]...)
	}
	return shares
}

func share(s recording.Script, told map[string]bool) float64 {
	known := 0
	for _, sentence := range spoken(s) {
		if told[sentence] {
			known += WordCount(sentence)
		}
	}
	return float64(known) / float64(s.Words)
}
