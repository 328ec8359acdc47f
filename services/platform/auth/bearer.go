package auth

import "strings"

// Bearer reads the token of an Authorization header (RFC 6750, 2.1); not ok: another scheme, or what no token has in it. A token is
// read strictly, so that one has one spelling: libraries forgive white space around or in it.
func Bearer(header string) (token string, ok bool) {
	scheme, token, _ := strings.Cut(header, " ")
	token = strings.TrimLeft(token, " ")
	if !strings.EqualFold(scheme, "Bearer") || token == "" || strings.ContainsFunc(token, notOfAToken) {
		return "", false
	}
	return token, true
}

// notOfAToken is what b64token does not have.
func notOfAToken(r rune) bool {
	switch {
	case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9':
		return false
	}
	return !strings.ContainsRune("-._~+/=", r)
}
