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
	"crisis-1.tsv gentle-1.tsv traps-1.tsv", "crisis-2.tsv gentle-2.tsv traps-2.tsv", "pairs.tsv", "third-a.tsv third-b.tsv", "third-c.tsv third-d.tsv",
}

// Changes of the training and of its thresholds are judged by this, not by the held-out part. It takes some seconds:
// a classifier is trained for every line.
func TestTitlesOfAuthorsWhomTheClassifierHasNotReadAreRecognised(t *testing.T) {
	t.Parallel()
	learnt, by := read(t, "learnt"), map[string]*linear.Model{}
	unread := func(l labelled.Title) safety.Finding { return safety.ClassifyBy(l.Text, by[l.File]) }
	for _, files := range leftOut {
		model := trainedWithout(t, files)
		for file := range strings.FieldsSeq(files) {
			by[file] = model
		}
		titles := slices.DeleteFunc(slices.Clone(learnt), func(l labelled.Title) bool { return !strings.Contains(files, l.File) })
		judge(titles, unread).log(t, files)
	}
	all := judge(learnt, unread)
	all.log(t, "all")
	all.holds(t, map[string]reached{"crisis": {20.5, 1.7, 100}, "gentle": {44.5, 3.9, 14}, labelled.Trap: {11, 58, 7.5}, "ordinary": {9.5, 47, 5}})
}

// trainedWithout is a classifier that has not learnt from some files.
func trainedWithout(t *testing.T, files string) *linear.Model {
	t.Helper()
	rest := slices.DeleteFunc(read(t, "learnt"), func(l labelled.Title) bool { return strings.Contains(files, l.File) })
	classes := len(safety.Learnt)
	model, err := linear.Open(linear.Train(labelled.Examples(read(t, "written"), rest), classes), classes)
	require.NoError(t, err)
	return model
}
