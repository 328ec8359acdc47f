package labelled

import (
	"slices"

	"serein.app/services/generation/internal/safety"
	"serein.app/services/generation/internal/safety/linear"
)

// plainTimes is how often a plain title of the written part counts: those are what members write, while most
// others were written to mislead.
const plainTimes = 3

// Examples to train the classifier on, of titles of the written and of the learnt part.
func Examples(written, learnt []Title) (all []linear.Example) {
	for _, title := range written {
		times := 1
		if title.Label == string(safety.Ordinary) {
			times = plainTimes
		}
		all = append(all, slices.Repeat([]linear.Example{example(title)}, times)...)
	}
	for _, title := range learnt {
		all = append(all, example(title))
	}
	return all
}

func example(title Title) linear.Example {
	return linear.Example{Words: safety.Legible(title.Text), Class: slices.Index(safety.Learnt, title.Class)}
}
