package brief

import (
	"strings"

	"serein.app/services/generation/internal/alike"
)

// mostKnown is how many sentences in a hundred a script may share with one that the member was told lately: affirmations and a few more.
const mostKnown = 50

// repeated finds sentences that are said twice, but for a word or two.
func repeated(said []string) (faults []Fault) {
	plain := make([][]string, len(said))
	for i, sentence := range said {
		plain[i] = alike.Bare(sentence)
		for _, before := range plain[:i] {
			if alike.Same(before, plain[i]) {
				faults = append(faults, Fault{Repeated, sentence, "A sentence is said twice, or all but for a word or two"})
				break
			}
		}
	}
	return faults
}

// known counts the sentences that the script shares with one of those that the member was told lately, the one with which it shares most.
func (b Brief) known(said []string) (most int) {
	for _, script := range b.Lately {
		told, n := map[string]bool{}, 0
		for _, sentence := range script {
			told[folded(sentence)] = true
		}
		for _, sentence := range said {
			if told[folded(sentence)] {
				n++
			}
		}
		most = max(most, n)
	}
	return most
}

// folded are the bare words of a text in small letters, with single spaces.
func folded(text string) string {
	return strings.Join(alike.Bare(strings.ReplaceAll(text, "’", "'")), " ")
}
