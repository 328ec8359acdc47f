package account

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"serein.app/services/platform/typed"
)

const (
	nameMax = 100
	// marksMax is how many combining marks may follow each other: Vietnamese needs two, some scripts
	// three, and dozens paint over the lines around them.
	marksMax = 4

	zeroWidthNonJoiner = '\u200C'
	zeroWidthJoiner    = '\u200D'
)

// parseName accepts names in any script, emoji and angle brackets included: a name is text, and the page that shows it escapes it. A name
// is visible: it has a letter and no invisible character.
func parseName(field, s string) (string, error) {
	name := typed.Name(s)
	switch n := utf8.RuneCountInString(name); {
	case n == 0 && field == "given_name":
		return "", invalid(field, "Please enter your first name.")
	case n == 0:
		return "", invalid(field, "Please enter your family name.")
	case n > nameMax:
		return "", invalid(field, "A name has at most 100 characters.")
	case !utf8.ValidString(name) || strings.ContainsFunc(name, steersText):
		return "", invalid(field, "A name can’t have control characters.")
	case hidden(name) || marksInARow(name) > marksMax:
		return "", invalid(field, "A name can’t have invisible characters.")
	case !strings.ContainsFunc(name, unicode.IsLetter):
		return "", invalid(field, "A name needs at least one letter.")
	}
	return name, nil
}

// steersText finds what would change the text around it: control characters, line and
// paragraph separators, and what steers the writing direction (LRM, RLM and ALM among them). Mail
// refuses the same.
func steersText(r rune) bool {
	return unicode.IsControl(r) || unicode.In(r, unicode.Zl, unicode.Zp, unicode.Bidi_Control)
}

// hidden finds characters that show nothing. Joiners stand where scripts and emoji need them, between two
// characters that are seen, and a variation selector behind one.
func hidden(s string) bool {
	runes := []rune(s)
	seen := func(i int) bool {
		return i >= 0 && i < len(runes) && !invisible(runes[i]) && !unicode.IsSpace(runes[i])
	}
	for i, r := range runes {
		switch {
		case !invisible(r):
		case (r == zeroWidthJoiner || r == zeroWidthNonJoiner) && (seen(i-1) || i > 0 && unicode.Is(unicode.Variation_Selector, runes[i-1])) && seen(i+1):
		case unicode.Is(unicode.Variation_Selector, r) && seen(i-1):
		default:
			return true
		}
	}
	return false
}

// invisible is Default_Ignorable_Code_Point as UAX #44 derives it, and noncharacters, which stand for nothing.
func invisible(r rune) bool {
	if unicode.In(r, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector, unicode.Noncharacter_Code_Point) {
		return true
	}
	return unicode.Is(unicode.Cf, r) && !unicode.Is(unicode.Prepended_Concatenation_Mark, r)
}

// marksInARow is the longest run of combining marks. A variation selector is none that is seen.
func marksInARow(s string) int {
	longest, run := 0, 0
	for _, r := range s {
		if unicode.Is(unicode.M, r) && !invisible(r) {
			run++
		} else {
			run = 0
		}
		longest = max(longest, run)
	}
	return longest
}
