package script_test

import (
	"slices"
	"strings"
)

// alike says that two sentences are the same but for two words, by another way than the
// composer's: what is left when the words they begin and end with in common are taken away.
func alike(a, b string) bool {
	x, y := strings.Fields(strings.ToLower(a)), strings.Fields(strings.ToLower(b))
	if slices.Equal(x, y) {
		return true
	}
	short := min(len(x), len(y))
	for len(x) > 0 && len(y) > 0 && x[0] == y[0] {
		x, y = x[1:], y[1:]
	}
	for len(x) > 0 && len(y) > 0 && x[len(x)-1] == y[len(y)-1] {
		x, y = x[:len(x)-1], y[:len(y)-1]
	}
	return short > 4 && max(len(x), len(y)) <= 2
}
