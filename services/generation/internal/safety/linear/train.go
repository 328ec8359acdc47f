package linear

import (
	"cmp"
	"encoding/binary"
	"math"
	"slices"
)

// Example is a text whose class is known.
type Example struct {
	Words []Word
	Class int
}

const (
	// rounds through all examples, and the length of steps. Half and twice of either gave the same figures on
	// titles of authors that were left out.
	rounds, rate = 8, 0.2
	// steady keeps the first steps of a weight short.
	steady = 1e-3
)

// trainer keeps the weights and, for the length of each one's next step, the sum of its squared slopes.
type trainer struct {
	classes          int
	weights, squares []float32
}

// Train makes the weights for so many classes by Adagrad (Duchi, Hazan, Singer 2011). The same examples, in
// whichever order, make the same bytes.
func Train(examples []Example, classes int) (weights []byte) {
	for _, reads := range views {
		weights = append(weights, train(examples, classes, reads)...)
	}
	return weights
}

func train(examples []Example, classes int, reads view) []byte {
	t := trainer{classes, make([]float32, classes*buckets), make([]float32, classes*buckets)}
	read := make([]sample, 0, len(examples))
	for _, e := range examples {
		read = append(read, sample{reads(e.Words), e.Class, key(e.Words)})
	}
	for round := range uint32(rounds) {
		shuffle(read, round)
		for _, s := range read {
			t.learn(s)
		}
	}
	return t.file()
}

type sample struct {
	found []uint32
	class int
	key   uint32
}

// shuffle puts the samples into another order for each round.
func shuffle(all []sample, round uint32) {
	const odd, step = 2654435761, 40503
	place := func(s sample) uint32 { return (s.key ^ round*step) * odd }
	slices.SortFunc(all, func(a, b sample) int {
		return cmp.Or(cmp.Compare(place(a), place(b)), slices.Compare(a.found, b.found), cmp.Compare(a.class, b.class))
	})
}

// key of all words in order.
func key(words []Word) uint32 {
	const prime = 16777619
	key := uint32(0)
	for _, word := range words {
		key = key*prime + bucket('k', word.Text)
	}
	return key
}

// learn moves the weights of a sample's features one step down the slope of its loss.
func (t *trainer) learn(s sample) {
	slopes, part := make([]float32, t.classes), share(len(s.found))
	for _, at := range s.found {
		for class, weight := range t.row(t.weights, at) {
			slopes[class] += weight
		}
	}
	for class := range slopes {
		slopes[class] *= part
	}
	softmax(slopes)
	slopes[s.class]--
	for class := range slopes {
		slopes[class] *= part
	}
	for _, at := range s.found {
		move(t.row(t.weights, at), t.row(t.squares, at), slopes)
	}
}

// row of a bucket, one number for every class.
func (t *trainer) row(of []float32, bucket uint32) []float32 {
	return of[int(bucket)*t.classes:][:t.classes]
}

// move is one step of a bucket's weights. The conversions keep a machine from rounding a product and a sum at once.
func move(weights, squares, slopes []float32) {
	for class, slope := range slopes {
		squares[class] += float32(slope * slope)
		weights[class] -= float32(rate*slope) / (float32(math.Sqrt(float64(squares[class]))) + steady)
	}
}

// file has the weights as bytes, the largest of them as 127.
func (t *trainer) file() []byte {
	const least = 1e-6 // where all weights are 0
	scale := float32(least)
	for _, weight := range t.weights {
		scale = max(scale, weight/math.MaxInt8, -weight/math.MaxInt8)
	}
	out := binary.LittleEndian.AppendUint32(nil, math.Float32bits(scale))
	for _, weight := range t.weights {
		out = append(out, byte(int8(math.Round(float64(weight/scale)))))
	}
	return out
}
