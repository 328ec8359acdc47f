package main

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Quantity is a number with its unit, as people write it.
type Quantity struct {
	N    float64
	Unit string
}

// String keeps three digits, and writes thousands with commas.
func (q Quantity) String() string {
	text := digits(q.N)
	if q.Unit == "" {
		return text
	}
	return text + " " + q.Unit
}

func digits(n float64) string {
	size := math.Abs(n)
	switch {
	case size >= 1000:
		return thousands(int64(math.Round(n/10) * 10))
	case size >= 100:
		return strconv.FormatFloat(n, 'f', 0, 64)
	case size >= 10:
		return strconv.FormatFloat(n, 'f', 1, 64)
	default:
		return strconv.FormatFloat(n, 'f', 2, 64)
	}
}

func thousands(n int64) string {
	text := strconv.FormatInt(n, 10)
	for at := len(text) - 3; at > 0 && text[at-1] != '-'; at -= 3 {
		text = text[:at] + "," + text[at:]
	}
	return text
}

// Figure is one thing measured, what it is held against, and what is asked of it.
type Figure struct {
	Name  string
	Value Quantity
	// Limit is what the machine gives without us; the ratio is Value to Limit.
	Limit     Quantity
	LimitName string
	// Target is what this repository asks for, empty for nothing; Met says whether it is so.
	Target string
	Met    bool
}

// Ratio of the figure to its limit; 0 for a figure without a limit.
func (f Figure) Ratio() float64 {
	if f.Limit.N == 0 {
		return 0
	}
	return f.Value.N / f.Limit.N
}

// below asks for less than most.
func (f Figure) below(most float64) Figure {
	f.Target, f.Met = "< "+strings.TrimSpace(strconv.FormatFloat(most, 'f', -1, 64)+" "+f.Value.Unit), f.Value.N < most
	return f
}

// above asks for at least least.
func (f Figure) above(least float64) Figure {
	f.Target, f.Met = "≥ "+strings.TrimSpace(thousands(int64(least))+" "+f.Value.Unit), f.Value.N >= least
	return f
}

// against holds the figure against a limit.
func (f Figure) against(name string, limit float64) Figure {
	f.LimitName, f.Limit = name, Quantity{limit, f.Value.Unit}
	return f
}

// atLeast asks for a share of the limit.
func (f Figure) atLeast(ratio float64) Figure {
	f.Target, f.Met = fmt.Sprintf("≥ %.3g of it", ratio), f.Ratio() >= ratio
	return f
}

// atMost asks for no more than a multiple of the limit.
func (f Figure) atMost(ratio float64) Figure {
	f.Target, f.Met = fmt.Sprintf("≤ %.3g of it", ratio), f.Ratio() <= ratio
	return f
}
