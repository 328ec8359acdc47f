package topic_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/services/generation/internal/script/topic"
)

var index = topic.NewIndex([]topic.Keywords{
	{Topic: "sleep", Strong: []string{"sleep", "cant sleep", "wide awake"}, Weak: []string{"night", "bed"}},
	{Topic: "study", Strong: []string{"exam", "revision"}},
	{Topic: "driving", Strong: []string{"driving test", "motorway"}, Weak: []string{"test"}},
	{Topic: "evening", Strong: []string{"evening"}},
	{Topic: "addiction", Strong: []string{"=weed"}},
	{Topic: "garden", Strong: []string{"chest of seeds"}, Weak: []string{"=weeding"}},
	{Topic: "smoke", Strong: []string{"weeds"}},
	{Strong: []string{"test of time"}},
}, func(word string) bool { return word == "revisit" })

// topics of a title, in order.
func topics(title string) []string {
	names := []string{}
	for _, f := range index.Find(title) {
		names = append(names, f.Topic)
	}
	return names
}

func TestTopicsAreFoundByStemsAndPhrases(t *testing.T) {
	t.Parallel()
	for title, want := range map[string][]string{
		"Exams":                     {"study"},
		"my EXAM's over":            {"study"},
		"Can't sleep":               {"sleep"},
		"Driving test":              {"driving"},
		"Night before the exam":     {"study", "sleep"},
		"Exam, and I can't sleep":   {"sleep", "study"},
		"sleeping before my exam":   {"sleep", "study"},
		"even now":                  {},
		"Slow evenings":             {"evening"},
		"wide-awake":                {"sleep"},
		"revison":                   {"study"},
		"drivign test":              {"driving"},
		"motorwayy":                 {"driving"},
		"revisiom":                  {"study"},
		"revisit":                   {},
		"exma":                      {},
		"divisions":                 {},
		"":                          {},
		"motorway in my dreams":     {"driving"},
		"a test of the night train": {"driving", "sleep"},
		"Weeding":                   {"garden"},
		"weed":                      {"addiction"},
		"weeds":                     {"smoke"},
		"the test of time":          {},
		"chess of seeds":            {},
		"we'll test it":             {"driving"},
		"motorwsy":                  {"driving"},
		"motorwiy":                  {"driving"},
		"motorwby":                  {},
	} {
		require.Equal(t, want, topics(title), title)
	}
}

func TestWeakWordsAreNotSure(t *testing.T) {
	t.Parallel()
	require.False(t, index.Find("night")[0].Sure())
	require.True(t, index.Find("exam")[0].Sure())
}

func TestATitleSpeaksOfNothingElseWhereAllItsWordsDo(t *testing.T) {
	t.Parallel()
	for title, all := range map[string]bool{"The exam": true, "Revision for the exam": true, "exam, and then some": false} {
		require.Equal(t, all, index.Find(title)[0].IsAll(title), title)
	}
}
