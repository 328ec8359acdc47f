package account

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"
)

// Code is what is kept of a confirmation code: enough to check it, not enough to read it.
type Code struct {
	ID        uuid.UUID
	Hash      []byte
	Tries     int
	ExpiresAt time.Time
	Used      bool
	Replaced  bool
}

// Codes derives codes from their id and the service's secret, so that a job that carries the
// id alone can send the code, and neither database nor queue ever holds it.
type Codes struct{ secret []byte }

// NewCodes takes CODE_SECRET. Changing it ends every code that is on its way.
func NewCodes(secret string) *Codes { return &Codes{secret: []byte(secret)} }

// New is a fresh code for the id, good for CodeLife.
func (c *Codes) New(id uuid.UUID, now time.Time) Code {
	return Code{ID: id, Hash: c.hash(id, c.Digits(id)), ExpiresAt: now.Add(CodeLife)}
}

// Digits is the code itself: six digits. One in a million is acceptable because CodeTries and
// the throttle bound the guesses.
func (c *Codes) Digits(id uuid.UUID) string {
	sum := c.mac("digits", id, "")
	return fmt.Sprintf("%06d", binary.BigEndian.Uint64(sum)%1_000_000)
}

func (c *Codes) hash(id uuid.UUID, digits string) []byte { return c.mac("check", id, digits) }

func (c *Codes) mac(use string, id uuid.UUID, digits string) []byte {
	m := hmac.New(sha256.New, c.secret)
	m.Write([]byte(use))
	m.Write(id[:])
	m.Write([]byte(digits))
	return m.Sum(nil)
}

// Check compares in constant time, and only then says what else is wrong: who does not hold
// the code learns nothing about it. Spaces around and inside are forgiven.
func (c *Codes) Check(code Code, given string, now time.Time) error {
	digits := strings.ReplaceAll(strings.TrimSpace(given), " ", "")
	match := hmac.Equal(code.Hash, c.hash(code.ID, digits))
	switch {
	case code.Tries >= CodeTries:
		return ErrLimitExceeded
	case !match:
		return ErrCodeMismatch
	case code.Used, code.Replaced:
		return ErrExpiredCode.Because(errors.New("the code was used or replaced"))
	case !now.Before(code.ExpiresAt):
		return ErrExpiredCode.Because(errors.New("the code is too old"))
	}
	return nil
}
