package labelled

import (
	"slices"

	"serein.app/services/generation/internal/safety"
	"serein.app/services/generation/internal/safety/linear"
)

// Plain titles count so often, by part: those are what members write, while most others were
// written to mislead. The plain titles of the learnt part are by authors who had alarming ones in mind.
const writtenPlainTimes, learntPlainTimes = 3, 2

// Examples to train the classifier on, of titles of the written and of the learnt part.
func Examples(written, learnt []Title) []linear.Example {
	return slices.Concat(examples(written, writtenPlainTimes), examples(learnt, learntPlainTimes))
}

func examples(titles []Title, plainTimes int) (all []linear.Example) {
	for _, title := range titles {
		times := 1
		if title.Label == string(safety.Ordinary) {
			times = plainTimes
		}
		all = append(all, slices.Repeat([]linear.Example{example(title)}, times)...)
	}
	return all
}

func example(title Title) linear.Example {
	return linear.Example{Words: safety.Legible(title.Text), Class: slices.Index(safety.Learnt, title.Class)}
}
