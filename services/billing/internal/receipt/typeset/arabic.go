package typeset

import (
	"slices"
	"sync"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

const (
	tatweel   = 'ـ'      // joins on both sides, and has no forms
	nonJoiner = '\u200c' // keeps two letters apart, and is not drawn
)

// The forms that a letter has, in Unicode's order. One that joins only to the letter before it has the first two.
const (
	isolated = iota
	final
	initial
	medial
)

// presentation are the letters' forms, and those of lam with alef, as Unicode lists them in its blocks of presentation forms.
var presentation = sync.OnceValue(func() map[string][]rune {
	forms := map[string][]rune{}
	for _, block := range [][2]rune{{0xFE80, 0xFEFC}, {0xFB50, 0xFBB1}, {0xFBD3, 0xFBE9}, {0xFBFC, 0xFBFF}} {
		for r := block[0]; r <= block[1]; r++ {
			of := norm.NFKC.String(string(r))
			forms[of] = append(forms[of], r)
		}
	}
	return forms
})

// shaped puts the forms that join in place of Arabic letters: the PDF library draws each glyph by itself.
func shaped(letters []rune) []rune {
	var out []rune
	for at := 0; at < len(letters); at++ {
		if letters[at] == nonJoiner {
			continue
		}
		text := letters[at : at+1]
		if pair := ligature(letters, at); pair != nil {
			text = pair
		}
		forms := presentation()[string(text)]
		if len(forms) == 0 {
			out = append(out, letters[at])
			continue
		}
		form := formAt(letters, at, at+len(text), len(forms))
		if form < len(forms) && DejaVu.Has(forms[form]) {
			out = append(out, forms[form])
			at += len(text) - 1
		} else {
			out = append(out, letters[at])
		}
	}
	return out
}

// ligature is lam with the alef that follows it, which are never written side by side.
func ligature(letters []rune, at int) []rune {
	if at+1 < len(letters) && letters[at] == 'ل' && len(presentation()[string(letters[at:at+2])]) > 0 {
		return letters[at : at+2]
	}
	return nil
}

// formAt is the form of the letters from at to end, which have that many forms.
func formAt(letters []rune, at, end, forms int) int {
	joinsBefore := at > 0 && joinsNext(letters[at-1])
	joinsAfter := forms > initial && end < len(letters) && joinsPrevious(letters[end])
	switch {
	case joinsBefore && joinsAfter:
		return medial
	case joinsBefore && forms > final:
		return final
	case joinsAfter:
		return initial
	}
	return isolated
}

// joinsNext says whether a letter joins to the one after it.
func joinsNext(r rune) bool { return r == tatweel || len(presentation()[string(r)]) > initial }

// joinsPrevious says whether a letter joins to the one before it.
func joinsPrevious(r rune) bool { return r == tatweel || len(presentation()[string(r)]) > final }

var withoutSpaces = []*unicode.RangeTable{unicode.Han, unicode.Hiragana, unicode.Katakana}

// isJapaneseOrChinese says whether a letter is written without spaces between the words.
func isJapaneseOrChinese(r rune) bool {
	return unicode.In(r, withoutSpaces...) || slices.Contains([]rune{'ー', '々'}, r)
}
