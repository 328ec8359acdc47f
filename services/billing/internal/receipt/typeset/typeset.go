// Package typeset makes of a text what can be drawn glyph by glyph from left to right: lines of runs, each in a font that has all of it.
//
// Three fonts are at hand. Go draws Latin, Greek and Cyrillic. DejaVu draws the rarer letters of these, Arabic, Hebrew, Armenian, Georgian
// and some more. M PLUS draws kana, and the Chinese characters that Japanese and most traditional Chinese names need.
//
// No font that can be had as a Go module under a free licence, at a sensible size and as TrueType, has simplified Chinese, Korean, Thai or
// the scripts of India. What no font has is written in Latin letters instead, the whole of the text's Chinese characters where one of them
// is missing. Chinese characters are read as Mandarin. What has no reading, such as an emoji or a character beyond Unicode's first plane,
// is left out. So no text ever shows the box of a missing glyph.
package typeset

import (
	"slices"
	"unicode"

	"golang.org/x/text/unicode/bidi"
)

// Run is a piece of a line in one font, as it is drawn from left to right.
type Run struct {
	Face Face
	Text string
}

// Line is drawn from its first run to its last. A text that begins right to left is set against the right margin.
type Line struct {
	Runs        []Run
	RightToLeft bool
}

// Measure gives the width of a text in a font, in the unit of the caller.
type Measure func(face Face, text string) float64

// Lines sets a text within a width: it breaks at spaces and beside Chinese characters, and within a word that is longer than a line. A text
// of which nothing can be drawn has no lines.
func Lines(text string, width float64, measure Measure) []Line {
	letters := shaped([]rune(drawable(text)))
	rightToLeft := beginsRightToLeft(letters)
	var lines []Line
	for _, line := range wrap(clusters(letters, levels(letters, rightToLeft), measure), width) {
		lines = append(lines, Line{Runs: runs(reordered(line)), RightToLeft: rightToLeft})
	}
	return lines
}

// cluster is a letter with the marks upon it: nothing comes between them.
type cluster struct {
	text  []rune
	face  Face
	level int // of embedding: odd is right to left
	width float64
}

// clusters gives each letter its font. What belongs to every script, such as a space or a digit, keeps the font before it.
func clusters(letters []rune, levels []int, measure Measure) []cluster {
	var all []cluster
	face := Go
	for at := 0; at < len(letters); {
		end := at + 1
		for end < len(letters) && unicode.Is(unicode.M, letters[end]) {
			end++
		}
		c := cluster{text: letters[at:end], level: levels[at]}
		if !unicode.Is(unicode.Common, c.text[0]) || !face.hasAll(c.text) {
			face, c.text = faceOf(c.text)
		}
		c.face = face
		c.width = measure(face, string(c.text))
		all = append(all, c)
		at = end
	}
	return all
}

// faceOf is the first font that has a letter with its marks, or else the first that has the letter, without the marks that it lacks.
func faceOf(text []rune) (Face, []rune) {
	for _, face := range Faces {
		if face.hasAll(text) {
			return face, text
		}
	}
	for _, face := range Faces {
		if face.Has(text[0]) {
			return face, slices.DeleteFunc(slices.Clone(text), func(r rune) bool { return !face.Has(r) })
		}
	}
	return Go, nil // a letter that no font has is not drawable, so none comes here
}

// wrap breaks clusters, which are in the order of reading, into lines.
func wrap(all []cluster, width float64) [][]cluster {
	var lines [][]cluster
	for all = trimmed(all); len(all) > 0; all = trimmed(all) {
		n := fitting(all, width)
		lines = append(lines, trimmed(all[:n]))
		all = all[n:]
	}
	return lines
}

// fitting is how many clusters stand in one line: one at least.
func fitting(all []cluster, width float64) int {
	var used float64
	for n, c := range all {
		used += c.width
		if used <= width || n == 0 || c.isSpace() {
			continue
		}
		for at := n; at > 0; at-- {
			if all[at-1].isSpace() || all[at-1].breaks() || all[at].breaks() {
				return at
			}
		}
		return n
	}
	return len(all)
}

func (c cluster) isSpace() bool { return c.text[0] == ' ' }

// breaks says whether a line may break beside it.
func (c cluster) breaks() bool { return unicode.In(c.text[0], withoutSpaces...) }

func trimmed(all []cluster) []cluster {
	for len(all) > 0 && all[0].isSpace() {
		all = all[1:]
	}
	for len(all) > 0 && all[len(all)-1].isSpace() {
		all = all[:len(all)-1]
	}
	return all
}

// runs joins neighbours of one font.
func runs(line []cluster) []Run {
	var all []Run
	for _, c := range line {
		if n := len(all); n == 0 || all[n-1].Face != c.face {
			all = append(all, Run{Face: c.face})
		}
		all[len(all)-1].Text += string(c.text)
	}
	return all
}

// beginsRightToLeft says which way a text goes: that of its first letter that goes any.
func beginsRightToLeft(letters []rune) bool {
	for _, r := range letters {
		class := classOf(r)
		if class == bidi.L {
			return false
		}
		if class == bidi.R || class == bidi.AL {
			return true
		}
	}
	return false
}
