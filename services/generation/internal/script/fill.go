package script

import (
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"serein.app/services/generation/internal/recording"
)

// fill chooses optional sentences so that the words fall between low and high; false if no choice
// does. It is a knapsack with one group a piece: how many of its optional lines are taken.
func (d *draft) fill(low, high int, rng *rand.Rand) bool {
	pieces, core := d.shuffled(rng)
	if core > high {
		return false
	}
	// reach[i][w]: the first i pieces can add exactly w words.
	reach := make([][]bool, len(pieces)+1)
	reach[0] = make([]bool, high-core+1)
	reach[0][0] = true
	for i, p := range pieces {
		reach[i+1] = make([]bool, high-core+1)
		for _, words := range p.sums() {
			for w := words; w <= high-core; w++ {
				reach[i+1][w] = reach[i+1][w] || reach[i][w-words]
			}
		}
	}
	goals := []int{}
	for w := max(low-core, 0); w <= high-core; w++ {
		if reach[len(pieces)][w] {
			goals = append(goals, w)
		}
	}
	if len(goals) == 0 {
		return false
	}
	choose(pieces, reach, goals[rng.IntN(len(goals))], rng)
	return true
}

// choose walks back through reach from the goal, taking any of the ways that lead there.
func choose(pieces []*piece, reach [][]bool, goal int, rng *rand.Rand) {
	for i := len(pieces) - 1; i >= 0; i-- {
		sums := pieces[i].sums()
		for _, taken := range rng.Perm(len(sums)) {
			if w := goal - sums[taken]; w >= 0 && reach[i][w] {
				pieces[i].taken, goal = taken, w
				break
			}
		}
	}
}

// shuffled pieces, so that the optional sentences spread over the whole, and the words that are
// spoken in any case.
func (d *draft) shuffled(rng *rand.Rand) (pieces []*piece, core int) {
	for _, p := range d.passages {
		pieces = append(pieces, p.pieces...)
	}
	for _, p := range pieces {
		core += p.core()
	}
	rng.Shuffle(len(pieces), func(i, j int) { pieces[i], pieces[j] = pieces[j], pieces[i] })
	return pieces, core
}

func (p *piece) core() (words int) {
	for _, l := range p.lines {
		if !l.optional {
			words += WordCount(l.text)
		}
	}
	return words
}

// sums are the words of the first 0, 1, 2, … optional lines.
func (p *piece) sums() []int {
	sums := []int{0}
	for _, l := range p.lines {
		if l.optional {
			sums = append(sums, sums[len(sums)-1]+WordCount(l.text))
		}
	}
	return sums
}

func (p *piece) sentences() (texts []string) {
	optional := 0
	for _, l := range p.lines {
		if l.optional {
			optional++
		}
		if !l.optional || optional <= p.taken {
			texts = append(texts, l.text)
		}
	}
	return texts
}

func (p *passage) sentences() (texts []string) {
	for _, piece := range p.pieces {
		texts = append(texts, piece.sentences()...)
	}
	return texts
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

func (d *draft) script(pauseSeconds int) recording.Script {
	s := recording.Script{}
	pauses := d.pauses(pauseSeconds)
	for i, p := range d.passages {
		said := recording.Passage{Sentences: p.sentences(), Pause: pauses[i]}
		for _, sentence := range said.Sentences {
			said.Shared = append(said.Shared, !d.own[sentence])
		}
		s.Passages = append(s.Passages, said)
		s.Words += WordCount(strings.Join(p.sentences(), " "))
	}
	return s
}

// pauses shares the whole silence by weight in half seconds, none shorter than a second.
func (d *draft) pauses(seconds int) []time.Duration {
	const half, least = 500 * time.Millisecond, 2
	spare, weights := 2*seconds-least*len(d.passages), 0
	for _, p := range d.passages {
		weights += p.weight
	}
	pauses := make([]time.Duration, len(d.passages))
	given, passed := 0, 0
	for i, p := range d.passages {
		passed += p.weight
		share := spare*passed/weights - given
		given += share
		pauses[i] = time.Duration(least+share) * half
	}
	return pauses
}
