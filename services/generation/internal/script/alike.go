package script

import (
	"strings"

	"serein.app/services/generation/internal/alike"
)

// A script may open this many sentences with the same words before it sounds like a refrain.
const openingWords, maxSameOpening = 4, 2

// repeats says whether the sentences hold a repetition or a refrain.
func repeats(sentences []string) bool {
	openings := map[string]int{}
	plain := make([][]string, len(sentences))
	for i, s := range sentences {
		plain[i] = alike.Bare(s)
		for _, other := range plain[:i] {
			if alike.Same(plain[i], other) {
				return true
			}
		}
		if len(plain[i]) > openingWords {
			opening := strings.Join(plain[i][:openingWords], " ")
			if openings[opening]++; openings[opening] > maxSameOpening {
				return true
			}
		}
	}
	return false
}
