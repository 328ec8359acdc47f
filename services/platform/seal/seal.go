// Package seal encrypts what is kept in somebody else's hands: the gateway's records in Redis, so
// that a copy of Redis gives nobody a session or a token, and identity's unfinished sign-ins, which
// browsers carry.
//
// It owns one algorithm (AES-256-GCM with a random nonce, the key derived from the configured
// secret by HKDF-SHA256) and refuses a value that was moved to another key.
package seal

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/sha256"
	"encoding/json"
	"fmt"

	"serein.app/services/platform/config"
)

// Sealer seals and opens JSON values.
type Sealer struct {
	aead cipher.AEAD
	// previous opens what was sealed before the secret was replaced; nil for none.
	previous cipher.AEAD
}

// New derives the key from secret. Purpose names the program and the use, and keeps the keys of two
// uses of one secret apart. What was sealed with the previous secret can still be opened; an empty
// one opens nothing.
func New(secret, previous config.Secret, purpose string) (*Sealer, error) {
	s := &Sealer{}
	var err error
	if s.aead, err = derive(secret, purpose); err == nil && previous != "" {
		s.previous, err = derive(previous, purpose)
	}
	return s, err
}

func derive(secret config.Secret, purpose string) (cipher.AEAD, error) {
	key, err := hkdf.Key(sha256.New, []byte(secret.Reveal()), nil, "serein "+purpose, 32)
	if err != nil {
		return nil, fmt.Errorf("derive %s key: %w", purpose, err)
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	return cipher.NewGCMWithRandomNonce(block)
}

// Seal encodes v for the place named by name.
func (s *Sealer) Seal(name string, v any) ([]byte, error) {
	plain, err := json.Marshal(v)
	if err != nil {
		return nil, fmt.Errorf("seal %s: %w", name, err)
	}
	return s.aead.Seal(nil, nil, plain, []byte(name)), nil //nolint:gosec // this AEAD draws the nonce itself
}

// Open decodes into v what Seal made for the same name.
func (s *Sealer) Open(name string, sealed []byte, v any) error {
	plain, err := s.aead.Open(nil, nil, sealed, []byte(name))
	if err != nil && s.previous != nil {
		plain, err = s.previous.Open(nil, nil, sealed, []byte(name))
	}
	if err != nil {
		return fmt.Errorf("open %s: %w", name, err)
	}
	return json.Unmarshal(plain, v)
}
