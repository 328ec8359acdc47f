package classify

import (
	"cmp"
	"slices"
)

// How evidence is weighed; chosen by the labelled texts that are for tuning.
const (
	// reference is the number of words above which a text's words count for less, so that a long
	// text gathers no more evidence than a short one of the same density.
	reference = 60.0
	// titleWeight is what a word in the title counts for, beside one in a body of reference length.
	titleWeight = 2.0
	// repetition bounds what saying a word again adds: however often, never more than 1+repetition.
	repetition = 1.0
	// doubt is evidence for nothing: it keeps the confidence of thin evidence low.
	doubt = 1.5
	// hint is the share of all evidence that every category has for the examples to lean on.
	hint = 0.005
	// enough is the least evidence that is not chance: one weight of 3, or three of 1.
	enough = 3.0
)

// Classifier files texts. It does not change and may be used by many at once.
type Classifier struct {
	lexicon  *lexicon
	examples *examples
}

// Classify answers the categories that fit best, the best first, three at most and one at least:
// Uncategorized with confidence 0 where nothing fits, or where practical matters (orders, recipes,
// settings) outweigh everything else. Either part may be empty.
func (c *Classifier) Classify(title, body string) []Match {
	evidence := c.evidence(title, body)
	if slices.Max(evidence[:]) < enough {
		return []Match{{Category: Uncategorized}}
	}
	evidence = lean(evidence, c.examples.lean(title+"\n"+body))
	if slices.Max(evidence[:]) == evidence[uncategorized] {
		return []Match{{Category: Uncategorized}}
	}
	return best(evidence)
}

// lean moves evidence between the categories as the examples say. There is as much of it as before, so that confidence is thin where
// the evidence is.
func lean(evidence, factors [categoryCount]float64) [categoryCount]float64 {
	all := sum(&evidence)
	for i := range evidence {
		evidence[i] = (evidence[i] + hint*all) * factors[i]
	}
	moved := sum(&evidence)
	for i := range evidence {
		evidence[i] *= all / moved
	}
	return evidence
}

// evidence adds up the weights of what was found, for each category.
func (c *Classifier) evidence(title, body string) [categoryCount]float64 {
	counts := make([]float64, len(c.lexicon.terms))
	words := c.lexicon.count(body, counts, 1)
	density := reference / max(reference, float64(words))
	for i := range counts {
		counts[i] *= density
	}
	c.lexicon.count(title, counts, titleWeight)
	var sums [categoryCount]float64
	for i, n := range counts {
		if n > 0 {
			addTo(&sums, c.lexicon.terms[i], n*(1+repetition)/(n+repetition))
		}
	}
	return sums
}

func addTo(sums *[categoryCount]float64, t *term, times float64) {
	for category, weight := range t.weights {
		sums[category] += float64(weight) * times
	}
}

// best turns evidence into shares of a hundred. Equal ones keep the order of the categories.
func best(evidence [categoryCount]float64) []Match {
	total := doubt
	for _, e := range evidence {
		total += e
	}
	matches := make([]Match, 0, categoryCount)
	for category, e := range evidence[:uncategorized] {
		if share := int(100 * e / total); share > 0 {
			matches = append(matches, Match{Category: categories[category], Confidence: share})
		}
	}
	slices.SortStableFunc(matches, func(a, b Match) int { return cmp.Compare(b.Confidence, a.Confidence) })
	return matches[:min(len(matches), Limit)]
}
