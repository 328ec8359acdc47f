package linear

import (
	"math"
	"slices"
)

const (
	// buckets that features are hashed into: two to the seventeenth.
	buckets = 1 << 17
	// shortest and longest parts of words, in bytes, that are features; words shorter than minParted have none.
	shortPart, longPart, minParted = 4, 5, 4
	// reach is how many words on a sense is still looked for beside another.
	reach = 2
	// lengths of texts are told apart in steps of so many words, up to the longest step.
	lengthStep, longestStep = 2, 8
)

// Word is one of a text, and what it is known by.
type Word struct {
	// Text is the word as it stands there, Stem the word without its ending.
	Text, Stem string
	// Senses are names of what it may mean; most words have one or none.
	Senses []string
}

// features of a text, each as its bucket, sorted and once each: its words, their stems and senses, pairs of these,
// parts of longer words, the length, and one that every text has.
func features(words []Word) []uint32 {
	found := []uint32{bucket('k'), bucket('L', string(rune('0'+min(len(words)/lengthStep, longestStep))))}
	for i, word := range words {
		found = append(found, bucket('w', word.Text), bucket('m', word.Stem))
		for _, sense := range word.Senses {
			found = append(found, bucket('S', sense))
		}
		found = append(found, parts(word.Text)...)
		if i+1 < len(words) {
			found = append(found, bucket('b', word.Text, words[i+1].Text), bucket('n', word.Stem, words[i+1].Stem))
		}
		if i+2 < len(words) {
			found = append(found, bucket('s', word.Text, words[i+2].Text))
		}
		for gap := 1; gap <= reach && i+gap < len(words); gap++ {
			found = append(found, senses(word, words[i+gap])...)
		}
	}
	slices.Sort(found)
	return slices.Compact(found)
}

// senses of two words, each beside a sense or the stem of the other.
func senses(word, next Word) (found []uint32) {
	for _, sense := range word.Senses {
		found = append(found, bucket('1', sense, next.Stem))
		for _, other := range next.Senses {
			found = append(found, bucket('2', sense, other))
		}
	}
	for _, sense := range next.Senses {
		found = append(found, bucket('3', word.Stem, sense))
	}
	return found
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
