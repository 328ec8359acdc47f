package account

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"

	"serein.app/services/platform/typed"
)

// CodeKind is what a mailed code is for.
type CodeKind string

// The kinds.
const (
	// CodeConfirmation ends a sign-up.
	CodeConfirmation CodeKind = "confirmation"
	// CodePasswordReset sets a new password where the one before it is forgotten.
	CodePasswordReset CodeKind = "password_reset"
	// CodeAddressPresent and CodeAddressNew change an address: the mailbox of each gets one.
	CodeAddressPresent CodeKind = "address_present"
	CodeAddressNew     CodeKind = "address_new"
)

// Code is what is kept of a mailed code: enough to check it, not enough to read it.
type Code struct {
	ID        uuid.UUID
	Kind      CodeKind
	Hash      []byte
	Tries     int
	ExpiresAt time.Time
	Used      bool
	Replaced  bool
}

// Codes derives codes from their id and the service's secret, so that a job that carries the
// id alone can send the code, and neither database nor queue ever holds it.
type Codes struct {
	secret []byte
	// previous made the codes that were on their way when the secret was replaced; empty for none.
	previous []byte
}

// NewCodes takes CODE_SECRET and the one before it. Codes of the previous secret still count; an empty
// one made none.
func NewCodes(secret, previous string) *Codes {
	return &Codes{secret: []byte(secret), previous: []byte(previous)}
}

// New is a fresh code of a kind for the id, good for CodeLife.
func (c *Codes) New(id uuid.UUID, kind CodeKind, now time.Time) Code {
	return Code{ID: id, Kind: kind, Hash: hash(c.secret, id, digits(c.secret, id)), ExpiresAt: now.Add(CodeLife)}
}

// Digits is the code itself, as the secret that made it derives it: six digits. One in a million is
// acceptable because CodeTries and the throttle bound the guesses.
func (c *Codes) Digits(code Code) string {
	if len(c.previous) > 0 {
		if old := digits(c.previous, code.ID); hmac.Equal(code.Hash, hash(c.previous, code.ID, old)) {
			return old
		}
	}
	return digits(c.secret, code.ID)
}

// made says whether these are the code's digits, in constant time.
func (c *Codes) made(code Code, digits string) bool {
	return hmac.Equal(code.Hash, hash(c.secret, code.ID, digits)) ||
		len(c.previous) > 0 && hmac.Equal(code.Hash, hash(c.previous, code.ID, digits))
}

func digits(secret []byte, id uuid.UUID) string {
	return fmt.Sprintf("%06d", binary.BigEndian.Uint64(mac(secret, "digits", id, ""))%1_000_000)
}

func hash(secret []byte, id uuid.UUID, digits string) []byte { return mac(secret, "check", id, digits) }

func mac(secret []byte, use string, id uuid.UUID, digits string) []byte {
	m := hmac.New(sha256.New, secret)
	m.Write([]byte(use))
	m.Write(id[:])
	m.Write([]byte(digits))
	return m.Sum(nil)
}

// errUsed is the right code, which was used already.
var errUsed = errors.New("the code was used")

// Check compares in constant time, and only then says what else is wrong: who does not hold
// the code learns nothing about it. What counts of it are its digits, in any script (package typed).
func (c *Codes) Check(code Code, given string, now time.Time) error {
	switch {
	case !c.made(code, typed.Digits(given)):
		return ErrCodeMismatch
	case code.Used:
		return ErrExpiredCode.Because(errUsed)
	case code.Replaced:
		return ErrExpiredCode.Because(errors.New("the code was replaced"))
	case !now.Before(code.ExpiresAt):
		return ErrExpiredCode.Because(errors.New("the code is too old"))
	}
	return nil
}
