package safety_test

import (
	"crypto/sha256"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/services/generation/internal/safety"
	"serein.app/services/generation/internal/safety/labelled"
)

// kind of a title, for figures: a crisis, one to be met gently, an ordinary one or a trap.
func kind(l labelled.Title) string {
	if l.Class == safety.Crisis || l.Class == safety.Ordinary {
		return l.Label
	}
	return "gentle"
}

// figures of titles, by kind: how many, how many of them are not what they are labelled, and how many
// stand where they must not be or need not be: a title that needs care is quoted, an ordinary one is not.
type figures struct{ of, wrong, quoted map[string]int }

func judge(set []labelled.Title) figures {
	f := figures{map[string]int{}, map[string]int{}, map[string]int{}}
	for _, l := range set {
		got, k := safety.Classify(l.Text), kind(l)
		f.of[k]++
		if !got.Speaks(l.Class) && (l.Class != safety.Ordinary || got.Class != safety.Heavy) {
			f.wrong[k]++
		}
		if (l.Class == safety.Ordinary) == got.Sensitive() {
			f.quoted[k]++
		}
	}
	return f
}

// share of a count in a hundred of the kind's titles.
func (f figures) share(counts map[string]int, kind string) float64 {
	return 100 * float64(counts[kind]) / float64(max(f.of[kind], 1))
}

// Neither a rule nor the classifier has seen these titles. The test holds what is reached, which is less
// than what is wanted: README.md in testdata says both. It shows figures and no titles.
func TestTitlesThatNothingWasWrittenOrLearntFromAreRecognised(t *testing.T) {
	t.Parallel()
	set := read(t, "heldout")
	byFile := map[string][]labelled.Title{"": set}
	for _, l := range set {
		byFile[l.File] = append(byFile[l.File], l)
	}
	for file, titles := range byFile {
		f := judge(titles)
		for k, of := range f.of {
			t.Logf("%-14s %-9s %4d: wrong %5.1f %%, quoted or needlessly not %5.1f %%", file, k, of, f.share(f.wrong, k), f.share(f.quoted, k))
		}
	}
	f := judge(set)
	require.LessOrEqual(t, f.share(f.wrong, "crisis"), 10.0)
	require.LessOrEqual(t, f.share(f.quoted, "crisis"), 3.5)
	require.LessOrEqual(t, f.share(f.wrong, "gentle"), 38.0)
	require.LessOrEqual(t, f.share(f.quoted, "gentle"), 10.0)
	require.LessOrEqual(t, f.share(f.wrong, labelled.Trap), 33.0)
	require.LessOrEqual(t, f.share(f.wrong, string(safety.Ordinary)), 12.0)
}

// heldOutByHash is the rule by which a fifth of the titles in care.tsv is held out.
func heldOutByHash(title string) bool {
	const parts = 5
	return sha256.Sum256([]byte(title))[0]%parts == 0
}

func TestNoTitleIsMovedFromOnePartToTheOther(t *testing.T) {
	t.Parallel()
	for part, held := range map[string]bool{"written": false, "heldout": true} {
		for _, l := range read(t, part) {
			if l.File == "care.tsv" {
				require.Equal(t, held, heldOutByHash(l.Text), "%s: %s", part, l.Text)
			}
		}
	}
	for _, l := range read(t, "written") {
		require.NotEqual(t, "shapes.tsv", l.File, "titles of other shapes are all held out")
	}
}

func TestEveryClassIsAmongTheTitlesOfBothParts(t *testing.T) {
	t.Parallel()
	const least = 20
	for _, part := range []string{"written", "heldout"} {
		of := map[safety.Class]int{}
		for _, l := range read(t, part) {
			of[l.Class]++
		}
		for _, class := range safety.Learnt() {
			require.GreaterOrEqual(t, of[class], least, "%s: %s", part, class)
		}
	}
}

func TestTheClassifierTakesNothingBackFromTheRules(t *testing.T) {
	t.Parallel()
	calm := strings.Repeat("a quiet evening with tea and a good book by the window ", 5)
	for _, title := range []string{"I want to die", "suicide", "he beats me", "my mum died", "I am pregnant", "my back hurts", "two week wait", "food bank"} {
		alone := safety.Classify(title)
		require.True(t, alone.Sensitive(), title)
		for _, around := range []string{calm + title, title + " " + calm} {
			require.True(t, safety.Classify(around).Speaks(alone.Class), around)
		}
	}
}

func TestACrisisIsFoundWhereverInALongTitleItStands(t *testing.T) {
	t.Parallel()
	const longest = 150
	for before := range longest {
		title := strings.Repeat("ab ", before) + "I want to go to sleep and never ever wake up again" + strings.Repeat(" ab", longest-before)
		require.Equal(t, safety.Crisis, safety.Classify(title).Class, "%d words before", before)
	}
}

// What hurts in opposite ways is never one class.
func TestWhatHurtsInOppositeWaysIsToldApart(t *testing.T) {
	t.Parallel()
	for title, class := range map[string]safety.Class{
		"Infertility": safety.Infertility, "IVF round two": safety.Infertility, "Trying to conceive": safety.Infertility,
		"Pregnant": safety.Pregnancy, "Braxton Hicks": safety.Pregnancy, "Asthma": safety.Breath, "COPD": safety.Breath, "panic attack": safety.Breath,
		"We broke up": safety.Breakup, "I am so lonely": safety.Lonely, "I'm so ashamed": safety.Shame, "eviction notice": safety.Hardship,
	} {
		found := safety.Classify(title)
		require.Equal(t, class, found.Class, title)
		require.True(t, found.Sensitive(), title)
	}
	require.False(t, safety.Classify("IVF round two").Speaks(safety.Pregnancy))
	require.False(t, safety.Classify("Pregnant").Speaks(safety.Infertility))
}
