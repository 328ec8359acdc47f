package classify

import (
	"os"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"
)

// labelled is a text and the category that a person would file it under.
type labelled struct {
	Part     string `yaml:"part"`
	Category string `yaml:"category"`
	Text     string `yaml:"text"`
}

func newClassifier(tb testing.TB) *Classifier {
	tb.Helper()
	c, err := Load()
	require.NoError(tb, err)
	return c
}

// labelledTexts answers one half of the labelled set, tune or heldout, or the second unseen set, second.
func labelledTexts(tb testing.TB, part string) []labelled {
	tb.Helper()
	file, size := "labelled.yaml", 120
	if part == "second" {
		file, size = "unseen.yaml", 130
	}
	data, err := os.ReadFile("../../seed/classifier/" + file)
	require.NoError(tb, err)
	var all []labelled
	require.NoError(tb, yaml.Unmarshal(data, &all))
	if part != "second" {
		all = slices.DeleteFunc(all, func(l labelled) bool { return l.Part != part })
	}
	require.Len(tb, all, size)
	return all
}

// exampleTexts answers the examples in the order of their categories.
func exampleTexts(tb testing.TB) (all []labelled) {
	tb.Helper()
	data, err := os.ReadFile("../../seed/classifier/examples.yaml")
	require.NoError(tb, err)
	var texts map[string][]string
	require.NoError(tb, yaml.Unmarshal(data, &texts))
	for _, category := range categories {
		for _, text := range texts[category] {
			all = append(all, labelled{Category: category, Text: text})
		}
	}
	return all
}

func names(matches []Match) (all []string) {
	for _, m := range matches {
		all = append(all, m.Category)
	}
	return all
}
