package account

import (
	"crypto/hmac"
	"encoding/base64"
	"errors"

	"github.com/google/uuid"

	"serein.app/services/platform/errs"
)

// stopMAC is how many bytes of a keyed hash a link that stops a change has: nobody guesses 128 bits.
const stopMAC = 16

// StopToken stands in the link that stops a change of address. It does nothing else, and no more once the change has ended.
func (c *Codes) StopToken(change uuid.UUID) string {
	return base64.RawURLEncoding.EncodeToString(append(change[:], mac(c.secret, "stop", change, "")[:stopMAC]...))
}

// stopID reads what StopToken made. Errors: ErrNoChange.
func (c *Codes) stopID(token string) (uuid.UUID, error) {
	raw, err := base64.RawURLEncoding.DecodeString(token)
	if err != nil || len(raw) != len(uuid.UUID{})+stopMAC {
		return uuid.Nil, ErrNoChange.Because(errors.New("no token of ours"))
	}
	id := uuid.UUID(raw[:16])
	good := hmac.Equal(raw[16:], mac(c.secret, "stop", id, "")[:stopMAC]) ||
		len(c.previous) > 0 && hmac.Equal(raw[16:], mac(c.previous, "stop", id, "")[:stopMAC])
	if !good {
		return uuid.Nil, ErrNoChange.Because(errors.New("no token of ours"))
	}
	return id, nil
}

// on names the field of a refusal.
func on(field string, err error) error {
	if err == nil {
		return nil
	}
	return errs.From(err).On(field)
}
