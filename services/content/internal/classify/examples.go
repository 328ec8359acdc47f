package classify

import (
	"math"
	"slices"
)

const (
	// prior is how many texts of the average kind every category has beside its examples, so that a word of one example proves little.
	prior = 20.0
	// trust is what the examples' word counts for beside the editors' keywords. Chosen, as are prior and atMost, by leaving out each
	// example in turn.
	trust = 0.03
	// atMost is how many words of a text count in full: of a longer one each counts for less.
	atMost = 30.0
)

// examples knows in how many examples of each category a word stands, or two words that follow each other.
type examples struct {
	texts [categoryCount]float64
	words map[string]*[categoryCount]float64
}

func newExamples() *examples { return &examples{words: map[string]*[categoryCount]float64{}} }

// add learns one example.
func (e *examples) add(category int, text string) {
	e.texts[category]++
	for _, w := range said(text) {
		if e.words[w] == nil {
			e.words[w] = &[categoryCount]float64{}
		}
		e.words[w][category]++
	}
}

// lean answers how much more likely the text's words are in each category than anywhere, as a factor; the likeliest has 1.
func (e *examples) lean(text string) (factors [categoryCount]float64) {
	known := 0.0
	for _, w := range said(text) {
		if counts := e.words[w]; counts != nil {
			known++
			e.weigh(counts, &factors)
		}
	}
	most, scale := slices.Max(factors[:]), trust*min(1, atMost/max(1, known))
	for i := range factors {
		factors[i] = math.Exp(scale * (factors[i] - most))
	}
	return factors
}

// weigh adds the logarithms of what one word says.
func (e *examples) weigh(counts, logs *[categoryCount]float64) {
	share := sum(counts) / sum(&e.texts)
	for i, n := range counts {
		logs[i] += math.Log((n + prior*share) / (e.texts[i] + prior) / share)
	}
}

func sum(numbers *[categoryCount]float64) (all float64) {
	for _, n := range numbers {
		all += n
	}
	return all
}

// said are the stems of a text and their neighbours in pairs, each once and in an order of their own: sums come out the same however
// the sentences stand.
func said(text string) (all []string) {
	for _, run := range passages(text) {
		for i, w := range run {
			all = append(all, w.stem)
			if i > 0 {
				all = append(all, run[i-1].stem+" "+w.stem)
			}
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}
