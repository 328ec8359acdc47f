package login

import (
	"net/url"
	"path"
	"strings"
)

// maxReturn bounds a return address, in bytes.
const maxReturn = 512

// ReturnTo accepts only the app's pages: it parses raw, looks its path up among the pages, and builds the answer from the parsed parts.
// Everything else becomes "/".
func ReturnTo(raw string, isPage func(path string) bool) string {
	if raw == "" || len(raw) > maxReturn || !strings.HasPrefix(raw, "/") || !printable(raw) {
		return "/"
	}
	u, err := url.Parse(raw)
	if err != nil || u.Scheme != "" || u.Host != "" || u.User != nil || u.Opaque != "" {
		return "/"
	}
	if u.RawPath != "" || !plain(u.Path) || path.Clean(u.Path) != u.Path || !isPage(u.Path) {
		return "/"
	}
	query, err := url.ParseQuery(u.RawQuery)
	if err != nil {
		return "/"
	}
	return (&url.URL{Path: u.Path, RawQuery: query.Encode()}).String()
}

func printable(s string) bool {
	for i := range len(s) {
		if s[i] <= ' ' || s[i] >= 0x7f || s[i] == '\\' {
			return false
		}
	}
	return true
}

// plain paths hold what the app's own addresses are made of.
func plain(p string) bool {
	for i := range len(p) {
		if !alphanumeric(p[i]) && strings.IndexByte("/-_.~", p[i]) < 0 {
			return false
		}
	}
	return true
}

func alphanumeric(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
}

// maxHint bounds a login hint, in bytes: the longest username or address there is.
const maxHint = 320

func loginHint(raw string) string {
	if len(raw) > maxHint || strings.ContainsFunc(raw, func(c rune) bool { return c < ' ' || c == 0x7f }) {
		return ""
	}
	return raw
}

// maxZone bounds the name of a time zone, in bytes: the longest has 32.
const maxZone = 64

// timeZone is the zone that the browser told the app's page, where it could be one; whether there is such a one the provider knows.
func timeZone(raw string) string {
	if len(raw) > maxZone || strings.ContainsFunc(raw, func(c rune) bool { return !strings.ContainsRune(zoneLetters, c) }) {
		return ""
	}
	return raw
}

// zoneLetters are those of the names in the time zone database.
const zoneLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/_+-"
