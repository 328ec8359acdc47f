package search

import (
	"slices"
	"unicode/utf8"
)

// Piece of a text; Matched is a word that was looked for.
type Piece struct {
	Text    string
	Matched bool
}

const (
	// excerptBefore is how much of a text stands before the first word that was found, excerptSize how much there is at
	// most, in bytes. Both are cut at a word.
	excerptBefore = 60
	excerptSize   = 200
	ellipsis      = "…"
)

// pieces of a text: what was looked for is marked.
func pieces(text string, words []wanted) (all []Piece) {
	from := 0
	for _, w := range Words(text) {
		if !means(words, w.Folded) {
			continue
		}
		if w.Start > from {
			all = append(all, Piece{Text: text[from:w.Start]})
		}
		all = append(all, Piece{text[w.Start:w.End], true})
		from = w.End
	}
	if from < len(text) {
		all = append(all, Piece{Text: text[from:]})
	}
	return all
}

func means(words []wanted, folded string) bool {
	return slices.ContainsFunc(words, func(w wanted) bool { return w.means(folded) })
}

// excerpt is the part of a text around the first searched word, or the text's beginning when it contains no such word.
func excerpt(text string, words []wanted) []Piece {
	start := 0
	for from := 0; len(words) > 0; {
		w, found := nextWord(text, from)
		if !found {
			break
		}
		if means(words, w.Folded) {
			start = wordAt(text, w.Start-excerptBefore)
			break
		}
		from = w.End
	}
	end := len(text)
	if start+excerptSize < end {
		end = cutBefore(text, start, start+excerptSize)
	}
	all := pieces(text[start:end], words)
	if start > 0 {
		all = append([]Piece{{Text: ellipsis}}, all...)
	}
	if end < len(text) {
		all = append(all, Piece{Text: ellipsis})
	}
	return all
}

// wordAt is where the first word begins whose whole stands at or behind a byte of the text.
func wordAt(text string, at int) int {
	if at <= 0 {
		return 0
	}
	for at < len(text) && !utf8.RuneStart(text[at]) {
		at++
	}
	r, size := utf8.DecodeRuneInString(text[at:])
	for at < len(text) && (isLetter(r) || isApostrophe(r)) {
		at += size
		r, size = utf8.DecodeRuneInString(text[at:])
	}
	if w, found := nextWord(text, at); found {
		return w.Start
	}
	return at
}

// cutBefore is the end of the last whole word before a byte of the text, or that byte when no word ends before it.
func cutBefore(text string, start, at int) int {
	for !utf8.RuneStart(text[at]) {
		at--
	}
	for end := at; end > start; {
		r, size := utf8.DecodeLastRuneInString(text[start:end])
		if !isLetter(r) && !isApostrophe(r) {
			return end - size
		}
		end -= size
	}
	return at
}
