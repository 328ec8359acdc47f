package script

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/services/generation/internal/safety"
)

// What no sentence that a class can meet may say. The check leaves out the theme that was written for the class.
const (
	insideBody = `\bchest\b|\bbelly\b|\bpelvis|\bnavel|\bwomb|\bribs\b`
	families   = `\bchild\b|\bchildren\b|\bbaby\b|\bborn\b|\bcradle|\bmother|\bfather|\bfamily|sprout|\bseeds?\b|\bbuds?\b`
	breathing  = `\bbreaths?\b|\bbreathe|\bbreathing|nostril|\blungs?\b`
	sayings    = `will pass\b|will have an end|being rehearsed|wrong about that|years? from now`
	together   = `\bfriends?\b|who love you|you loved|to laugh with|easy company|not alone in|dear one|\ba face\b`
	blame      = `mistake|sorry still|short with|a younger you|harsh with`
	riches     = `\brich\b|\bbread\b|\bsupper\b|\bprize\b|more than I can count|\bgrateful\b|thankful`
	glee       = `applause|laugh until|be glad|I can count|glad of`
)

var neverTo = map[safety.Class]string{
	safety.Trauma:      insideBody + "|" + sayings + "|" + glee,
	safety.Heavy:       insideBody + "|" + sayings + "|" + glee,
	safety.Grief:       families + "|" + sayings + "|" + glee,
	safety.Infertility: insideBody + "|" + families + "|" + sayings + "|" + glee + `|\bbody\b`,
	safety.Pregnancy:   sayings + `|\bbelly\b|\bpelvis|on your back|flatter`,
	safety.Breath:      breathing + "|" + insideBody + "|" + sayings,
	safety.Illness:     sayings + `|healthy|mending|I can count`,
	safety.Pain:        sayings + `|flatter|\btight\b|tightness|I can count`,
	safety.Breakup:     together + "|" + sayings + "|" + glee,
	safety.Hardship:    riches + "|" + sayings + "|" + glee,
	safety.Shame:       blame + "|" + sayings + "|" + glee,
	safety.Lonely:      together + "|" + sayings + "|" + glee,
}

// writtenFor says whether the block was written for the class: it needs the class's tag.
func writtenFor(b *block, class safety.Class) bool {
	return slices.Contains(b.needs, string(class))
}

// Every class beside every block of the frame, the practices, the types and the pictures, and beside every
// affirmation of the catalogue that the words know.
func TestNoClassMeetsWhatItMustNotBeTold(t *testing.T) {
	t.Parallel()
	for class := range spares {
		require.NotEmpty(t, neverTo[class], class)
		never := regexp.MustCompile("(?i)" + neverTo[class])
		every(t, func(where string, b *block, l line) {
			meets := !slices.ContainsFunc(b.kinds, func(kind string) bool { return slices.Contains(spares[class], kind) }) &&
				!slices.ContainsFunc(b.needs, func(tag string) bool {
					return spares[safety.Class(tag)] != nil && safety.Class(tag) != class ||
						tag == lookOutward && !slices.Contains(outward, class) || tag == "closed-eyes" && slices.Contains(outward, class)
				})
			if meets && !writtenFor(b, class) && !strings.HasPrefix(where, "themes/") {
				require.NotRegexp(t, never, l.text, "%s: %s", class, where)
			}
		})
	}
}

func TestEveryKindOfBlockIsSparedSomebody(t *testing.T) {
	t.Parallel()
	spared := map[string]bool{busy: true}
	for _, kinds := range spares {
		for _, kind := range kinds {
			spared[kind] = true
		}
	}
	every(t, func(where string, b *block, _ line) {
		for _, kind := range b.kinds {
			require.True(t, spared[kind], "%s: %s", where, kind)
		}
	})
}

func TestEveryClassThatIsMetGentlyHasWordsOfItsOwn(t *testing.T) {
	t.Parallel()
	lib, err := words()
	require.NoError(t, err)
	for _, class := range safety.Classes {
		if class == safety.Crisis || class == safety.Ordinary {
			continue
		}
		require.NotEmpty(t, spares[class], class)
		require.Contains(t, lib.themes, string(class))
		require.NotEmpty(t, lib.themes[string(class)].stages["open"], class)
		require.NotEmpty(t, lib.themes[string(class)].stages["turn"], class)
	}
}
