package linear

import (
	"cmp"
	"math"
	"slices"
)

// Example is a text whose class is known.
type Example struct {
	Words []string
	Class int
}

const (
	// rounds through all examples.
	rounds = 8
	// margin by which the right class must lead, times the square root of the number of features.
	margin = 6
)

// trainer keeps the weights and, for their average over time, each change times when it was made.
type trainer struct {
	classes          int
	weights, changes []int64
	now              int64
}

// Train makes the weights for so many classes. The same examples, in whichever order, make the same bytes.
func Train(examples []Example, classes int) []byte {
	t := trainer{classes: classes, weights: make([]int64, classes*buckets), changes: make([]int64, classes*buckets)}
	read := make([]sample, 0, len(examples))
	for _, e := range examples {
		read = append(read, sample{features(e.Words), e.Class, bucket32(e.Words)})
	}
	for round := range uint32(rounds) {
		shuffle(read, round)
		for _, s := range read {
			t.learn(s)
		}
	}
	return t.average()
}

type sample struct {
	found []uint32
	class int
	key   uint32
}

// shuffle puts the samples into an order of their own for each round.
func shuffle(all []sample, round uint32) {
	const odd, step = 2654435761, 40503
	place := func(s sample) uint32 { return (s.key ^ round*step) * odd }
	slices.SortFunc(all, func(a, b sample) int {
		return cmp.Or(cmp.Compare(place(a), place(b)), slices.Compare(a.found, b.found), cmp.Compare(a.class, b.class))
	})
}

// bucket32 is a key of all words in order.
func bucket32(words []string) uint32 {
	const prime = 16777619
	key := uint32(0)
	for _, word := range words {
		key = key*prime + bucket('k', word)
	}
	return key
}

// learn moves the weights where the right class does not lead by the margin.
func (t *trainer) learn(s sample) {
	t.now++
	scores := make([]int64, t.classes)
	for _, at := range s.found {
		for class := range scores {
			scores[class] += t.weights[int(at)*t.classes+class]
		}
	}
	rival := -1
	for class := range scores {
		if class != s.class && (rival < 0 || scores[class] > scores[rival]) {
			rival = class
		}
	}
	if rival < 0 || scores[s.class]-scores[rival] >= margin*int64(math.Sqrt(float64(len(s.found)))) {
		return
	}
	for _, at := range s.found {
		t.move(int(at)*t.classes+s.class, 1)
		t.move(int(at)*t.classes+rival, -1)
	}
}

func (t *trainer) move(at int, by int64) {
	t.weights[at] += by
	t.changes[at] += by * t.now
}

// average of each weight over all steps, as the file has it.
func (t *trainer) average() []byte {
	out := make([]byte, len(t.weights))
	for i, weight := range t.weights {
		mean := (weight*t.now - t.changes[i]) * unit / max(t.now, 1)
		out[i] = byte(int8(min(max(mean, -math.MaxInt8), math.MaxInt8)))
	}
	return out
}
