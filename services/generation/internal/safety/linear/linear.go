// Package linear is a small classifier of short texts: the mean of three softmaxes (multinomial logistic regressions), each over
// another view of hashed words, their stems and senses, pairs of these and parts of words. It owns the features, the training and the file format, and knows
// nothing of what its classes mean. Training gives the same bytes on every machine: it adds in one order,
// rounds every product before it is added, and uses no function that machines compute differently.
package linear

import (
	"encoding/binary"
	"errors"
	"math"
	"slices"
)

// ErrFormat is the refusal of weights that are not of this number of classes.
var ErrFormat = errors.New("linear: weights of another size")

// Model is a table for every view, one behind the other.
type Model struct {
	classes int
	tables  []table
}

// table is a scale, which is a float32 with its lowest byte first, and behind it one signed byte for every
// class in every bucket, the classes of a bucket side by side. A weight is its byte times the scale.
type table struct {
	scale   float32
	weights []byte
}

const scaleBytes = 4

// Open reads weights that Train has made for so many classes. It keeps them, and does not copy them.
func Open(weights []byte, classes int) (*Model, error) {
	size := scaleBytes + classes*buckets
	if classes < 1 || len(weights) != len(views)*size {
		return nil, ErrFormat
	}
	m := &Model{classes: classes}
	for part := range slices.Chunk(weights, size) {
		m.tables = append(m.tables, table{math.Float32frombits(binary.LittleEndian.Uint32(part)), part[scaleBytes:]})
	}
	return m, nil
}

// Chances that a text is of each class, 0 to 1; together they are 1.
func (m *Model) Chances(words []Word) []float32 {
	means := make([]float32, m.classes)
	for i, t := range m.tables {
		for class, chance := range t.chances(views[i](words), m.classes) {
			means[class] += chance / float32(len(m.tables))
		}
	}
	return means
}

func (t table) chances(found []uint32, classes int) []float32 {
	sums := make([]int32, classes)
	for _, at := range found {
		for class := range sums {
			sums[class] += int32(int8(t.weights[int(at)*classes+class]))
		}
	}
	chances, unit := make([]float32, classes), t.scale*share(len(found))
	for class, sum := range sums {
		chances[class] = float32(sum) * unit
	}
	softmax(chances)
	return chances
}
