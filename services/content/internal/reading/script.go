package reading

import (
	"regexp"
	"strings"
)

var (
	silence = regexp.MustCompile(`\[pause [0-9.]+\]`)
	gap     = regexp.MustCompile(`\n\s*\n`)
)

// Paragraphs of a script as it is read: without its pauses.
func Paragraphs(script string) (paragraphs []string) {
	for _, part := range gap.Split(silence.ReplaceAllString(script, "\n\n"), -1) {
		if words := strings.Join(strings.Fields(part), " "); words != "" {
			paragraphs = append(paragraphs, words)
		}
	}
	return paragraphs
}

func plainScript(script string) string { return strings.Join(Paragraphs(script), " ") }
