// Package linear is a small classifier of short texts: an averaged perceptron (Collins 2002) over
// hashed words and parts of words. It owns the features, the training and the file format, works in
// whole numbers alone, so that training gives the same bytes on every machine, and knows nothing of
// what its classes mean.
package linear

import (
	"errors"
	"math"
)

// ErrFormat is the refusal of weights that are not of this number of classes.
var ErrFormat = errors.New("linear: weights of another size")

// Model is one signed byte for every class in every bucket, the classes of a bucket side by side.
type Model struct {
	classes int
	weights []byte
}

// unit is what a weight of one is in the file; larger weights than 127 units are cut to it.
const unit = 8

// Open reads weights that Train has made for so many classes.
func Open(weights []byte, classes int) (*Model, error) {
	if classes < 1 || len(weights) != classes*buckets {
		return nil, ErrFormat
	}
	return &Model{classes, weights}, nil
}

// Scores of a text, one a class, higher for a likelier one. They are divided by the square root of
// the number of features, so that long and short texts compare. A text without words scores nothing.
func (m *Model) Scores(words []string) []float64 {
	sums, found := make([]int, m.classes), features(words)
	for _, at := range found {
		for class := range sums {
			sums[class] += int(int8(m.weights[int(at)*m.classes+class]))
		}
	}
	scores := make([]float64, m.classes)
	for class, sum := range sums {
		scores[class] = float64(sum) / (unit * math.Sqrt(float64(max(len(found), 1))))
	}
	return scores
}
