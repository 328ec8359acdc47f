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
)

// The labelled titles, one a line: label, tab, title. Rules are written from those in written; no
// rule may be written from those in heldout. README.md in testdata says where they come from.
//
//go:embed testdata
var testdata embed.FS

// trap labels ordinary titles made of words that elsewhere name pain or danger.
const trap = "trap"

type labelled struct {
	label string
	class safety.Class
	title string
}

// read gives the titles of a part; a title of the class ordinary may be labelled a trap.
func read(tb testing.TB, part string) (all []labelled) {
	tb.Helper()
	files, err := fs.Glob(testdata, "testdata/"+part+"/*.tsv")
	require.NoError(tb, err)
	require.NotEmpty(tb, files)
	for _, file := range files {
		set, err := testdata.ReadFile(file)
		require.NoError(tb, err)
		for line := range strings.Lines(string(set)) {
			label, title, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
			require.True(tb, ok, line)
			class := safety.Class(label)
			if label == trap {
				class = safety.Ordinary
			}
			require.Contains(tb, safety.Classes, class, line)
			all = append(all, labelled{label, class, title})
		}
	}
	return all
}

// score counts. An ordinary title in the net is not wrong: it is made, only not quoted.
func score(set []labelled, wrongly func(l labelled, got safety.Class)) (of, wrong map[safety.Class]int) {
	of, wrong = map[safety.Class]int{}, map[safety.Class]int{}
	for _, l := range set {
		of[l.class]++
		got := safety.Classify(l.title).Class
		if got != l.class && (l.class != safety.Ordinary || got != safety.Heavy) {
			wrong[l.class]++
			wrongly(l, got)
		}
	}
	return of, wrong
}

func TestNoCrisisIsMissedAndFewOrdinaryTitlesAreTakenForAnything(t *testing.T) {
	t.Parallel()
	set := read(t, "written")
	of, wrong := score(set, func(l labelled, got safety.Class) { t.Logf("%-9s taken for %-9s %s", l.class, got, l.title) })
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

// TestTitlesThatNoRuleWasWrittenFromAreRecognised holds what is reached, which is less than what is
// wanted; README.md of the service says both. It shows figures and no titles.
func TestTitlesThatNoRuleWasWrittenFromAreRecognised(t *testing.T) {
	t.Parallel()
	set, quoted := read(t, "heldout"), 0
	of, wrong := score(set, func(l labelled, got safety.Class) {
		if l.class == safety.Crisis && got == safety.Ordinary {
			quoted++
		}
	})
	net := slices.DeleteFunc(slices.Clone(set), func(l labelled) bool {
		return l.class != safety.Ordinary || safety.Classify(l.title).Class != safety.Heavy
	})
	t.Logf("%d titles %v, wrong %v, crisis titles that may be quoted %d, ordinary ones in the net %d", len(set), of, wrong, quoted, len(net))
	require.Less(t, 100*wrong[safety.Crisis], 10*of[safety.Crisis], "10 in a hundred crisis titles missed")
	require.Less(t, 100*wrong[safety.Ordinary], 10*of[safety.Ordinary], "10 in a hundred ordinary titles taken for something")
	require.Less(t, 100*quoted, 3*of[safety.Crisis], "3 in a hundred crisis titles quoted")
}

func TestFewOrdinaryTitlesFallIntoTheNet(t *testing.T) {
	t.Parallel()
	of, heavy := map[string]int{}, map[string]int{}
	for _, l := range read(t, "written") {
		of[l.label]++
		if safety.Classify(l.title).Class == safety.Heavy {
			heavy[l.label]++
		}
	}
	const ordinary = string(safety.Ordinary)
	t.Logf("in the net: %d of %d ordinary, %d of %d traps", heavy[ordinary], of[ordinary], heavy[trap], of[trap])
	require.Less(t, 100*heavy[ordinary], 5*of[ordinary], "5 in a hundred")
}

func TestAWordThatMayMeanDangerIsNeverQuoted(t *testing.T) {
	t.Parallel()
	for _, title := range []string{"Pills", "The bridge at midnight", "Goodbye forever", "Rest in peace", "Knives", "Gone by tomorrow", "Everything is pointless"} {
		require.True(t, safety.Classify(title).Sensitive(), title)
	}
	for title, class := range map[string]safety.Class{
		"Looking at the pills": safety.Heavy, "Letting go": safety.Ordinary, "Cut the grass": safety.Ordinary,
		"Cut the grass with pills": safety.Heavy, "My father died": safety.Grief,
	} {
		require.Equal(t, class, safety.Classify(title).Class, title)
	}
	require.False(t, safety.Classify("My father died").Speaks(safety.Heavy), "a closer class says what the word means")
}

func TestTheSetIsHalfOrdinaryWithManyTraps(t *testing.T) {
	t.Parallel()
	set, seen, traps, ordinary := slices.Concat(read(t, "written"), read(t, "heldout")), map[string]bool{}, 0, 0
	require.GreaterOrEqual(t, len(set), 400)
	for _, l := range set {
		require.False(t, seen[l.title], "twice: %s", l.title)
		seen[l.title] = true
		if l.class == safety.Ordinary {
			ordinary++
		}
		if l.label == trap {
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
		f.Add(l.title)
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
		safety.Classify(set[i%len(set)].title)
	}
}
