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
		word := words[i]
		if i < len(words)-1 {
			word = goOn(word, words[i+1])
		}
		fmt.Fprintf(&b, `<prosody pitch="%.2f">%s</prosody> `, hz, word)
	}
	return b.String()
}

// clauseShare of the fall happens in each clause, the rest once over the sentence.
const clauseShare = 0.6

func endsClause(word string) bool { return strings.ContainsAny(marks(word), ".,:?!") }

// marks are those behind a word.
func marks(word string) string { return word[len(strings.TrimRight(word, ".,:?!'")):] }

// goOn gives a word a comma in place of the mark at which the command, for SSML alone, would end an utterance before the next
// word and pause for 0.4 s more. For plain text it pauses at all marks as at a comma.
func goOn(word, next string) string {
	mark := marks(word)
	bare := strings.TrimSuffix(word, mark)
	begins := strings.TrimLeft(next, "'-")
	abbreviated := strings.Contains(bare, ".") || len(bare) < 4 && startsUpper(bare)
	if strings.ContainsAny(mark, ":?!") || strings.Contains(mark, ".") && startsUpper(begins) && !abbreviated {
		return bare + ","
	}
	return word
}

func startsUpper(s string) bool { return s != "" && s[0] >= 'A' && s[0] <= 'Z' }

// progress is how far the place lies from the first to the last, from 0 to 1.
func progress(place, first, last int) float64 {
	if last == first {
		return 1
	}
	return float64(place-first) / float64(last-first)
}
