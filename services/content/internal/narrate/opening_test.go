package narrate_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"serein.app/services/content/internal/narrate"
)

// parts are what editors write beneath each other, whole or cut short.
var parts = []string{
	"It is *dark*, and you are **awake**. You know the `time`.\nStill the same paragraph!",
	"# A heading", "## ‘Look at the clock’", "Set with a line\n===", "Let the evening come. [pause 3] And stay.", "[pause 8]",
	"See [our page](https://serein.example/a?b=1), or [another][one].", "[one]: https://serein.example", "![A picture](x.png)",
	"- First one.\n- Second one.\n\n  It goes on.", "1. One.\n2. Two.", "> Said by somebody.\n>\n> ## And headed.", "---", "…",
	"```\ncode is not said\n```", "```\nnever closed", "    indented", "<script>alert(1)</script>", "<b>Bold</b> to some.", "**never closed",
	strings.Repeat("One of many. ", 120),
}

// What an admin hears before an article is made is how its narration begins, whatever the text.
func TestAnArticlesOpeningIsHowItsNarrationBegins(t *testing.T) {
	t.Parallel()
	all := scripts(t)
	rapid.Check(t, func(rt *rapid.T) {
		title := rapid.SampledFrom([]string{"On rain", "Rain? Yes. Rain!", "[pause 3]", "*Early*", "…"}).Draw(rt, "title")
		body := strings.Join(rapid.SliceOfN(rapid.SampledFrom(parts), 0, 8).Draw(rt, "parts"), rapid.SampledFrom([]string{"\n\n", "\n"}).Draw(rt, "between"))
		immersive := rapid.Bool().Draw(rt, "immersive")

		var narrated []string
		for _, p := range all.Of(published("article", map[string]any{"title": title, "body": body, "immersive": immersive}), "en-GB").Passages {
			narrated = append(narrated, p.Sentences...)
		}
		opening := narrate.Opening(title, body)
		require.LessOrEqual(rt, len(opening), len(narrated), body)
		require.True(rt, slices.Equal(narrated[:len(opening)], opening), "%q begins otherwise than %q: %s", narrated, opening, body)
		if title != "…" {
			require.NotEmpty(rt, opening, "the title is said")
		}
	})
}

func TestAnArticlesOpeningEndsWithTheFirstPartThatIsNoHeading(t *testing.T) {
	t.Parallel()
	for body, opening := range map[string][]string{
		"It falls. It stays.\n\nMore.":                               {"On rain", "It falls.", "It stays."},
		"## Early\n\n### Earlier\n\nIt falls.\n\n## Late":            {"On rain", "Early", "Earlier", "It falls."},
		"![A picture](x.png)\n\n---\n\n- First.\n- Second.\n\nMore.": {"On rain", "First.", "Second."},
		"[pause 8]\n\nIt falls.\n\nMore.":                            {"On rain", "It falls."},
		"":                                                           {"On rain"},
	} {
		require.Equal(t, opening, narrate.Opening("On rain", body), body)
	}
}
