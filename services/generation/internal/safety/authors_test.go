package safety_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/services/generation/internal/safety"
	"serein.app/services/generation/internal/safety/labelled"
	"serein.app/services/generation/internal/safety/linear"
)

// leftOut are files of the learnt part, each line by authors who wrote no other line.
var leftOut = []string{
	"crisis-1.tsv gentle-1.tsv traps-1.tsv ordinary-2.tsv", "crisis-2.tsv gentle-2.tsv traps-2.tsv care-2.tsv", "pairs.tsv ordinary-1.tsv",
	ofEveryLabel, "third-c.tsv third-d.tsv",
}

// ofEveryLabel is a line of leftOut with titles of every label.
const ofEveryLabel = "third-a.tsv third-b.tsv contrast-2.tsv"

// Changes of the training and of its thresholds are judged by authors whom the classifier has not read, not by the held-out part.
// Every change is judged by one line of them; authors_full_test.go takes all, a minute or more.
func TestTitlesOfSomeAuthorsWhomTheClassifierHasNotReadAreRecognised(t *testing.T) {
	t.Parallel()
	unread(t, ofEveryLabel).holds(t, map[string]reached{"crisis": {12, 0.9, 100}, "gentle": {29, 0.8, 13.5}, labelled.Trap: {16.5, 65, 14}, "ordinary": {16, 54, 11.2}})
}

// unread are the figures of the titles in some lines of leftOut, each read by a classifier that has learnt from all other lines.
func unread(t *testing.T, lines ...string) figures {
	t.Helper()
	titles := map[string][]labelled.Title{}
	for _, l := range read(t, "learnt") {
		titles[l.File] = append(titles[l.File], l)
	}
	written, learnt := labelled.Examples(read(t, "written"), nil), map[string][]linear.Example{}
	for file, of := range titles {
		learnt[file] = labelled.Examples(nil, of)
	}
	all := judge(nil, nil)
	for _, line := range lines {
		examples, left := slices.Clone(written), []labelled.Title(nil)
		for file, of := range titles {
			if slices.Contains(strings.Fields(line), file) {
				left = append(left, of...)
			} else {
				examples = append(examples, learnt[file]...)
			}
		}
		model := trained(t, examples)
		of := judge(left, func(l labelled.Title) safety.Finding { return safety.ClassifyBy(l.Text, model) })
		of.log(t, line)
		all.add(of)
	}
	return all
}

func trained(t *testing.T, examples []linear.Example) *linear.Model {
	t.Helper()
	model, err := linear.Open(linear.Train(examples, len(safety.Learnt)), len(safety.Learnt))
	require.NoError(t, err)
	return model
}
