package mailbox

import (
	"errors"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/idna"
)

// ErrAddress is an address that no letter of ours goes to.
var ErrAddress = errors.New("not the address of a mailbox")

// domains maps a domain to the form that the DNS has of it, as browsers do (UTS #46): capitals, wide letters and accents that are
// written in two characters come to one form. Hyphens in the third and fourth place are allowed, as registries have given them away.
var domains = idna.New(idna.MapForLookup(), idna.BidiRule(), idna.VerifyDNSLength(true), idna.CheckHyphens(false))

// Address is where a letter to an address goes: it stays as it was written, but for a domain with other letters than ASCII's, which is
// sent in the form that the DNS has of it. Mail servers refuse other letters before the @, and nobody sees an invisible character in what
// they have pasted: both are ErrAddress, and so is a domain that there cannot be.
func Address(written string) (string, error) {
	at := strings.LastIndexByte(written, '@')
	if at < 1 || !utf8.ValidString(written) || strings.ContainsFunc(written[:at], func(r rune) bool { return r <= ' ' || r > '~' }) || strings.ContainsFunc(written, invisible) {
		return "", ErrAddress
	}
	domain := written[at+1:]
	known, err := domains.ToASCII(domain)
	switch {
	case err != nil || known == "":
		return "", errors.Join(ErrAddress, err)
	case strings.EqualFold(known, domain):
		return written, nil
	}
	return written[:at+1] + known, nil
}

// invisible characters are those that nothing is drawn for.
func invisible(r rune) bool {
	return unicode.In(r, unicode.Cf, unicode.Cc, unicode.Z, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
}
