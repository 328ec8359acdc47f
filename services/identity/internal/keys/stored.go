package keys

import (
	"crypto"
	"crypto/aes"
	"crypto/cipher"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"fmt"
	"time"

	"github.com/google/uuid"
)

// bits of a new RSA key (ASVS 5.0, V11.2.3). A key that was made shorter signs until it is replaced, and stays published as any.
const bits = 3072

func derive(secret string) (cipher.AEAD, error) {
	key := sha256.Sum256([]byte("serein identity signing keys\x00" + secret))
	block, err := aes.NewCipher(key[:])
	if err != nil {
		return nil, err
	}
	return cipher.NewGCM(block)
}

func (r *Ring) generate(algorithm Algorithm, now time.Time) (*Stored, error) {
	private, err := newKey(algorithm)
	if err != nil {
		return nil, err
	}
	plain, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		return nil, err
	}
	public, err := x509.MarshalPKIXPublicKey(private.Public())
	if err != nil {
		return nil, err
	}
	id := uuid.NewString()
	nonce := make([]byte, r.aead.NonceSize())
	_, _ = rand.Read(nonce) // never fails (crypto/rand)
	// The id is bound in, so that a row cannot be passed off as another key.
	return &Stored{ID: id, Algorithm: algorithm, Sealed: r.aead.Seal(nonce, nonce, plain, []byte(id)), Public: public, CreatedAt: now}, nil
}

func newKey(algorithm Algorithm) (crypto.Signer, error) {
	switch algorithm {
	case RS256:
		return rsa.GenerateKey(rand.Reader, bits)
	case ES256:
		return ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	}
	return nil, fmt.Errorf("no key can be made for %q", algorithm)
}

func (r *Ring) open(s Stored) (crypto.Signer, error) {
	n := r.aead.NonceSize()
	if len(s.Sealed) < n {
		return nil, fmt.Errorf("signing key %s is damaged", s.ID)
	}
	plain, err := r.aead.Open(nil, s.Sealed[:n], s.Sealed[n:], []byte(s.ID))
	if err != nil && r.previous != nil {
		plain, err = r.previous.Open(nil, s.Sealed[:n], s.Sealed[n:], []byte(s.ID))
	}
	if err != nil {
		return nil, fmt.Errorf("signing key %s cannot be opened with KEY_ENCRYPTION_SECRET: %w", s.ID, err)
	}
	parsed, err := x509.ParsePKCS8PrivateKey(plain)
	if err != nil {
		return nil, err
	}
	key, ok := parsed.(crypto.Signer)
	if !ok || !fits(s.Algorithm, key.Public()) {
		return nil, fmt.Errorf("signing key %s is a %T, which does not sign with %s", s.ID, parsed, s.Algorithm)
	}
	return key, nil
}

func publicKey(s Stored) (crypto.PublicKey, error) {
	key, err := x509.ParsePKIXPublicKey(s.Public)
	if err != nil {
		return nil, err
	}
	if !fits(s.Algorithm, key) {
		return nil, fmt.Errorf("public key %s is a %T, which proves nothing that is signed with %s", s.ID, key, s.Algorithm)
	}
	return key, nil
}

// fits says whether the key is of the algorithm's kind: a key serves one algorithm alone (RFC 8725, 3.1).
func fits(algorithm Algorithm, key crypto.PublicKey) bool {
	switch key := key.(type) {
	case *rsa.PublicKey:
		return algorithm == RS256
	case *ecdsa.PublicKey:
		return algorithm == ES256 && key.Curve == elliptic.P256()
	}
	return false
}
