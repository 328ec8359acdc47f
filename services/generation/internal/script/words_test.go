package script

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/services/generation/internal/safety"
)

// every visits each line of Serein's words.
func every(t *testing.T, visit func(where string, b *block, l line)) {
	t.Helper()
	lib, err := words()
	require.NoError(t, err)
	lib.each(func(where string, b *block) {
		for _, l := range b.lines {
			visit(where, b, l)
		}
	})
}

func TestTheWordsAreMadeForASimpleVoice(t *testing.T) {
	t.Parallel()
	speakable := regexp.MustCompile(`^[A-Z{][A-Za-z ,:?'{}-]*[.?]$`)
	every(t, func(where string, _ *block, l line) {
		require.Regexp(t, speakable, l.text, where)
		require.LessOrEqual(t, WordCount(l.text), 30, "%s: %s", where, l.text)
	})
}

func TestNoSentenceIsWrittenTwice(t *testing.T) {
	t.Parallel()
	seen := map[string]string{}
	every(t, func(where string, _ *block, l line) {
		if where == "common/affirm/known" {
			return // those stand in the catalogue or in the types, and are only judged here
		}
		key := strings.ToLower(l.text)
		require.Empty(t, seen[key], "%s: %s", where, l.text)
		seen[key] = where
	})
}

func TestNothingUnsafeIsAsked(t *testing.T) {
	t.Parallel()
	unsafe := regexp.MustCompile(`(?i)hold (your|the) breath|medic(in|at)|cure[sd]?\b.*\b(you|pain)|heals?\b|doctor|must relax|empty your mind`)
	every(t, func(where string, _ *block, l line) { require.NotRegexp(t, unsafe, l.text, where) })
}

func TestMarksAreKnown(t *testing.T) {
	t.Parallel()
	tags := []string{
		"sleep", "waking", "lying", "seated", "open-eyes", "closed-eyes", "subject", "moment",
		lookOutward,
	}
	tags = append(tags, turnTags...)
	kinds := []string{busy}
	for class, spared := range spares {
		tags, kinds = append(tags, string(class)), append(kinds, spared...)
	}
	every(t, func(where string, b *block, l line) {
		for _, tag := range b.needs {
			if strings.HasPrefix(tag, atStation) {
				require.True(t, strings.HasPrefix(where, "practices/"), where) // and isPath knows which
				continue
			}
			require.Contains(t, tags, tag, where)
		}
		for _, kind := range b.kinds {
			require.Contains(t, kinds, kind, where)
		}
	})
}

func TestALineWithANameIsSaidOnlyWhereThereIsOne(t *testing.T) {
	t.Parallel()
	every(t, func(where string, b *block, l line) {
		for name, said := range map[string]bool{
			"{subject}": slices.Contains(b.needs, "subject"), "{moment}": slices.Contains(b.needs, "moment"), "{name}": where == "common/arrive/called",
		} {
			if strings.Contains(l.text, name) {
				require.True(t, said, "%s: %s", where, l.text)
			}
		}
	})
}

func TestEveryPlaceNamedExists(t *testing.T) {
	t.Parallel()
	lib, err := words()
	require.NoError(t, err)
	for _, sheets := range []map[string]*sheet{lib.types, lib.themes} {
		for id, s := range sheets {
			require.NotEmpty(t, s.images, id)
			for _, image := range s.images {
				require.Contains(t, lib.images, image, id)
			}
		}
	}
}

func TestAWordBelongsToOneTheme(t *testing.T) {
	t.Parallel()
	lib, err := words()
	require.NoError(t, err)
	owner := map[string]string{}
	for id, s := range lib.themes {
		for _, word := range s.keywords {
			require.Empty(t, owner[word], "%s is in %s too", word, id)
			owner[word] = id
		}
	}
}

func TestTitlesAreRecognised(t *testing.T) {
	t.Parallel()
	lib, err := words()
	require.NoError(t, err)
	for title, theme := range map[string]string{
		"After the long meeting": "work", "Can't sleep": "sleep", "EXAM tomorrow": "study", "Grief for Nan": "grief",
		"My father died last week": "grief", "Miscarriage": "miscarriage", "PTSD": "trauma", "I am pregnant": "pregnancy",
		"Mum has dementia": "carer", "Anorexia": "eating", "30 days sober": "addiction", "So depressed": "low", "Waiting for my biopsy": "illness",
		"Lost my keys": "", "missing the bus": "", "dying for a coffee": "morning", "single origin coffee": "morning",
		"train my puppy": "pets", "the train home": "travel", "row of beans": "",
		"Slow morning": "morning", "Flight to Rome": "flying", "My mum": "family", "Bad back": "pain", "So angry": "anger",
		"IVF": "infertility", "Asthma": "breath", "We broke up": "breakup", "So ashamed": "shame", "eviction notice": "hardship", "So lonely": "lonely",
		"Letting go": "ending", "Zebras": "", "": "", "deadlines!": "work",
		"Night shift": "work", "Night": "sleep",
		"Diwali": "celebration", "Eid": "celebration", "Hanukkah": "celebration", "Holi": "celebration", "Vesak": "faith", "Easter": "faith", "Passover": "faith",
		"New glasses": "body", "Chess": "joy", "Weeding": "nature", "Fishing": "quiet", "Badminton": "sport", "Food": "", "Slimming club": "eating",
	} {
		found := append(lib.themesOf(title, safety.Classify(title)), "")
		require.Equal(t, theme, found[0], title)
	}
}

// What asks for time has it: a block that asks to wait, or to do something a few times over, marks its silence.
func TestWhatAsksForTimeSaysSo(t *testing.T) {
	t.Parallel()
	takes := regexp.MustCompile(`(?i)\bnext three\b|attending altogether for a minute|^Wait (beside|there)\b|for one round|^for a few breaths, mark|stay (there )?for a moment|a breath or two goes by`)
	every(t, func(where string, b *block, l line) {
		if takes.MatchString(l.text) {
			require.True(t, b.asks(), "%s: %s", where, l.text)
		}
	})
}
