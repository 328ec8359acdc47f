package brief

import (
	"fmt"

	"serein.app/services/generation/internal/alike"
	"serein.app/services/generation/internal/recording"
)

// CheckNext finds what is wrong with the passage that follows those that were said, as far as that can be told before the rest is
// written: each sentence by itself, what is said twice, and the name. Its silence and the size are not looked at.
func (b Brief) CheckNext(said []recording.Passage, next []string) (faults []Fault) {
	if len(next) == 0 {
		return []Fault{{Breaks, "", "A passage has no sentence"}}
	}
	never, before := b.never(), sentencesOf(recording.Script{Passages: said})
	plain := make([][]string, len(before))
	for i, sentence := range before {
		plain[i] = alike.Bare(sentence)
	}
	for _, sentence := range next {
		if f, bad := b.judge(sentence, never); bad {
			faults = append(faults, f)
		}
		words := alike.Bare(sentence)
		for _, earlier := range plain {
			if alike.Same(earlier, words) {
				faults = append(faults, Fault{Repeated, sentence, "A sentence is said twice, or all but for a word or two"})
				break
			}
		}
		plain = append(plain, words)
	}
	if n := b.timesNamed(append(before, next...)); n > 1 {
		faults = append(faults, Fault{Named, "", fmt.Sprintf("The listener's name is said %d times; once is enough", n)})
	}
	return faults
}

// CheckSoFar finds what is wrong with a script of which most is written, as a whole: whether it teaches the practice, is new to the
// listener, and says the name once.
func (b Brief) CheckSoFar(said []recording.Passage) []Fault {
	return b.asAWhole(sentencesOf(recording.Script{Passages: said}))
}
