package linear

// softmax turns scores into chances, in place.
func softmax(scores []float32) {
	best, sum := scores[0], float32(0)
	for _, score := range scores {
		best = max(best, score)
	}
	for i, score := range scores {
		scores[i] = exp(score - best)
		sum += scores[i]
	}
	for i := range scores {
		scores[i] /= sum
	}
}

// exp is e to the power of x, at most 0, as (1 + x/n)^n. The function of package math is not used: its last
// bit may differ between machines.
func exp(x float32) float32 {
	const squarings = 16
	power := max(0, 1+float64(x)/(1<<squarings))
	for range squarings {
		power *= power
	}
	return float32(power)
}
