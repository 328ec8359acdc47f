// Package keys holds the keys that sign tokens: made here, sealed in the database, replaced
// every month. An old key stays published until the last token it signed has lapsed.
package keys

import (
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/google/uuid"
)

const (
	// Age is when a key is replaced.
	Age = 30 * 24 * time.Hour
	// Published is how long an old key stays published: far longer than any token lives (15 min).
	Published = 24 * time.Hour
	// bits of a new RSA key (ASVS 5.0, V11.2.3); every OpenID client must accept RS256 (OpenID Connect Core, 15.1). A key that was made
	// shorter signs until it is replaced, and stays published as any.
	bits = 3072
)

// Stored is a key as the database keeps it.
type Stored struct {
	ID string
	// Sealed is the private key (PKCS #8), encrypted.
	Sealed []byte
	// Public is the public key (PKIX).
	Public    []byte
	CreatedAt time.Time
}

// Store keeps keys.
type Store interface {
	// SigningKey is the newest key; found is false when there is none.
	SigningKey(ctx context.Context) (key Stored, found bool, err error)
	// PublishedKeys are the keys whose tokens are still good at now. Only ID and Public are set.
	PublishedKeys(ctx context.Context, now time.Time) ([]Stored, error)
	// AddKey runs decide on the newest key under a lock; the key it gives becomes the newest, and
	// the others retire at the time given. No key: nothing changes.
	AddKey(ctx context.Context, retire time.Time, decide func(newest Stored, found bool) (*Stored, error)) error
}

// Signing is a private key with its id.
type Signing struct {
	ID  string
	Key *rsa.PrivateKey
}

// Public is a public key with its id.
type Public struct {
	ID  string
	Key *rsa.PublicKey
}

// Ring is the service's keys. It is ready for concurrent use.
type Ring struct {
	store Store
	aead  cipher.AEAD
	// previous opens what was sealed before the secret was replaced; nil for none.
	previous cipher.AEAD
	now      func() time.Time

	mu     sync.Mutex
	opened Signing
}

// New seals keys with KEY_ENCRYPTION_SECRET and opens them with it or with the one before it; an empty
// previous one opens nothing.
func New(store Store, secret, previous string, now func() time.Time) (*Ring, error) {
	r := &Ring{store: store, now: now}
	var err error
	if r.aead, err = derive(secret); err == nil && previous != "" {
		r.previous, err = derive(previous)
	}
	return r, err
}

func derive(secret string) (cipher.AEAD, error) {
	key := sha256.Sum256([]byte("serein identity signing keys\x00" + secret))
	block, err := aes.NewCipher(key[:])
	if err != nil {
		return nil, err
	}
	return cipher.NewGCM(block)
}

// Rotate makes the first key, and a new one when the newest is older than Age. Replicas may
// call it at once: one of them makes the key.
func (r *Ring) Rotate(ctx context.Context) error {
	now := r.now().UTC().Truncate(time.Microsecond)
	return r.store.AddKey(ctx, now.Add(Published), func(newest Stored, found bool) (*Stored, error) {
		if found && now.Sub(newest.CreatedAt) < Age {
			return nil, nil //nolint:nilnil // no key is an answer: the newest is young enough
		}
		return r.generate(now)
	})
}

// Ensure makes the first key, however long the database takes to come, and returns.
func (r *Ring) Ensure(ctx context.Context) error {
	for {
		err := r.Rotate(ctx)
		if err == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(time.Second):
		}
	}
}

func (r *Ring) generate(now time.Time) (*Stored, error) {
	private, err := rsa.GenerateKey(rand.Reader, bits)
	if err != nil {
		return nil, err
	}
	plain, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		return nil, err
	}
	public, err := x509.MarshalPKIXPublicKey(&private.PublicKey)
	if err != nil {
		return nil, err
	}
	id := uuid.NewString()
	nonce := make([]byte, r.aead.NonceSize())
	_, _ = rand.Read(nonce) // never fails (crypto/rand)
	// The id is bound in, so that a row cannot be passed off as another key.
	return &Stored{ID: id, Sealed: r.aead.Seal(nonce, nonce, plain, []byte(id)), Public: public, CreatedAt: now}, nil
}

// Signing is the key that signs now. It is read every time, so that all replicas follow a
// rotation at once; opening it is done once.
func (r *Ring) Signing(ctx context.Context) (Signing, error) {
	stored, found, err := r.store.SigningKey(ctx)
	if err != nil {
		return Signing{}, err
	}
	if !found {
		return Signing{}, errors.New("there is no signing key yet")
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.opened.ID != stored.ID {
		key, err := r.open(stored)
		if err != nil {
			return Signing{}, err
		}
		r.opened = Signing{ID: stored.ID, Key: key}
	}
	return r.opened, nil
}

func (r *Ring) open(s Stored) (*rsa.PrivateKey, error) {
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
	key, ok := parsed.(*rsa.PrivateKey)
	if !ok {
		return nil, fmt.Errorf("signing key %s is a %T", s.ID, parsed)
	}
	return key, nil
}

// Public are the keys that tokens may still be signed with.
func (r *Ring) Public(ctx context.Context) ([]Public, error) {
	stored, err := r.store.PublishedKeys(ctx, r.now())
	if err != nil {
		return nil, err
	}
	keys := make([]Public, 0, len(stored))
	for _, s := range stored {
		parsed, err := x509.ParsePKIXPublicKey(s.Public)
		if err != nil {
			return nil, err
		}
		key, ok := parsed.(*rsa.PublicKey)
		if !ok {
			return nil, fmt.Errorf("public key %s is a %T", s.ID, parsed)
		}
		keys = append(keys, Public{ID: s.ID, Key: key})
	}
	return keys, nil
}
