package safety

import (
	"cmp"
	_ "embed"
	"slices"
	"sync"

	"serein.app/services/generation/internal/safety/linear"
)

//go:generate go run ./cmd/traincare

// weights of the classifier, made by cmd/traincare from the titles in testdata/written and
// testdata/learnt.
//
//go:embed classifier.bin
var weights []byte

// Chances, 0 to 1, from which the classifier speaks. They were chosen on titles of authors of whom the classifier
// had read nothing else (authors_test.go); testdata/README.md has the figures.
const (
	// crisisFrom is the chance of a crisis that finds one: no meditation is made.
	crisisFrom = 0.6
	// classFrom is the chance of any other class that finds it.
	classFrom = 0.4
	// heavyFrom is the chance that a title is not ordinary which puts it, if no class is found, into the net.
	heavyFrom = 0.6
	// doubtFrom is the same chance from which the title is not quoted. Its meditation may be an ordinary one.
	doubtFrom = 0.07
)

// leastWords of a title, its two edges included, from which the classifier finds anything. Of one word alone it
// says more about the titles that were learnt than about this one; it may doubt it all the same.
const leastWords = 4

var (
	// Learnt are the classes that the classifier knows, in the order of its weights. Heavy is none: no
	// title is labelled so.
	Learnt = slices.DeleteFunc(slices.Clone(Classes), func(c Class) bool { return c == Heavy })
	// gently are those that are met gently.
	gently = slices.DeleteFunc(slices.Clone(Learnt), func(c Class) bool { return c == Crisis || c == Ordinary })
)

// Legible are the title's words as the classifier reads them: what an idiom takes up is hidden, as it is
// from the rules of the net.
func Legible(title string) (read []string) {
	for part := range windows(words(title)) {
		read = append(read, legible(part, rules().hidden(rules().places(part)))...)
	}
	return read
}

// hiddenWord stands in the place of a word that an idiom takes up.
const hiddenWord = "~"

func legible(words []string, hidden []uint64) []string {
	out := slices.Clone(words)
	for i := range out {
		if hidden[rank(Heavy)]&(1<<i) != 0 {
			out[i] = hiddenWord
		}
	}
	return out
}

var classifier = sync.OnceValue(func() *linear.Model {
	m, err := linear.Open(weights, len(Learnt))
	if err != nil {
		panic(err) // the file is part of the program, and a test reads it
	}
	return m
})

// learnt adds what a classifier finds in legible words to what the rules have found. It takes nothing back,
// so a title is quoted only where neither finds anything.
func (f *Finding) learnt(from *linear.Model, words []string) {
	chances := from.Chances(words)
	of := func(class Class) float32 { return chances[slices.Index(Learnt, class)] }
	gentle := slices.MaxFunc(gently, func(a, b Class) int { return cmp.Compare(of(a), of(b)) })
	other := 1 - of(Ordinary)
	f.doubted = f.doubted || other >= doubtFrom
	switch {
	case len(words) < leastWords:
	case of(Crisis) >= crisisFrom:
		f.add(rule{rank: rank(Crisis)})
	case of(gentle) >= classFrom:
		f.add(rule{rank: rank(gentle)})
	case other >= heavyFrom:
		f.add(rule{rank: rank(Heavy)})
	}
}
