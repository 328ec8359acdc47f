package flite

import (
	"fmt"
	"math"
	"strings"

	"serein.app/services/generation/internal/narration"
)

// markUp gives the text as SSML that gives every word a mean pitch: it sinks by u.Fall semitones over a clause and
// the sentence, as a speaker's breath does, and ends low. Without a pitch or a fall it is empty. The text is plain, so that
// it has nothing to escape.
func markUp(u narration.Utterance, text string) string {
	if u.Pitch <= 0 || u.Fall == 0 {
		return ""
	}
	var b strings.Builder
	words := strings.Fields(text)
	for i, start := 0, 0; i < len(words); i++ {
		if i > 0 && endsClause(words[i-1]) {
			start = i
		}
		last := i
		for last < len(words)-1 && !endsClause(words[last]) {
			last++
		}
		sunk := clauseShare*progress(i, start, last) + (1-clauseShare)*progress(i, 0, len(words)-1)
		hz := u.Pitch * math.Exp2(u.Fall*(0.5-sunk)/12)
		fmt.Fprintf(&b, `<prosody pitch="%.2f">%s</prosody> `, hz, words[i])
	}
	return b.String()
}

// clauseShare of the fall happens in each clause, the rest once over the sentence.
const clauseShare = 0.6

func endsClause(word string) bool { return strings.ContainsAny(word[len(word)-1:], ".,:?!") }

// progress is how far the place lies from the first to the last, from 0 to 1.
func progress(place, first, last int) float64 {
	if last == first {
		return 1
	}
	return float64(place-first) / float64(last-first)
}
