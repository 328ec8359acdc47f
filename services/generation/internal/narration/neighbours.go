package narration

import "serein.app/services/generation/internal/recording"

// neighbours are what is spoken before a text and after it; empty at the ends of a recording.
type neighbours struct{ before, after string }

// around gives what is spoken before the part with that index and after it.
func around(parts []recording.Passage, i int) (n neighbours) {
	if i > 0 {
		if said := parts[i-1].Sentences; len(said) > 0 {
			n.before = said[len(said)-1]
		}
	}
	if i+1 < len(parts) {
		if next := parts[i+1].Sentences; len(next) > 0 {
			n.after = next[0]
		}
	}
	return n
}

// of gives the neighbours of one of the texts that n stands around.
func (n neighbours) of(texts []string, i int) neighbours {
	if i > 0 {
		n.before = texts[i-1]
	}
	if i+1 < len(texts) {
		n.after = texts[i+1]
	}
	return n
}
