package passkey

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"time"

	"github.com/go-webauthn/webauthn/webauthn"
)

// ceremony is what the browser carries, sealed, from its first step to its second: asking costs no row.
type ceremony struct {
	Session webauthn.SessionData `json:"session"`
	// Bound is what alone may finish it: the session at the provider, or the authorization request.
	Bound   string    `json:"bound"`
	Expires time.Time `json:"expires"`
}

// The uses of a ceremony, which are kept apart by the seal.
const (
	toMake  = "passkey to make"
	toEnter = "passkey to enter with"
)

// begin gives a ceremony the two forms in which it travels: sealed, and the options for the browser.
func (s *Service) begin(use, bound string, session *webauthn.SessionData, options any) (sealed, asked string, err error) {
	raw, err := json.Marshal(options)
	if err != nil {
		return "", "", err
	}
	session.Expires = time.Time{} // the library compares it with the wall clock, not with the service's
	box, err := s.sealer.Seal(use, ceremony{Session: *session, Bound: bound, Expires: s.at().Add(ChallengeLife)})
	return base64.RawURLEncoding.EncodeToString(box), string(raw), err
}

// resume opens a ceremony that begin made. Errors: ErrRefused.
func (s *Service) resume(use, bound, sealed string) (ceremony, error) {
	var c ceremony
	box, err := base64.RawURLEncoding.DecodeString(sealed)
	if err == nil {
		err = s.sealer.Open(use, box, &c)
	}
	switch {
	case err != nil:
		return c, ErrRefused.Because(err)
	case c.Bound != bound:
		return c, ErrRefused.Because(errors.New("the ceremony is another session's or request's"))
	case !s.at().Before(c.Expires):
		return c, ErrRefused.Because(errors.New("the ceremony took too long"))
	}
	return c, nil
}

// challenge is how the ceremony is known when it has been used.
func (c ceremony) challenge() Challenge {
	sum := sha256.Sum256([]byte(c.Session.Challenge))
	return Challenge{Hash: sum[:], ExpiresAt: c.Expires}
}
