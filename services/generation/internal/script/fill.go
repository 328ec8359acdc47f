package script

import (
	"math/rand/v2"
	"slices"
	"strings"

	"serein.app/services/generation/internal/recording"
)

// table counts the choices, by their weights, of optional sentences up to some piece, by the state behind it and by the words so far.
type table [similesApart + 1][]float64

// fill chooses optional sentences so that the words fall between low and high and no two comparisons stand too close;
// false if no choice does. Choices with the same words are drawn by their weights.
func (d *draft) fill(low, high int, rng *rand.Rand) bool {
	pieces := d.pieces()
	counts := make([]table, len(pieces)+1)
	counts[0] = newTable(high)
	counts[0][similesApart][0] = 1
	for i, p := range pieces {
		counts[i+1] = counts[i].behind(p, high)
	}
	last, goals := counts[len(pieces)], []int{}
	for words := low; words <= high; words++ {
		if last[0][words]+last[1][words]+last[2][words] > 0 {
			goals = append(goals, words)
		}
	}
	if len(goals) == 0 {
		return false
	}
	choose(pieces, counts, goals[rng.IntN(len(goals))], rng)
	return true
}

func newTable(high int) (t table) {
	for since := range t {
		t[since] = make([]float64, high+1)
	}
	return t
}

// behind counts the choices behind one more piece.
func (t table) behind(p *piece, high int) table {
	next := newTable(high)
	for since, before := range t {
		for _, w := range p.ways {
			if w.leads[since] == broken {
				continue
			}
			into := next[w.leads[since]]
			for words := w.words; words <= high; words++ {
				into[words] += w.weight * before[words-w.words]
			}
		}
	}
	return next
}

// choose walks back from so many words at the end, by one of the ways that lead there, each as likely as it is often.
func choose(pieces []*piece, counts []table, words int, rng *rand.Rand) {
	last := counts[len(pieces)]
	since := draw(rng, []float64{last[0][words], last[1][words], last[2][words]})
	for i := len(pieces) - 1; i >= 0; i-- {
		type step struct {
			way    way
			before int
		}
		steps, often := []step{}, []float64{}
		for _, w := range pieces[i].ways {
			for before, leads := range w.leads {
				if leads == since && w.words <= words {
					steps, often = append(steps, step{w, before}), append(often, w.weight*counts[i][before][words-w.words])
				}
			}
		}
		taken := steps[draw(rng, often)]
		pieces[i].taken, since, words = taken.way.taken, taken.before, words-taken.way.words
	}
}

// draw an index, each as likely as its weight.
func draw(rng *rand.Rand, weights []float64) (at int) {
	sum := 0.0
	for _, w := range weights {
		sum += w
	}
	left := rng.Float64() * sum
	for i, w := range weights {
		if w > 0 {
			at = i
			if left < w {
				break
			}
		}
		left -= w
	}
	return at
}

func (d *draft) pieces() (all []*piece) {
	for _, p := range d.passages {
		all = append(all, p.pieces...)
	}
	return all
}

// varied says that no sentence is spoken twice, whatever the affirmations are, and that the
// product's own words hold no near repetition.
func (d *draft) varied() bool {
	own, said := []string{}, map[string]bool{}
	for _, p := range d.passages {
		for _, s := range p.sentences() {
			key := strings.ToLower(s)
			if said[key] {
				return false
			}
			said[key] = true
			if !slices.Contains(d.said, s) {
				own = append(own, s)
			}
		}
	}
	return !repeats(own)
}

func (d *draft) script(silence halves) recording.Script {
	s := recording.Script{}
	pauses := d.pauses(silence)
	for i, p := range d.passages {
		said := recording.Passage{Sentences: p.sentences(), Pause: pauses[i].duration()}
		for _, sentence := range said.Sentences {
			said.Common = append(said.Common, d.isCommon(sentence))
		}
		s.Passages = append(s.Passages, said)
		s.Words += p.words()
	}
	return s
}

// isCommon says that a sentence has no words of the member's: it stands in the words as it is spoken, or is an affirmation.
func (d *draft) isCommon(sentence string) bool {
	return d.lib.known[sentence] || slices.Contains(d.said, sentence)
}
