package linear

import (
	"math"
	"slices"
)

const (
	// buckets that features are hashed into: two to the sixteenth.
	buckets = 1 << 16
	// shortest and longest parts of words, in bytes, that are features; words shorter than minParted have none.
	shortPart, longPart, minParted = 4, 5, 4
)

// features of a text: its words, pairs of them, pairs with a word between, parts of longer words, and one
// that every text has; each as its bucket, sorted and once each.
func features(words []string) []uint32 {
	found := []uint32{bucket('k')}
	for i, word := range words {
		found = append(found, bucket('w', word))
		if i+1 < len(words) {
			found = append(found, bucket('b', word, words[i+1]))
		}
		if i+2 < len(words) {
			found = append(found, bucket('s', word, words[i+2]))
		}
		found = append(found, parts(word)...)
	}
	slices.Sort(found)
	return slices.Compact(found)
}

func parts(word string) (found []uint32) {
	if len(word) < minParted {
		return nil
	}
	edged := "<" + word + ">"
	for size := shortPart; size <= longPart; size++ {
		for from := 0; from+size <= len(edged); from++ {
			found = append(found, bucket('c', edged[from:from+size]))
		}
	}
	return found
}

// bucket of a feature by 32-bit FNV-1a, its upper half folded in.
func bucket(kind byte, words ...string) uint32 {
	const offset, prime, fold = 2166136261, 16777619, 15
	sum := (uint32(offset) ^ uint32(kind)) * prime
	for _, word := range words {
		sum = (sum ^ ' ') * prime
		for i := range len(word) {
			sum = (sum ^ uint32(word[i])) * prime
		}
	}
	return (sum ^ sum>>fold) % buckets
}

// share is the part that each of so many features has in a score: long and short texts then compare.
func share(features int) float32 { return float32(1 / math.Sqrt(float64(features))) }
