package safety

import (
	"iter"
	"strings"
)

const (
	// window is how many words are read at once, and stride how far the next window begins behind it:
	// no rule is longer than what two share.
	window, stride = 64, 44
	// start and end stand for the edges of the title in rules.
	start, end = "^", "$"
)

// words are the title's words as rules have them, between start and end. Before the start stand
// those that were found in letters run together.
func words(title string) []string {
	read := tokens(letters(title))
	out := rewrite(runTogether(read))
	out = append(out, start)
	out = append(out, rewrite(joinLetters(read))...)
	return append(out, end)
}

// windows of words, each as long as can be read at once.
func windows(words []string) iter.Seq[[]string] {
	return func(yield func([]string) bool) {
		for len(words) > window {
			if !yield(words[:window]) {
				return
			}
			words = words[stride:]
		}
		yield(words)
	}
}

// maxSpelled letters of one run of single letters are put together.
const maxSpelled = 200

// joinLetters puts together what was spelled out, "k m s", from three single letters on, and parts
// it into words where it is several: "k i l l m y s e l f".
func joinLetters(words []string) []string {
	joined := make([]string, 0, len(words))
	for i := 0; i < len(words); {
		n := i
		for n < len(words) && n-i < maxSpelled && len(words[n]) == 1 {
			n++
		}
		if n-i < 3 {
			n = max(n, i+1)
			joined = append(joined, words[i:n]...)
		} else {
			joined = append(joined, spelledOut(strings.Join(words[i:n], ""))...)
		}
		i = n
	}
	return joined
}

func spelledOut(letters string) []string {
	if parts := parted(letters); parts != nil {
		return parts
	}
	return []string{letters}
}

// pairs are two words that rules have as one.
var pairs = map[string]string{
	"do not": "dont", "does not": "doesnt", "did not": "didnt", "can not": "cant", "could not": "couldnt", "will not": "wont",
	"would not": "wouldnt", "is not": "isnt", "was not": "wasnt", "were not": "werent", "are not": "arent", "should not": "shouldnt",
	"don t": "dont", "doesn t": "doesnt", "didn t": "didnt", "can t": "cant", "couldn t": "couldnt", "won t": "wont", "isn t": "isnt",
	"wouldn t": "wouldnt", "wasn t": "wasnt", "weren t": "werent", "shouldn t": "shouldnt", "i m": "im", "i ve": "ive", "want tp": "wanna", "want yo": "wanna", "want ti": "wanna", "i am": "im", "i d": "id", "i ll": "ill",
	"want to": "wanna", "wants to": "wanna", "wanted to": "wanna", "wanting to": "wanna", "wish to": "wanna", "like to": "wanna", "love to": "wanna", "want too": "wanna", "want 2": "wanna", "wan na": "wanna", "wont to": "wont",
	"going to": "gonna", "gon na": "gonna", "my self": "myself", "me self": "myself", "him self": "himself", "her self": "herself",
	"them selves": "themselves", "your self": "yourself", "any more": "anymore", "any longer": "anymore", "no more": "anymore", "no longer": "nolonger", "no one": "noone", "any one": "anyone", "some one": "someone", "every one": "everyone",
	"un alive": "unalive", "over dose": "overdose", "over dosed": "overdose",
}

// fillers change nothing of what is said.
var fillers = map[string]bool{
	"just": true, "really": true, "rly": true, "even": true, "honestly": true, "actually": true, "literally": true,
	"truly": true, "simply": true, "totally": true, "completely": true, "fucking": true, "bloody": true, "seriously": true, "basically": true,
	"jus": true, "jst": true, "fuckin": true, "fuck": true, "effing": true, "freaking": true, "frigging": true,
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
