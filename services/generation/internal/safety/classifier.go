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

// By how much a class must lead over Ordinary in the classifier's scores. They were chosen on titles in
// testdata/written that a classifier trained on the others had not seen.
const (
	// leadForClass finds the class.
	leadForClass = 6
	// leadForNet puts a title into the net: it is made, and never quoted.
	leadForNet = 1
)

// Learnt are the classes that the classifier knows, in the order of its weights. Heavy is none: no
// title is labelled so.
func Learnt() []Class {
	return slices.DeleteFunc(slices.Clone(Classes), func(c Class) bool { return c == Heavy })
}

var classifier = sync.OnceValue(func() *linear.Model {
	m, err := linear.Open(weights, len(Learnt()))
	if err != nil {
		panic(err) // the file is part of the program, and a test reads it
	}
	return m
})

// learnt adds what the classifier finds in words to what the rules have found. It only adds: nothing
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
	case lead >= leadForClass:
		f.add(rule{rank: rank(classes[best])})
	case lead >= leadForNet:
		f.add(rule{rank: rank(Heavy)})
	}
}
