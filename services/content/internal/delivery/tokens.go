package delivery

import (
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"slices"
	"strings"

	"serein.app/services/content/internal/entry"
	"serein.app/services/platform/config"
)

// Token lets its bearer read the published items of some environments.
type Token struct {
	hash         [sha256.Size]byte
	environments []string // none: all
}

// Tokens are the read tokens of the space.
type Tokens []Token

// shortestToken is how many characters a read token has at least.
const shortestToken = 20

// ParseTokens reads `TOKEN[=environment|environment],TOKEN…`. A token without environments reads all of them.
func ParseTokens(list config.Secret) (Tokens, error) {
	var all Tokens
	for one := range strings.SplitSeq(list.Reveal(), ",") {
		text, environments, limited := strings.Cut(strings.TrimSpace(one), "=")
		if len(text) < shortestToken {
			return nil, errors.New("a read token has at least 20 characters")
		}
		t := Token{hash: sha256.Sum256([]byte(text))}
		if limited {
			t.environments = strings.Split(environments, "|")
		}
		if slices.ContainsFunc(t.environments, func(id string) bool { return !entry.ValidID(id) }) {
			return nil, errors.New("a read token names an environment that cannot be")
		}
		all = append(all, t)
	}
	return all, nil
}

// find compares hashes, so that the time it takes tells nothing of a token.
func (t Tokens) find(text string) (Token, bool) {
	hash := sha256.Sum256([]byte(text))
	for _, one := range t {
		if subtle.ConstantTimeCompare(one.hash[:], hash[:]) == 1 {
			return one, true
		}
	}
	return Token{}, false
}

func (t Token) reads(environment string) bool {
	return len(t.environments) == 0 || slices.Contains(t.environments, environment)
}
