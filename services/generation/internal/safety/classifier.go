package safety

import (
	_ "embed"
	"slices"
	"sync"

	"serein.app/services/generation/internal/safety/linear"
)

//go:generate go run ./cmd/traincare

// weights of the classifier, made by cmd/traincare from the titles in testdata/written.
//
//go:embed classifier.bin
var weights []byte

// leadForClass is by how much a class must lead over Ordinary in the classifier's scores to be found. A
// class that leads by less puts the title into the net: it is made, and never quoted. It was chosen on
// titles in testdata/written that a classifier trained on the others had not seen.
const leadForClass = 6

// leastWords of a title, its two edges included, from which the classifier finds a class. One common word
// is too little: it says more about the titles that were learnt than about this one.
const leastWords = 4

// Learnt are the classes that the classifier knows, in the order of its weights. Heavy is none: no
// title is labelled so.
func Learnt() []Class {
	return slices.DeleteFunc(slices.Clone(Classes), func(c Class) bool { return c == Heavy })
}

// Legible are the title's words as the classifier reads them: what an idiom takes up is hidden, as it is
// from the rules of the net.
func Legible(title string) (legible []string) {
	for part := range windows(words(title)) {
		legible = append(legible, rules().legible(part)...)
	}
	return legible
}

// hiddenWord stands in the place of a word that an idiom takes up.
const hiddenWord = "~"

func (r *ruleSet) legible(words []string) []string {
	out, hidden := slices.Clone(words), r.hidden(r.places(words))[rank(Heavy)]
	for i := range out {
		if hidden&(1<<i) != 0 {
			out[i] = hiddenWord
		}
	}
	return out
}

var classifier = sync.OnceValue(func() *linear.Model {
	m, err := linear.Open(weights, len(Learnt()))
	if err != nil {
		panic(err) // the file is part of the program, and a test reads it
	}
	return m
})

// learnt adds what the classifier finds in legible words to what the rules have found. It only adds: nothing
// that a rule has found is taken back, so a title is spoken only where both find it ordinary.
func (f *Finding) learnt(words []string) {
	classes, scores := Learnt(), classifier().Scores(words)
	best := 0
	for class := range classes {
		if scores[class] > scores[best] {
			best = class
		}
	}
	lead := scores[best] - scores[slices.Index(classes, Ordinary)]
	switch {
	case classes[best] == Ordinary:
	case lead >= leadForClass && len(words) >= leastWords:
		f.add(rule{rank: rank(classes[best])})
	case lead > 0:
		f.add(rule{rank: rank(Heavy)})
	}
}
