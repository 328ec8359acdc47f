package account

import (
	"net/mail"
	"strings"
	"unicode"

	"serein.app/services/platform/mailbox"
)

const (
	// emailMax and localMax are RFC 5321's limits (4.5.3.1): 254 for what fits a path, 64 before the @.
	emailMax = 254
	localMax = 64
)

// ParseEmail gives the address as it was written and the key two spellings of it share.
func ParseEmail(s string) (email, key string, err error) {
	email = strings.TrimSpace(s)
	if email == "" {
		return "", "", invalid("email", "Please enter your email address.")
	}
	if len(email) > emailMax {
		return "", "", invalid("email", "That email address is too long.")
	}
	// ASCII only: most servers still refuse other letters before the @, and the code would be lost.
	if strings.ContainsFunc(email, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return "", "", invalid("email", "Please use an email address with plain letters, digits and symbols only.")
	}
	parsed, perr := mail.ParseAddress(email)
	if perr != nil || parsed.Address != email || parsed.Name != "" {
		return "", "", invalid("email", "That email looks unfinished. Please check it.")
	}
	local, domain, _ := strings.Cut(email, "@")
	if len(local) > localMax || strings.Contains(domain, "@") || !domainLooksReal(domain) || !mailable(email) {
		return "", "", invalid("email", "That email looks unfinished. Check the part after the @.")
	}
	return email, EmailKey(email), nil
}

// mailable says whether letters go to it exactly as it is written.
func mailable(email string) bool {
	to, err := mailbox.Address(email)
	return err == nil && to == email
}

// EmailKey is what two spellings of one address share.
func EmailKey(s string) string { return strings.ToLower(strings.TrimSpace(storable(s))) }

func domainLooksReal(domain string) bool {
	labels := strings.Split(domain, ".")
	for _, label := range labels {
		if label == "" || len(label) > 63 || label[0] == '-' || label[len(label)-1] == '-' {
			return false
		}
		if strings.ContainsFunc(label, func(r rune) bool { return r != '-' && !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
			return false
		}
	}
	return len(labels) > 1
}
