package studio

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/services/platform/errs"
)

func TestAScriptsFaultNamesItsLine(t *testing.T) {
	t.Parallel()
	for script, line := range map[string]string{
		"One.\n\n[pause 61]\n\nTwo.":  "Line 3: “[pause 61]”",
		"[pause 0] One.":              "Line 1: “[pause 0]”",
		"One.\n[pause]":               "Line 2: “[pause]”",
		"One.\n[Pause 8]":             "Line 2: “[Pause 8]”",
		"One.\n[break 8] [pause 8]":   "Line 2: “[break 8]”",
		"One.\nTwo [pause 8":          "Line 2: “[pause 8”",
		"One.\nTwo pause 8]":          "Line 2: “]”",
		"One [pause -1] two.":         "Line 1: “[pause -1]”",
		"One [pause 8 seconds] two.":  "Line 1: “[pause 8 seconds]”",
		"One [pause 2.5] two.":        "Line 1: “[pause 2.5]”",
		"One [pause 1e1] two.":        "Line 1: “[pause 1e1]”",
		"One [[pause 8]] two, [sigh]": "Line 1: “[[pause 8]”",
	} {
		err := checkScript(script)
		require.ErrorIs(t, err, ErrScriptInvalid, script)
		require.Contains(t, errs.From(err).Public, line, script)
		require.Equal(t, "script", errs.From(err).Field)
	}
	for _, script := range []string{"", "  \n", "[pause 8]", "[pause 8] [pause 9]\n"} {
		require.ErrorIs(t, checkScript(script), ErrScriptRequired, script)
	}
	for _, script := range []string{"One.", "One. [pause 1] Two.\n\n[pause 60]\n\n[pause 25] Three."} {
		require.NoError(t, checkScript(script))
	}
}

func TestThePreviewSaysWhatComesBeforeTheFirstPause(t *testing.T) {
	t.Parallel()
	require.Equal(t, []string{"Here you are.", "Good."}, firstPassage("Here you are.\n Good.\n\n[pause 8]\n\nNot this."))
	require.Equal(t, []string{"Begin."}, firstPassage("[pause 6]\n\nBegin. [pause 4]"))
	said := firstPassage(strings.Repeat("Six words stand in this sentence. ", 100))
	require.Len(t, said, maxPassage/len("Six words stand in this sentence. "))
}

// Brackets are links in an article, and marks are not said.
func TestThePreviewOfAnArticleSaysWhatItsNarrationBeginsWith(t *testing.T) {
	t.Parallel()
	said, err := Preview{
		Article: true, Title: " Three  Columns ", Text: "## A *start*\n\nRead [this](https://example.org) first.\nThen **that**.\n\nNot this.",
	}.beginning()
	require.NoError(t, err)
	require.Equal(t, []string{"Three Columns", "A start", "Read this first.", "Then that."}, said)
	said, err = Preview{Article: true, Text: "- One thing.\n- Another.\n\nNot this."}.beginning()
	require.NoError(t, err)
	require.Equal(t, []string{"One thing.", "Another."}, said)
	said, err = Preview{Article: true, Title: "Long", Text: strings.Repeat("Six words stand in this sentence. ", 100)}.beginning()
	require.NoError(t, err)
	require.LessOrEqual(t, len(strings.Join(said, " ")), maxPassage)
	for _, text := range []string{"", " \n", "![a picture](https://example.org/a.png)"} {
		_, err = Preview{Article: true, Title: "Nothing", Text: text}.beginning()
		require.ErrorIs(t, err, ErrScriptRequired, text)
	}
	_, err = Preview{Text: "Read [this](https://example.org)."}.beginning()
	require.ErrorIs(t, err, ErrScriptInvalid, "in a meditation")
}

func TestAnAddressIsMadeOfATitle(t *testing.T) {
	t.Parallel()
	for title, slug := range map[string]string{
		"Café at Three, Again!": "cafe-at-three-again", "The Kettle’s Song": "the-kettles-song", "静か": "untitled", "—": "untitled",
		strings.Repeat("ab ", 60): strings.TrimSuffix(strings.Repeat("ab-", 27), "-")[:80],
	} {
		require.Equal(t, slug, slugOf(title), title)
	}
}
