// Package classify files a text under the thirteen categories by weighted keywords and by examples. It
// says which three fit best and how sure it is of each, in per cent.
//
// The words, their weights and the examples are the editors' (seed/classifier); this package reads and
// checks them, counts, and weighs. It learns from nothing else, keeps nothing and knows no member.
package classify

import (
	"slices"
	"strings"
)

// Uncategorized is the category of a text that says nothing of any other.
const Uncategorized = "Uncategorized"

// Limit is the greatest number of categories that a text is given.
const Limit = 3

// categories are all that exist, in the order in which members see them.
var categories = []string{
	"Anger", "Anxiety Relief", "Better Sleep", "Compassion", "Focus and Concentration", "Gratitude",
	"Loving Kindness", "Mindfulness", "Relationships", "Resilience", "Stress Relief", "Trauma",
	Uncategorized,
}

const (
	categoryCount = 13
	uncategorized = categoryCount - 1
)

// Categories are all thirteen, Uncategorized last.
func Categories() []string { return slices.Clone(categories) }

// CategoryID is the id that the entry of a category has.
func CategoryID(name string) string { return strings.ReplaceAll(strings.ToLower(name), " ", "-") }

// Match is a category that a text fits.
type Match struct {
	Category string
	// Confidence is a percentage, 0 to 100. The confidences of a text add up to 100 at most: what is
	// missing is doubt, or belongs to further categories.
	Confidence int
}
