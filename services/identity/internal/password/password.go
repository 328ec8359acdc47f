// Package password hashes passwords with argon2id and bounds how many are hashed at once, so
// that a flood of sign-ins costs a fixed amount of memory and processor.
package password

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
	"time"

	"golang.org/x/crypto/argon2"

	"serein.app/services/identity/internal/account"
)

// Parameters of argon2id.
type Parameters struct {
	// Memory in KiB, Passes over it, and Lanes in parallel.
	Memory, Passes uint32
	Lanes          uint8
}

// OWASP is the second choice of the OWASP Password Storage Cheat Sheet: 19 MiB, two passes,
// one lane; about 25 ms on one core.
var OWASP = Parameters{Memory: 19 * 1024, Passes: 2, Lanes: 1}

const (
	saltBytes = 16
	hashBytes = 32
	// maxMemory bounds what a stored hash can make us allocate, in KiB.
	maxMemory = 256 * 1024
)

// Hasher is ready for concurrent use.
type Hasher struct {
	parameters Parameters
	slots      chan struct{}
	wait       time.Duration
	dummy      string
}

// New hashes at most parallel passwords at once, each needing parameters.Memory; a caller waits
// at most wait for a slot.
func New(parameters Parameters, parallel int, wait time.Duration) *Hasher {
	h := &Hasher{parameters: parameters, slots: make(chan struct{}, parallel), wait: wait}
	h.dummy = encode(parameters, make([]byte, saltBytes), make([]byte, hashBytes))
	return h
}

// Hash makes a PHC string. Errors: TOO_MANY_REQUESTS when the wait is too long.
func (h *Hasher) Hash(ctx context.Context, password string) (string, error) {
	salt := make([]byte, saltBytes)
	_, _ = rand.Read(salt) // never fails (crypto/rand)
	sum, err := h.derive(ctx, h.parameters, password, salt, hashBytes)
	if err != nil {
		return "", err
	}
	return encode(h.parameters, salt, sum), nil
}

// Verify compares in constant time. stale: the hash was made with other parameters.
func (h *Hasher) Verify(ctx context.Context, password, phc string) (match, stale bool, err error) {
	p, salt, want, err := decode(phc)
	if err != nil {
		return false, false, err
	}
	got, err := h.derive(ctx, p, password, salt, uint32(len(want)))
	if err != nil {
		return false, false, err
	}
	return subtle.ConstantTimeCompare(got, want) == 1, p != h.parameters, nil
}

// VerifyDummy does the work of Verify and finds nothing.
func (h *Hasher) VerifyDummy(ctx context.Context, password string) error {
	_, _, err := h.Verify(ctx, password, h.dummy)
	return err
}

func (h *Hasher) derive(ctx context.Context, p Parameters, password string, salt []byte, n uint32) ([]byte, error) {
	timeout := time.NewTimer(h.wait)
	defer timeout.Stop()
	select {
	case h.slots <- struct{}{}:
		defer func() { <-h.slots }()
	case <-timeout.C:
		return nil, account.ErrTooManyRequests.Because(errors.New("too many passwords to hash at once"))
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	return argon2.IDKey([]byte(password), salt, p.Passes, p.Memory, p.Lanes, n), nil
}

// encode writes the PHC string format.
func encode(p Parameters, salt, sum []byte) string {
	return fmt.Sprintf("$argon2id$v=%d$m=%d,t=%d,p=%d$%s$%s", argon2.Version, p.Memory, p.Passes, p.Lanes,
		base64.RawStdEncoding.EncodeToString(salt), base64.RawStdEncoding.EncodeToString(sum))
}

var errHash = errors.New("stored password hash cannot be read")

func decode(phc string) (p Parameters, salt, sum []byte, err error) {
	parts := strings.Split(phc, "$")
	if len(parts) != 6 || parts[1] != "argon2id" || parts[2] != fmt.Sprintf("v=%d", argon2.Version) {
		return p, nil, nil, errHash
	}
	if _, err = fmt.Sscanf(parts[3], "m=%d,t=%d,p=%d", &p.Memory, &p.Passes, &p.Lanes); err != nil {
		return p, nil, nil, errHash
	}
	salt, serr := base64.RawStdEncoding.DecodeString(parts[4])
	sum, herr := base64.RawStdEncoding.DecodeString(parts[5])
	if serr != nil || herr != nil || len(sum) < 16 || len(sum) > 64 || p.Memory > maxMemory || p.Passes == 0 || p.Lanes == 0 {
		return p, nil, nil, errHash
	}
	return p, salt, sum, nil
}
