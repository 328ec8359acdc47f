// Package title decides which titles a member may give to a meditation, and in which form they are
// kept. Emoji, any script and text that looks like markup are allowed: a title is text. One that
// speaks of a crisis is not spoken back to the member, nor is anything said about its length or its
// characters: they are shown where help is instead.
package title

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	errorsv1 "serein.app/proto/gen/serein/errors/v1"
	"serein.app/services/generation/internal/safety"
	"serein.app/services/platform/errs"
)

// MaxLength in characters as people count them: marks and joiners on a letter or an emoji do not
// count again. MaxRunes bounds what is stored, however many marks a letter carries.
const (
	MaxLength = 80
	MaxRunes  = 320
	// maxRead runes of whatever was sent are read for a crisis, however long a title may be.
	maxRead = 2000
)

// The refusals. The message of ErrProfane is the specification's.
var (
	ErrRequired = errs.New(errs.Invalid, errorsv1.Reason_REASON_TITLE_REQUIRED, "Give your meditation a title.").On("title")
	ErrTooLong  = errs.New(errs.Invalid, errorsv1.Reason_REASON_TITLE_TOO_LONG, "A title has at most 80 characters.").On("title")
	ErrInvalid  = errs.New(errs.Invalid, errorsv1.Reason_REASON_TITLE_INVALID, "A title must be plain text on one line.").On("title")
	ErrProfane  = errs.New(errs.Invalid, errorsv1.Reason_REASON_TITLE_PROFANE, "Title must not contain profanities").On("title")
	// ErrNeedsCare is no fault of the member's. Callers show words of care, helplines and the grounding;
	// its own sentence is for those who show none.
	ErrNeedsCare = errs.New(errs.FailedPrecondition, errorsv1.Reason_REASON_TITLE_NEEDS_CARE,
		"You matter, and you need not be alone with this: in the UK call Samaritans free on 116 123, day or night, or 999 in danger. Nothing was charged.").On("title")
)

// Check answers the title trimmed and in normal form C, or one of the refusals. Care comes before
// every other refusal.
func Check(title string) (string, error) {
	if safety.Classify(head(title, maxRead)).Class == safety.Crisis {
		return "", ErrNeedsCare
	}
	if !utf8.ValidString(title) {
		return "", ErrInvalid
	}
	clean := norm.NFC.String(strings.TrimSpace(title))
	switch {
	case !visible(clean):
		return "", ErrRequired
	case strings.ContainsFunc(clean, forbidden):
		return "", ErrInvalid
	case length(clean) > MaxLength || utf8.RuneCountInString(clean) > MaxRunes:
		return "", ErrTooLong
	case Profane(clean):
		return "", ErrProfane
	}
	return clean, nil
}

// head is the first n runes of a text.
func head(text string, n int) string {
	for at := range text {
		if n == 0 {
			return text[:at]
		}
		n--
	}
	return text
}

// visible says whether there is anything to see, even if it is only a control character.
func visible(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool {
		const blankBraille = '\u2800'
		return !unicode.IsSpace(r) && r != blankBraille && !unicode.In(r, unicode.Cf, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point)
	})
}

// forbidden characters break lines, hide text or turn the direction of what follows the title.
func forbidden(r rune) bool {
	switch {
	case unicode.IsControl(r), r == '\u2028', r == '\u2029', unicode.Is(unicode.Noncharacter_Code_Point, r):
		return true
	case r >= '\u202a' && r <= '\u202e', r >= '\u2066' && r <= '\u2069':
		return true
	default:
		return false
	}
}

const joiner = '\u200d'

// length counts a base character with its marks, an emoji with its skin tone and a joined emoji as
// one. A joiner joins emoji alone: between letters it is nothing, and the letters count.
func length(s string) int {
	n, joined, emoji := 0, false, false
	for _, r := range s {
		switch {
		case r == joiner:
			joined = emoji
			continue
		case unicode.Is(unicode.M, r), unicode.Is(unicode.Variation_Selector, r), r >= 0x1f3fb && r <= 0x1f3ff:
			continue
		}
		was := emoji
		emoji = unicode.Is(unicode.So, r)
		if !joined || !was || !emoji {
			n++
		}
		joined = false
	}
	return n
}
