package narration

import "time"

// part is what one segment holds: sentences and the silence after them.
type part struct {
	sentences []string
	silence   time.Duration
}

// sentenceGap is the breath between two sentences of a passage.
const sentenceGap = 420 * time.Millisecond

// plan cuts passages into segments. The first sentence stands alone, so that it can be heard
// while the rest is still being narrated; the cut is in the breath after it.
func plan(passages []Passage) []part {
	var parts []part
	for i, p := range passages {
		rest := p.Sentences
		if i == 0 && len(rest) > 1 {
			parts = append(parts, part{rest[:1], sentenceGap})
			rest = rest[1:]
		}
		parts = append(parts, part{rest, p.Pause})
	}
	return parts
}
