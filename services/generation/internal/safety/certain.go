package safety

import "slices"

// Certain says whether a text that is no title speaks of a crisis, by the certain rules, and by all of them beside a word of method or harm.
// The classifier and the other rules know how titles speak: they find a crisis in much of what a meditation says.
func Certain(text string) bool {
	if rules().certainly(text) {
		return true
	}
	read, differs := spaced(text)
	return differs && rules().certainly(read)
}

func (r *ruleSet) certainly(text string) bool {
	for part := range windows(words(text)) {
		at := r.places(part)
		danger, hidden := at[r.cancel] != 0, r.hidden(at)
		says := func(reads rule) bool {
			if Classes[reads.rank] != Crisis || reads.weak(danger) {
				return false
			}
			open := anywhere
			if !reads.plain {
				open = ^hidden[reads.rank]
			}
			return reads.ends(at, anywhere, open) != 0
		}
		if slices.ContainsFunc(r.rules, says) {
			return true
		}
	}
	return false
}
