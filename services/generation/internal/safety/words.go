package safety

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

const (
	// maxWords of a title are read, its beginning and end counted; a title of 80 letters has 42 at most.
	maxWords = 64
	// start and end stand for the edges of the title in rules.
	start, end = "^", "$"
)

// apostrophes as people type them, and what stands for them.
var apostrophes = strings.NewReplacer("’", "'", "‘", "'", "`", "'", "´", "'", "ʼ", "'", "′", "'", "‛", "'", "＇", "'", "&#39;", "'", "&apos;", "'")

// unmark takes apostrophes and invisible marks out of words: "don't" is "dont". What would be
// another word without them is written out.
var unmark = strings.NewReplacer("'ll", " will", "'re", " are", "'ve", " have", "'LL", " will", "'RE", " are", "'VE", " have", "'", "",
	"\u00ad", "", "\u200b", "", "\u200c", "", "\u200d", "", "\u2060", "", "\ufeff", "")

// lookalikes are letters of other scripts that look Latin.
var lookalikes = map[rune]rune{
	'а': 'a', 'е': 'e', 'і': 'i', 'ї': 'i', 'о': 'o', 'р': 'p', 'с': 'c', 'у': 'y', 'х': 'x', 'ѕ': 's', 'к': 'k',
	'м': 'm', 'т': 't', 'н': 'h', 'ԁ': 'd', 'ɑ': 'a', 'ı': 'i', 'ł': 'l', 'ø': 'o', 'ο': 'o', 'α': 'a', 'ε': 'e', 'ι': 'i', 'κ': 'k',
}

// digits as they stand for letters inside a word.
var digits = map[rune]rune{'0': 'o', '1': 'i', '3': 'e', '4': 'a', '5': 's', '7': 't', '@': 'a', '$': 's', '!': 'i', '€': 'e'}

// words are the title's words as rules have them, between start and end.
func words(title string) []string {
	split := strings.FieldsFunc(plain(title), unicode.IsSpace)
	return append(append([]string{start}, limit(rewrite(joinLetters(split)), maxWords-2)...), end)
}

func limit(words []string, n int) []string { return words[:min(len(words), n)] }

// plain has small bare letters, spaces, and digits where they stand alone.
func plain(title string) string {
	folded := strings.ToLower(norm.NFKD.String(unmark.Replace(apostrophes.Replace(title))))
	letters := make([]rune, 0, len(folded))
	for _, r := range folded {
		if like, ok := lookalikes[r]; ok {
			r = like
		}
		if !unicode.Is(unicode.Mn, r) {
			letters = append(letters, r)
		}
	}
	var b strings.Builder
	for i, r := range letters {
		switch letter, ok := digits[r]; {
		case unicode.IsLetter(r):
			b.WriteRune(r)
		case ok && insideWord(letters, i):
			b.WriteRune(letter)
		case unicode.IsDigit(r):
			b.WriteRune(r)
		case r == '*' || r == '#': // "su*cide" is a letter short
		default:
			b.WriteByte(' ')
		}
	}
	return b.String()
}

// insideWord says whether a digit stands for a letter: a letter is on its left and, behind any
// further digits, one on its right, or two letters follow it at the beginning of a word.
func insideWord(letters []rune, i int) bool {
	is := func(at int) bool { return at >= 0 && at < len(letters) && unicode.IsLetter(letters[at]) }
	stands := func(at int) bool {
		if at < 0 || at >= len(letters) {
			return false
		}
		_, ok := digits[letters[at]]
		return ok || is(at)
	}
	if is(i-1) || i > 0 && stands(i-1) && is(i-2) {
		return stands(i+1) && (is(i+1) || is(i+2)) || letters[i] != '!' && is(i-2) && !stands(i+1)
	}
	return is(i+1) && is(i+2) && is(i+3) && !unicode.IsSpace(letters[i])
}

// joinLetters puts together what was spelled out, "k m s", from three single letters on.
func joinLetters(words []string) []string {
	var joined []string
	for i := 0; i < len(words); {
		n := i
		for n < len(words) && len(words[n]) == 1 {
			n++
		}
		if n-i < 3 {
			n = i + 1
		}
		joined = append(joined, strings.Join(words[i:n], ""))
		i = n
	}
	return joined
}

// pairs are two words that rules have as one.
var pairs = map[string]string{
	"do not": "dont", "does not": "doesnt", "did not": "didnt", "can not": "cant", "could not": "couldnt", "will not": "wont",
	"would not": "wouldnt", "is not": "isnt", "was not": "wasnt", "were not": "werent", "are not": "arent", "should not": "shouldnt",
	"don t": "dont", "doesn t": "doesnt", "didn t": "didnt", "can t": "cant", "couldn t": "couldnt", "won t": "wont", "isn t": "isnt",
	"wouldn t": "wouldnt", "wasn t": "wasnt", "weren t": "werent", "shouldn t": "shouldnt", "i m": "im", "i am": "im", "i d": "id", "i ll": "ill",
	"want to": "wanna", "wants to": "wanna", "wanted to": "wanna", "wanting to": "wanna", "wish to": "wanna", "like to": "wanna", "love to": "wanna", "want too": "wanna", "want 2": "wanna", "wan na": "wanna", "wont to": "wont",
	"going to": "gonna", "gon na": "gonna", "my self": "myself", "me self": "myself", "him self": "himself", "her self": "herself",
	"them selves": "themselves", "your self": "yourself", "any more": "anymore", "any longer": "anymore", "no more": "anymore", "no longer": "anymore", "no one": "noone", "any one": "anyone", "some one": "someone", "every one": "everyone",
	"un alive": "unalive", "over dose": "overdose", "over dosed": "overdose",
}

// fillers change nothing of what is said.
var fillers = map[string]bool{
	"just": true, "really": true, "rly": true, "even": true, "honestly": true, "actually": true, "literally": true,
	"truly": true, "simply": true, "totally": true, "completely": true, "fucking": true, "bloody": true, "seriously": true, "basically": true,
	"kinda": true, "sorta": true, "sometimes": true, "constantly": true, "quite": true,
}

// rewrite drops fillers, squeezes doubled letters, so that "kil" is "kill", puts slips of the
// fingers right and joins pairs.
func rewrite(words []string) []string {
	out := make([]string, 0, len(words))
	for _, w := range words {
		if fillers[w] {
			continue
		}
		w = spelled(squeeze(w))
		if n := len(out); n > 0 {
			if one, ok := joined()[out[n-1]+" "+w]; ok {
				out[n-1] = one
				continue
			}
		}
		if w == "canot" {
			w = "cant"
		}
		out = append(out, w)
	}
	return out
}

// squeeze makes one letter of a run of equal ones.
func squeeze(word string) string {
	var b strings.Builder
	last := rune(-1)
	for _, r := range word {
		if r != last {
			b.WriteRune(r)
		}
		last = r
	}
	return b.String()
}
