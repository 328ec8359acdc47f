// Package title decides which titles a member may give to a meditation, and in which form they are
// kept. Emoji, any script and text that looks like markup are allowed: a title is text. One that
// speaks of a crisis is not spoken back to the member: they are shown where help is instead.
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
)

// The refusals. The message of ErrProfane is the specification's.
var (
	ErrRequired = errs.New(errs.Invalid, errorsv1.Reason_REASON_TITLE_REQUIRED, "Give your meditation a title.").On("title")
	ErrTooLong  = errs.New(errs.Invalid, errorsv1.Reason_REASON_TITLE_TOO_LONG, "A title has at most 80 characters.").On("title")
	ErrInvalid  = errs.New(errs.Invalid, errorsv1.Reason_REASON_TITLE_INVALID, "A title must be plain text on one line.").On("title")
	ErrProfane  = errs.New(errs.Invalid, errorsv1.Reason_REASON_TITLE_PROFANE, "Title must not contain profanities").On("title")
	// ErrNeedsCare is no fault of the member's. Callers show words of care, helplines and the grounding.
	ErrNeedsCare = errs.New(errs.FailedPrecondition, errorsv1.Reason_REASON_TITLE_NEEDS_CARE,
		"We would rather you talked to a person about this than listened to a meditation. Nothing was charged.").On("title")
)

// Check answers the title trimmed and in normal form C, or one of the refusals.
func Check(title string) (string, error) {
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
	case safety.Classify(clean).Class == safety.Crisis:
		return "", ErrNeedsCare
	case profane(clean):
		return "", ErrProfane
	}
	return clean, nil
}

// visible says whether there is anything to see, even if it is only a control character.
func visible(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool {
		return !unicode.IsSpace(r) && !unicode.Is(unicode.Cf, r) && !unicode.Is(unicode.Variation_Selector, r)
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

// length counts a base character with its marks, an emoji with its skin tone and a joined emoji as one.
func length(s string) int {
	n, joined := 0, false
	for _, r := range s {
		extends := unicode.Is(unicode.M, r) || unicode.Is(unicode.Variation_Selector, r) ||
			r == joiner || r >= 0x1f3fb && r <= 0x1f3ff
		if !extends && !joined {
			n++
		}
		joined = r == joiner
	}
	return n
}
