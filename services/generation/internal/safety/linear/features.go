package linear

import (
	"math"
	"slices"
)

const (
	// buckets that features of a view are hashed into: two to the seventeenth. Half as many read titles worse.
	buckets = 1 << 17
	// shortest and longest parts of words, in bytes, that are features; words shorter than minParted have none.
	shortPart, longPart, minParted = 4, 5, 4
	// reach is how many words on a sense is still looked for beside another, and far the same for stems and senses in pairs.
	reach, far = 2, 6
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

// view is a way to read a text: its features, each as its bucket, sorted and once each.
type view func(words []Word) []uint32

// views of a text. Each has weights, and the chances are the means of theirs: what one view errs in another often has right.
var views = []view{all, asWritten, inPairs}

// all are words, their stems and senses, pairs of these, parts of longer words, the length, and one that every text has.
func all(words []Word) []uint32 {
	found := general(words)
	for i, word := range words {
		found = append(found, written(words, i)...)
		for _, sense := range word.Senses {
			found = append(found, bucket('S', sense))
		}
		for gap := 1; gap <= reach && i+gap < len(words); gap++ {
			found = append(found, senses(word, words[i+gap])...)
		}
	}
	return unique(found)
}

// asWritten are the same without senses.
func asWritten(words []Word) []uint32 {
	found := general(words)
	for i := range words {
		found = append(found, written(words, i)...)
	}
	return unique(found)
}

// inPairs are stems and senses, and pairs of these in their order, however far apart the two stand, up to a limit.
func inPairs(words []Word) []uint32 {
	found := general(words)
	for i, word := range words {
		for _, one := range meanings(word) {
			found = append(found, bucket('u', one))
			for _, next := range words[i+1 : min(i+1+far, len(words))] {
				for _, other := range meanings(next) {
					found = append(found, bucket('v', one, other))
				}
			}
		}
	}
	return unique(found)
}

// meanings of a word are its stem and its senses.
func meanings(word Word) []string { return append([]string{word.Stem}, word.Senses...) }

// general features are one that every text has, and its length.
func general(words []Word) []uint32 {
	return []uint32{bucket('k'), bucket('L', string(rune('0'+min(len(words)/lengthStep, longestStep))))}
}

// written features of a word: itself, its stem, its parts, and it beside the next two.
func written(words []Word, i int) []uint32 {
	word := words[i]
	found := append(parts(word.Text), bucket('w', word.Text), bucket('m', word.Stem))
	if i+1 < len(words) {
		found = append(found, bucket('b', word.Text, words[i+1].Text), bucket('n', word.Stem, words[i+1].Stem))
	}
	if i+2 < len(words) {
		found = append(found, bucket('s', word.Text, words[i+2].Text))
	}
	return found
}

func unique(found []uint32) []uint32 {
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
