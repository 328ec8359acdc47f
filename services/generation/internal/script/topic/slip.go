package topic

import "strings"

// minSlip is the length in letters from which a word may be a slip of another: shorter ones are too often another word.
const minSlip = 5

// isSlip says whether a word is another one but for one letter that is mistaken, missing or too many, or two that have changed
// places. The first letter is right in nearly all slips.
func isSlip(word, right string) bool {
	if len(word) < minSlip || len(right) < minSlip || word[0] != right[0] {
		return false
	}
	short, long := word, right
	if len(short) > len(long) {
		short, long = long, short
	}
	at := 0
	for at < len(short) && short[at] == long[at] {
		at++
	}
	switch len(long) - len(short) {
	case 0:
		return at < len(short) && (short[at+1:] == long[at+1:] && isMistaken(short[at], long[at], len(short)) || changedPlaces(short[at:], long[at:]))
	case 1:
		return short[at:] == long[at+1:]
	default:
		return false
	}
}

// changedPlaces says whether the first two letters of one are those of the other in the other order, and the rest the same.
func changedPlaces(x, y string) bool {
	return len(x) > 1 && x[0] == y[1] && x[1] == y[0] && x[2:] == y[2:]
}

// isRight says that a word is spelled right: the index knows it or one of its stem, or the product's own words have it.
func (x *Index) isRight(word string) bool {
	return x.keywords[word] || x.keyStems[stem(word)] || is("right", word) || x.known(word)
}

// spelled replaces words that nobody knows by the keyword that they are a slip of.
func (x *Index) spelled(words []string) []string {
	for i, word := range words {
		if len(word) < minSlip || x.isRight(word) {
			continue
		}
		for _, right := range x.longKeywords {
			if isSlip(word, right) {
				words[i] = right
				break
			}
		}
	}
	return words
}

// minVowel is the length in letters from which one vowel in a word may stand for another: shorter ones are too often another word.
const minVowel = 7

// isMistaken says whether one letter is written for the other, in a word of that length: two that are neighbours on the
// keyboard, or two vowels.
func isMistaken(x, y byte, length int) bool {
	vowels := strings.IndexByte("aeiou", x) >= 0 && strings.IndexByte("aeiou", y) >= 0
	return areNeighbours(x, y) || vowels && length >= minVowel
}

// keyboard has the rows of letters, each of which begins half a key further to the right than the one above.
var keyboard = [...]string{"qwertyuiop", "asdfghjkl", "zxcvbnm"}

// areNeighbours says whether two letters lie side by side on the keyboard, in one row or in two.
func areNeighbours(x, y byte) bool {
	for row, keys := range keyboard {
		at := strings.IndexByte(keys, x)
		if at < 0 {
			continue
		}
		for _, beside := range [...]struct{ row, from, to int }{{row - 1, at, at + 1}, {row, at - 1, at + 1}, {row + 1, at - 1, at}} {
			if beside.row < 0 || beside.row >= len(keyboard) {
				continue
			}
			if other := strings.IndexByte(keyboard[beside.row], y); other >= beside.from && other <= beside.to && other >= 0 {
				return true
			}
		}
	}
	return false
}
