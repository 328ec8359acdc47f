package search

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func folded(text string) (all []string) {
	for _, w := range Words(text) {
		all = append(all, w.Folded)
	}
	return all
}

func TestWordsAreComparedWithoutCaseAccentsAndApostrophes(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][]string{
		"Awake at THREE":          {"awake", "at", "three"},
		"Café, naïve—Ünïcode":     {"cafe", "naive", "unicode"},
		"don’t 'quote' rock'n'":   {"dont", "quote", "rockn"},
		"Straße, Łódź and Ærø":    {"strasse", "lodz", "and", "aero"},
		"10 breaths, 4-7-8":       {"10", "breaths", "4", "7", "8"},
		"e\u0301tude":             {"etude"},
		"🙂 🧘‍♀️ … !":              nil,
		"ﬁnd ＡＢ":                  {"find", "ab"},
		"тишина И покой":          {"тишина", "и", "покои"},
		strings.Repeat("é", 1000): {strings.Repeat("e", longest)},
	} {
		require.Equal(t, want, folded(text), text)
	}
}

func TestAWordKnowsItsPlaceInTheText(t *testing.T) {
	t.Parallel()
	const text = "Ünder the café’s roof"
	for _, w := range Words(text) {
		require.Equal(t, w.Folded, folded(text[w.Start:w.End])[0])
	}
	require.Equal(t, "café’s", text[Words(text)[2].Start:Words(text)[2].End])
}

func TestAWordAndAMistypedOneShareASpelling(t *testing.T) {
	t.Parallel()
	for _, word := range []string{"calm", "sleep", "breathing", "тишина"} {
		for _, typed := range mistyped(word) {
			require.True(t, near(word, typed), "%s %s", word, typed)
			shared := false
			for _, a := range Spellings(word) {
				for _, b := range spellings(typed) {
					shared = shared || a == b
				}
			}
			require.True(t, shared, "%s %s", word, typed)
		}
	}
	for _, pair := range [][2]string{{"calm", "clams"}, {"sleep", "seeps"}, {"abcd", "bcda"}, {"abcd", "abcdef"}, {"rest", "tser"}, {"calm", "calm"}} {
		require.False(t, near(pair[0], pair[1]), "%v", pair)
		require.False(t, near(pair[1], pair[0]), "%v", pair)
	}
	require.Empty(t, Spellings("cat"), "a short word with an error may be any other")
}

// mistyped are all words one typing error away, with one letter for all that may stand for another.
func mistyped(word string) (all []string) {
	letters := []rune(word)
	for i := range letters {
		rest := string(letters[i+1:])
		all = append(all, string(letters[:i])+rest, string(letters[:i])+"q"+rest, string(letters[:i+1])+string(letters[i:]), string(letters[:i])+"q"+string(letters[i:]))
		if i > 0 && letters[i-1] != letters[i] {
			all = append(all, string(letters[:i-1])+string([]rune{letters[i], letters[i-1]})+rest)
		}
	}
	return all
}

func TestASetIsKeptAsItIs(t *testing.T) {
	t.Parallel()
	for _, every := range []int64{1, 3, 1000} {
		set, again := Set{}, Set{}
		for n := int64(5); n < 40_000; n += every {
			set.Add(n)
		}
		for _, at := range set.Blocks() {
			data := set.Encode(at)
			require.LessOrEqual(t, len(data), blockFull)
			again.Decode(at, data)
		}
		require.Equal(t, set, again)
		highest := set.below(first.Number, 3)
		require.Equal(t, []int64{highest[0], highest[0] - every, highest[0] - 2*every}, highest)
		set.Remove(highest[0])
		require.Equal(t, again.count()-1, set.count())
		require.Equal(t, []int64{5}, set.below(6, 10))
	}
	empty := Set{}
	empty.Add(1)
	empty.Remove(1)
	require.Empty(t, empty.Encode(0))
	require.Empty(t, empty.Blocks())
}

func text(pieces []Piece) (all string, marked []string) {
	for _, p := range pieces {
		all += p.Text
		if p.Matched {
			marked = append(marked, p.Text)
		}
	}
	return all, marked
}

func TestPiecesAreTheWholeTextWithWhatWasLookedForMarked(t *testing.T) {
	t.Parallel()
	const title = "Café <b>by</b> the café: a CAFETIÈRE"
	all, marked := text(pieces(title, parse("cafe")))
	require.Equal(t, title, all)
	require.Equal(t, []string{"Café", "café", "CAFETIÈRE"}, marked)
	_, marked = text(pieces(title, parse("cafe the")))
	require.Equal(t, []string{"Café", "the", "café"}, marked, "only the last word may be unfinished")
}

func TestAnExcerptIsCutAtWordsAroundTheFirstThatWasLookedFor(t *testing.T) {
	t.Parallel()
	body := strings.Repeat("quiet water under the bridge ", 30) + "a heron stands " + strings.Repeat("and the reeds bend slowly ", 30)
	all, marked := text(excerpt(body, parse("heron")))
	require.Equal(t, []string{"heron"}, marked)
	require.True(t, strings.HasPrefix(all, "…") && strings.HasSuffix(all, "…"), all)
	require.Contains(t, body, strings.Trim(all, "…"))
	for _, w := range folded(all) {
		require.Contains(t, folded(body), w, "no word is cut")
	}
	require.LessOrEqual(t, len(all), excerptSize+2*len(ellipsis))
	all, _ = text(excerpt(body, parse("elsewhere")))
	require.True(t, strings.HasPrefix(all, "quiet water"), all)
	all, _ = text(excerpt(strings.Repeat("é", 1000), nil))
	require.Contains(t, all, "é")
	require.Empty(t, excerpt("", parse("heron")))
}
