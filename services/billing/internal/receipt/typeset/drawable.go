package typeset

import (
	"slices"
	"strings"
	"unicode"

	"github.com/mozillazg/go-unidecode"
	"golang.org/x/text/unicode/bidi"
	"golang.org/x/text/unicode/norm"
)

// drawable is the text in letters that a font has each of, in one line, composed as far as it can be.
func drawable(text string) string {
	letters := []rune(norm.NFC.String(strings.Map(kept, text)))
	letters = slices.DeleteFunc(letters, pointed())
	whole := !slices.ContainsFunc(letters, func(r rune) bool { return isJapaneseOrChinese(r) && !anyHas(r) && inLatin(r) != "" })
	if !whole {
		letters = []rune(norm.NFKC.String(string(letters))) // so that digits are not as wide as the characters that go
	}
	var out strings.Builder
	bare := true // nothing is there yet that a mark could stand upon
	for at, r := range letters {
		switch {
		case unicode.Is(unicode.M, r) && (bare || !anyHas(r)):
			if !anyHas(r) {
				out.WriteString(strings.TrimSpace(inLatin(r))) // a vowel of a script of India, or of Thai
			}
			continue
		case r == nonJoiner, anyHas(r) && (whole || !isJapaneseOrChinese(r)):
			out.WriteRune(r)
		default:
			startsWord := at == 0 || !unicode.In(letters[at-1], unicode.L, unicode.M, unicode.N)
			out.WriteString(spelled(r, startsWord))
			bare = true
			continue
		}
		bare = r == ' ' || r == nonJoiner
	}
	return strings.Join(strings.Fields(out.String()), " ")
}

// pointed says of each letter in turn whether it is a mark upon a Hebrew or Arabic letter. They are left out, as in everyday writing: the
// PDF library cannot set a mark upon a letter that goes from right to left. What Unicode has as one letter, such as alef with hamza, stays.
func pointed() func(r rune) bool {
	upon := bidi.L
	return func(r rune) bool {
		if unicode.Is(unicode.M, r) {
			return upon == bidi.R || upon == bidi.AL
		}
		upon = classOf(r)
		return false
	}
}

// kept leaves out what is not drawn by itself, or changes how the rest is: controls, marks of direction, selectors and joiners of emoji,
// and what was no text at all. Spaces of every kind are one.
func kept(r rune) rune {
	switch {
	case unicode.IsSpace(r):
		return ' '
	case r == nonJoiner:
		return r
	case r == unicode.ReplacementChar, unicode.In(r, unicode.C, unicode.Variation_Selector), !unicode.In(r, unicode.L, unicode.M, unicode.N, unicode.P, unicode.S, unicode.Zs):
		return -1
	}
	return r
}

// spelled is a letter that no font has, in letters that one has: as its plain form, such as that of a mathematical letter, or in Latin
// letters. A word of a script without capitals begins with one.
func spelled(r rune, startsWord bool) string {
	if plain := norm.NFKC.String(string(r)); plain != string(r) && !strings.ContainsFunc(plain, func(r rune) bool { return !anyHas(r) || unicode.Is(unicode.M, r) }) {
		return plain
	}
	latin := inLatin(r)
	if unicode.Is(unicode.Han, r) {
		return " " + latin + " "
	}
	if startsWord && unicode.Is(unicode.Lo, r) && latin != "" {
		return strings.ToUpper(latin[:1]) + latin[1:]
	}
	return latin
}

// inLatin is a letter's reading in Latin letters; empty for a letter without a reading.
func inLatin(r rune) string {
	return strings.Map(func(r rune) rune {
		if r != ' ' && !anyHas(r) {
			return -1
		}
		return r
	}, unidecode.Unidecode(string(r)))
}
