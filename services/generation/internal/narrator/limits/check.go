package limits

import (
	"math"
	"unicode/utf8"

	"serein.app/services/generation/internal/narration"
)

const (
	// usualPace in words a minute where an utterance does not say, and how many characters a word has with its space.
	usualPace, wordLength = 150, 6
	// shortest and longest a speech may be, as shares of what its text takes at the narrator's pace; slack is added for short texts. The pace
	// counts the breaths between sentences, so a sentence takes some three quarters of that.
	shortest, longest       = 0.6, 2.5
	shortSlack, longSlack   = 0.25, 2.0 // seconds
	leastRate, mostRate     = 8000, 48000
	quiet                   = 0.01 // as an amplitude: what stays below it is silence
	noiseLevel, noiseLinked = 0.35, 0.15
)

// check refuses what is not the speech of the text: another length than the text takes, silence, or data of another format.
func check(u narration.Utterance, speech narration.Speech) error {
	if speech.Rate < leastRate || speech.Rate > mostRate {
		return Break("%d samples a second", speech.Rate)
	}
	spoken := float64(loud(speech.Samples)) / float64(speech.Rate)
	if spoken == 0 {
		return Break("the speech is silent")
	}
	pace := u.Pace
	if pace == 0 {
		pace = usualPace
	}
	usual := float64(utf8.RuneCountInString(u.Text)) / wordLength / pace * 60
	if spoken < shortest*usual-shortSlack {
		return Break("the speech ends too early: %.2f s of some %.2f", spoken, usual)
	}
	if spoken > longest*usual+longSlack {
		return Break("the speech is too long: %.2f s of some %.2f", spoken, usual)
	}
	if at, found := noise(speech); found {
		return Break("noise %.1f s from the beginning: another format", at)
	}
	return nil
}

// loud is the number of samples from the first that can be heard to the last.
func loud(samples []float32) int {
	first, last := -1, -1
	for i, x := range samples {
		if x > quiet || x < -quiet {
			if first < 0 {
				first = i
			}
			last = i
		}
	}
	if first < 0 {
		return 0
	}
	return last - first + 1
}

// noise finds a tenth of a second that no voice makes: loud, and each sample unlike the one before. Data that is no sound, read as samples,
// is that; speech moves slowly where it is loud.
func noise(speech narration.Speech) (at float64, found bool) {
	step := speech.Rate / 10
	for begin := 0; begin+step <= len(speech.Samples); begin += step {
		var power, linked float64
		block := speech.Samples[begin : begin+step]
		for i, x := range block {
			power += float64(x) * float64(x)
			if i > 0 {
				linked += float64(x) * float64(block[i-1])
			}
		}
		if math.Sqrt(power/float64(step)) > noiseLevel && math.Abs(linked) < noiseLinked*power {
			return float64(begin) / float64(speech.Rate), true
		}
	}
	return 0, false
}
