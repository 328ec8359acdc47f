package grounding

import (
	_ "embed"
	"strconv"
	"strings"
	"time"

	"serein.app/services/generation/internal/recording"
)

//go:embed words.txt
var words string

// script reads words.txt, which says how it is written.
func script() recording.Script {
	var s recording.Script
	var sentences []string
	for line := range strings.Lines(words) {
		line = strings.TrimSpace(line)
		seconds, err := strconv.Atoi(line)
		switch {
		case line == "" || strings.HasPrefix(line, "#"):
		case err == nil:
			s.Passages = append(s.Passages, recording.Passage{Sentences: sentences, Pause: time.Duration(seconds) * time.Second})
			sentences = nil
		default:
			sentences = append(sentences, line)
			s.Words += len(strings.Fields(line))
		}
	}
	return s
}
