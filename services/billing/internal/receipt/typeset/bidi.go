package typeset

import (
	"slices"

	"golang.org/x/text/unicode/bidi"
)

func classOf(r rune) bidi.Class {
	properties, _ := bidi.LookupRune(r)
	return properties.Class()
}

// levels are the letters' levels of embedding (Unicode Standard Annex 9). The library gives the direction of each letter; the level follows
// from that and from the neighbouring letters, since a drawable text contains no explicit embeddings.
func levels(letters []rune, rightToLeft bool) []int {
	all := make([]int, len(letters))
	if len(letters) == 0 {
		return all
	}
	var paragraph bidi.Paragraph
	_, _ = paragraph.SetString(string(letters)) // fails never: it is given no options
	ordering, err := paragraph.Order()
	if err != nil {
		return all // as if all went from left to right
	}
	at := 0
	for i := range ordering.NumRuns() {
		run := ordering.Run(i)
		text := []rune(run.String())
		inner := 0 // letters that lie within what goes right to left
		if rightToLeft {
			inner = len(text)
		} else if i > 0 {
			inner = numberAtStart(text)
		}
		for j := range text {
			switch {
			case run.Direction() == bidi.RightToLeft:
				all[at+j] = 1
			case j < inner:
				all[at+j] = 2
			}
		}
		at += len(text)
	}
	pair(letters, all)
	return all
}

// pair gives each closing bracket the level of the opening one, which the library does not pair.
func pair(letters []rune, levels []int) {
	var open []int
	for at, r := range letters {
		properties, _ := bidi.LookupRune(r)
		if properties.IsOpeningBracket() {
			open = append(open, at)
			continue
		}
		for n := len(open) - 1; n >= 0 && properties.IsBracket(); n-- {
			if bidi.ReverseString(string(letters[open[n]])) == string(r) {
				levels[at] = levels[open[n]]
				open = open[:n]
			}
		}
	}
}

// numberAtStart is how many letters at the start belong to a number, which follows what goes right to left.
func numberAtStart(text []rune) int {
	end := 0
	for i, r := range text {
		switch class := classOf(r); {
		case class == bidi.L:
			return end
		case class == bidi.EN, class == bidi.AN, class == bidi.ET && end == i && i > 0:
			end = i + 1
		}
	}
	return end
}

// reordered puts a line's clusters in the order in which they stand on paper.
func reordered(line []cluster) []cluster {
	line = slices.Clone(line)
	for i, c := range line {
		if c.level%2 == 1 {
			line[i].text = append([]rune{mirrored(c.text[0], c.face)}, c.text[1:]...)
		}
	}
	for level := 2; level > 0; level-- {
		for at := 0; at < len(line); at++ {
			end := at
			for end < len(line) && line[end].level >= level {
				end++
			}
			slices.Reverse(line[at:end])
			at = max(at, end-1)
		}
	}
	return line
}

var mirrors = map[rune]rune{'<': '>', '>': '<', '«': '»', '»': '«', '‹': '›', '›': '‹'}

// mirrored is what stands for a letter where it is read from the right, such as a bracket, as far as the font has it.
func mirrored(r rune, face Face) rune {
	other, ok := mirrors[r]
	if !ok {
		other = []rune(bidi.ReverseString(string(r)))[0]
	}
	if !face.Has(other) {
		return r
	}
	return other
}
