package main

import (
	"math"
	"slices"
	"time"
)

// percentile is the smallest value that p of 100 values do not pass (nearest rank); 0 of none.
func percentile(values []time.Duration, p float64) time.Duration {
	if len(values) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(values))
	rank := int(math.Ceil(p / 100 * float64(len(sorted))))
	return sorted[min(max(rank, 1), len(sorted))-1]
}

// median of numbers, the lower of two in the middle; 0 of none.
func median(values []float64) float64 {
	if len(values) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(values))
	return sorted[(len(sorted)-1)/2]
}

func seconds(d time.Duration) Quantity { return Quantity{d.Seconds(), "s"} }

func milliseconds(d time.Duration) Quantity { return Quantity{d.Seconds() * 1000, "ms"} }
