package script

import (
	"slices"
	"strings"

	"serein.app/services/generation/internal/script/topic"
)

// heard are the words of what can be heard, or cannot. Beside a sound of Serein's own such sentences are not true.
var heard = strings.Fields("listen listens listening hear hears hearing heard silence silences silent quiet noise noises sounds ears hum hums ticks")

// asksToHear says that a line speaks of silence or of what is to be heard.
func asksToHear(line string) bool {
	return slices.ContainsFunc(topic.Words(line), func(word string) bool { return slices.Contains(heard, word) })
}
