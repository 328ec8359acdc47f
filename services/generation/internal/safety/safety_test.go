package safety_test

import (
	"embed"
	"io/fs"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"serein.app/services/generation/internal/safety"
	"serein.app/services/generation/internal/safety/labelled"
)

// The labelled titles, one a line: label, tab, title. Rules are written from those in written, the classifier
// learns from those and from those in learnt, and neither sees those in heldout. README.md in testdata says
// where they come from.
//
//go:embed testdata
var testdata embed.FS

// read gives the titles of a part.
func read(tb testing.TB, part string) []labelled.Title {
	tb.Helper()
	files, err := fs.Sub(testdata, "testdata/"+part)
	require.NoError(tb, err)
	all, err := labelled.Read(files)
	require.NoError(tb, err)
	require.NotEmpty(tb, all)
	return all
}

// score counts titles by their label, and those that are taken for something else. A title of several classes is
// recognised if one of them is its label. An ordinary title in the net is not wrong: it is made, only not quoted.
func score(set []labelled.Title, wrongly func(l labelled.Title, got safety.Class)) (of, wrong map[safety.Class]int) {
	of, wrong = map[safety.Class]int{}, map[safety.Class]int{}
	for _, l := range set {
		of[l.Class]++
		got := safety.Classify(l.Text)
		right := got.Speaks(l.Class) || l.Class == safety.Ordinary && got.Class == safety.Heavy
		if !right {
			wrong[l.Class]++
			wrongly(l, got.Class)
		}
	}
	return of, wrong
}

func TestNoCrisisIsMissedAndFewOrdinaryTitlesAreTakenForAnything(t *testing.T) {
	t.Parallel()
	set := read(t, "written")
	of, wrong := score(set, func(l labelled.Title, got safety.Class) { t.Logf("%-9s taken for %-9s %s", l.Class, got, l.Text) })
	t.Logf("%d titles %v, wrong %v", len(set), of, wrong)
	require.Zero(t, wrong[safety.Crisis], "of %d", of[safety.Crisis])
	for _, class := range safety.Classes {
		if class == safety.Heavy {
			continue // no title is labelled so: what a heavy title means is not known
		}
		require.NotZero(t, of[class], class)
		require.Less(t, 50*wrong[class], of[class], "%s: 2 in a hundred", class)
	}
}

func TestFewOrdinaryTitlesFallIntoTheNet(t *testing.T) {
	t.Parallel()
	of, heavy := map[string]int{}, map[string]int{}
	for _, l := range read(t, "written") {
		of[l.Label]++
		if safety.Classify(l.Text).Class == safety.Heavy {
			heavy[l.Label]++
		}
	}
	const ordinary = string(safety.Ordinary)
	t.Logf("in the net: %d of %d ordinary, %d of %d traps", heavy[ordinary], of[ordinary], heavy[labelled.Trap], of[labelled.Trap])
	require.Less(t, 100*heavy[ordinary], 5*of[ordinary], "5 in a hundred")
}

func TestAWordThatMayMeanDangerIsNeverQuoted(t *testing.T) {
	t.Parallel()
	for _, title := range []string{"Pills", "The bridge at midnight", "Goodbye forever", "Rest in peace", "Knives", "Gone by tomorrow", "Everything is pointless"} {
		require.True(t, safety.Classify(title).Sensitive(), title)
	}
	for title, class := range map[string]safety.Class{
		"Looking at the pills": safety.Crisis, "Pills": safety.Heavy, "Letting go": safety.Ordinary, "Cut the grass": safety.Ordinary,
		"My father died": safety.Grief,
	} {
		require.Equal(t, class, safety.Classify(title).Class, title)
	}
	const uncovered = "Cut the grass with pills"
	require.Equal(t, safety.Heavy, safety.ClassifyBy(uncovered, ordinaryTo(t, uncovered)).Class, "a word of danger beside an idiom")
	require.False(t, safety.Classify("My father died").Speaks(safety.Heavy), "a closer class says what the word means")
}

func TestATitleInDoubtIsOfNoClassAndNotQuoted(t *testing.T) {
	t.Parallel()
	for title, quotable := range map[string]bool{
		"The night before everything": false, "After the long meeting": true, "Slow Sunday": true, "Tea in the garden": true,
	} {
		found := safety.Classify(title)
		require.Equal(t, safety.Ordinary, found.Class, title)
		require.False(t, found.Sensitive(), title)
		require.Equal(t, quotable, found.Quotable(), title)
	}
	for _, title := range []string{"Pills", "My father died", "I want to die"} {
		require.False(t, safety.Classify(title).Quotable(), title)
	}
}

func TestTheSetIsHalfOrdinaryWithManyTraps(t *testing.T) {
	t.Parallel()
	set, seen, traps, ordinary := slices.Concat(read(t, "written"), read(t, "heldout")), map[string]bool{}, 0, 0
	require.GreaterOrEqual(t, len(set), 400)
	for _, l := range set {
		if l.File != "independent.tsv" { // its author saw no other title
			require.False(t, seen[l.Text], "twice: %s", l.Text)
			seen[l.Text] = true
		}
		if l.Class == safety.Ordinary {
			ordinary++
		}
		if l.Label == labelled.Trap {
			traps++
		}
	}
	require.GreaterOrEqual(t, 100*ordinary, 45*len(set))
	require.GreaterOrEqual(t, traps, 60)
}

func FuzzAnyTitleIsReadWithoutFault(f *testing.F) {
	f.Add(strings.Repeat("want ", 500))
	f.Add("\xff k.m.s 1!1!1 ❤\u200d🔥")
	for _, l := range read(f, "written") {
		f.Add(l.Text)
	}
	f.Fuzz(func(t *testing.T, title string) {
		found := safety.Classify(title)
		require.Contains(t, safety.Classes, found.Class)
		require.True(t, found.Speaks(found.Class))
		if utf8.ValidString(title) {
			require.Equal(t, found.Class, safety.Classify("  "+title+" ").Class)
			require.Equal(t, safety.Crisis, safety.Classify(title+". I want to kill myself").Class, "%q", title)
		}
	})
}

func BenchmarkHostile(b *testing.B) {
	for name, title := range map[string]string{
		"letters": strings.Repeat("x", 2000), "spelled": strings.Repeat("i ", 1000), "signs": strings.Repeat("k!ll ", 400),
		"phrases": strings.Repeat("killmysel ", 200), "words": strings.Repeat("want ", 400), "marks": strings.Repeat("*1", 1000),
		"ligatures": strings.Repeat("ﷺ", 2000),
	} {
		b.Run(name, func(b *testing.B) {
			for range b.N {
				safety.Classify(title)
			}
		})
	}
}

func BenchmarkClassify(b *testing.B) {
	set := read(b, "written")
	for i := range b.N {
		safety.Classify(set[i%len(set)].Text)
	}
}

// Markup and code are typed by people who try the form out. A crisis in them is found all the same.
func TestMarkupAndCodeAreOrdinary(t *testing.T) {
	t.Parallel()
	for _, title := range []string{"<img src=x onerror=alert(1)>", "<img src=y onload=alert(document.domain)>", `"><script>alert('xss')</script>`, "<svg/onload=fetch('//x')>", "'; DELETE FROM users; --"} {
		require.Equal(t, safety.Ordinary, safety.Classify(title).Class, title)
	}
	for _, title := range []string{"<b>I want to die</b>", "onerror=alert I want to end it"} {
		require.Equal(t, safety.Crisis, safety.Classify(title).Class, title)
	}
}
