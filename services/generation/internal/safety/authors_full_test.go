//go:build full

package safety_test

import (
	"testing"

	"serein.app/services/generation/internal/safety/labelled"
)

// A classifier is trained for every line.
func TestTitlesOfAuthorsWhomTheClassifierHasNotReadAreRecognised(t *testing.T) {
	t.Parallel()
	all := unread(t, leftOut...)
	all.log(t, "all")
	all.holds(t, map[string]reached{"crisis": {19.5, 1.6, 100}, "gentle": {44.5, 3.9, 12.5}, labelled.Trap: {8, 53.5, 6.2}, "ordinary": {7.8, 42, 4.7}})
}
