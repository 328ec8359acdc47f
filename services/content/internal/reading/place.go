package reading

import "math"

// Place is where a page of a list ended.
type Place struct {
	Place int64
	ID    string
}

// First is where a list begins.
var First = Place{Place: math.MaxInt64}
