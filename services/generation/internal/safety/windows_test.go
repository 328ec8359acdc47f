package safety

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A rule that is longer than what two windows share could lie across their edge and be seen by neither.
func TestEveryRuleFitsIntoWhatTwoWindowsShare(t *testing.T) {
	t.Parallel()
	r := rules()
	all := slices.Concat(r.rules, r.names)
	for _, idioms := range r.idioms {
		all = append(all, idioms...)
	}
	for _, rule := range all {
		words := 0
		for _, it := range rule.items {
			words += 1 + it.gap
		}
		require.LessOrEqual(t, words, window-stride, "line %d", rule.line)
	}
}

func TestAnyWordsThatFitIntoWhatTwoWindowsShareAreInsideOne(t *testing.T) {
	t.Parallel()
	const length = 3*window + 7
	words := make([]string, length)
	for i := range words {
		words[i] = fmt.Sprint(i)
	}
	for from := 0; from+window-stride <= length; from++ {
		seen := false
		for part := range windows(words) {
			at := slices.Index(part, words[from])
			seen = seen || at >= 0 && at+window-stride <= len(part)
		}
		require.True(t, seen, "from word %d", from)
	}
}

// One rune can be read as eighteen letters.
func TestNoMoreLettersAreReadThanTheLongestTitleHas(t *testing.T) {
	t.Parallel()
	require.Len(t, letters(strings.Repeat("ﷺ", 2000)), maxLetters)
	require.Len(t, letters(strings.Repeat("ﷺ", 320)), maxLetters, "all of one that can be kept")
}
