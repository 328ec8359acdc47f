package search

import (
	"regexp"
	"strings"
)

// silence is a pause in a script: [pause 8].
var silence = regexp.MustCompile(`\[pause [0-9]+\]`)

// Spoken is a title, or a script without its pauses, in one line.
func Spoken(text string) string {
	return strings.Join(strings.Fields(silence.ReplaceAllString(text, " ")), " ")
}
