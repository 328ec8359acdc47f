package meditation

import (
	"fmt"
	"slices"

	"serein.app/services/generation/internal/brief"
)

// DraftProblem is why a draft is not narrated as it is.
type DraftProblem struct {
	Reason brief.Reason
	// Line and Passage are where it is, from 1; 0 where it is nowhere in particular.
	Line, Passage int
	// Message is a sentence for the member.
	Message string
}

// Problems are all of them, by the check that every script of an outside writer passes.
func (d Draft) Problems() (problems []DraftProblem) {
	asked, script := d.asked(), d.Script()
	for _, f := range asked.Check(script) {
		switch f.Reason {
		case brief.Breaks:
			problems = append(problems, d.emptyPassages()...)
		case brief.Words:
			problems = append(problems, DraftProblem{Reason: f.Reason, Message: wordsMessage(script.Words, asked)})
		default:
			p := DraftProblem{Reason: f.Reason, Message: problemMessages[f.Reason]}
			p.Passage, p.Line = d.lastSaid(f.Sentence)
			problems = append(problems, p)
		}
	}
	// Check finds a missing passage once for each.
	return slices.CompactFunc(problems, func(a, b DraftProblem) bool { return a == b })
}

// emptyPassages are those of which no line is said.
func (d Draft) emptyPassages() (problems []DraftProblem) {
	for i, p := range d.Passages {
		if !slices.ContainsFunc(p.Lines, func(l DraftLine) bool { return !l.Dropped }) {
			problems = append(problems, DraftProblem{Reason: brief.Breaks, Passage: i + 1, Message: problemMessages[brief.Breaks]})
		}
	}
	return problems
}

// lastSaid is where a sentence is said last, from 1; 0 where it is not.
func (d Draft) lastSaid(sentence string) (passage, line int) {
	number := 0
	for i, p := range d.Passages {
		for _, l := range p.Lines {
			number++
			if sentence != "" && slices.Contains(l.said(), sentence) {
				passage, line = i+1, number
			}
		}
	}
	return passage, line
}

func wordsMessage(words int, asked brief.Brief) string {
	if words < asked.MinWords {
		return fmt.Sprintf("This size needs %d words or more, and the script has %d. Take a line back, or say a little more somewhere.", asked.MinWords, words)
	}
	return fmt.Sprintf("This size has room for %d words, and the script has %d. Leave a line out, or say one more briefly.", asked.MaxWords, words)
}

const plainProblem = "This line can’t be said as it is. Please put it another way, or leave it out."

// problemMessages are for the member.
var problemMessages = map[brief.Reason]string{
	brief.Breaks:      "Nothing is said here any more. Take a line back, so that the silence has something to follow.",
	brief.Pauses:      "The silences don’t add up. Please start over.",
	brief.Repeated:    "This says nearly the same as another line. Please put it another way, or leave it out.",
	brief.Named:       "Your name is said more than once. Once is enough.",
	brief.Untaught:    "Hardly anything of the practice you chose is left. Take some of its lines back.",
	brief.Unspeakable: plainProblem,
	brief.Outside:     plainProblem,
	brief.Echo:        plainProblem,
	brief.Unsafe:      plainProblem,
	brief.Never:       plainProblem,
	brief.Quoted:      plainProblem,
}
