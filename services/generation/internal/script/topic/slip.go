package topic

// minSlip is the length in letters from which a word may be a slip of another: shorter ones are too often another word.
const minSlip = 5

// isSlip says whether a word is another one but for one letter that is wrong, missing or too many, or two that have changed
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
		return at < len(short) && (short[at+1:] == long[at+1:] || changedPlaces(short[at:], long[at:]))
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

// spelled replaces words that nobody knows by the keyword that they are a slip of.
func (x *Index) spelled(words []string) []string {
	for i, word := range words {
		if len(word) < minSlip || x.known(word) || x.keywords[word] {
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
