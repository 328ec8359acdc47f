// Package keys holds the keys that sign tokens, one for each algorithm: made here, sealed in the database, replaced
// every month. An old key stays published until the last token it signed has lapsed.
package keys

import (
	"context"
	"crypto"
	"crypto/cipher"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"serein.app/services/platform/cached"
)

const (
	// Age is when a key is replaced.
	Age = 30 * 24 * time.Hour
	// Published is how long an old key stays published: far longer than any token lives (15 min).
	Published = 24 * time.Hour
	// Follow is how long after a rotation other replicas may still sign with the key before. That stays published for far longer.
	Follow = time.Second
	// readTime bounds reading the keys.
	readTime = 5 * time.Second
)

// Algorithm signs tokens. Its name is that of JOSE (RFC 7518, 3.1).
type Algorithm string

const (
	// RS256 signs what is for a client that asks for no other: every OpenID client must accept it (OpenID Connect Core, 15.1).
	RS256 Algorithm = "RS256"
	// ES256 signs with the curve P-256, in a small part of the time, and its signatures are shorter.
	ES256 Algorithm = "ES256"
)

// Algorithms are those that have a key, in the order in which keys are published.
var Algorithms = []Algorithm{RS256, ES256}

// Stored is a key as the database keeps it.
type Stored struct {
	ID        string
	Algorithm Algorithm
	// Sealed is the private key (PKCS #8), encrypted.
	Sealed []byte
	// Public is the public key (PKIX).
	Public    []byte
	CreatedAt time.Time
}

// Store keeps keys.
type Store interface {
	// SigningKeys are the newest key of each algorithm that has one.
	SigningKeys(ctx context.Context) ([]Stored, error)
	// PublishedKeys are the keys whose tokens are still good at now, in the order of Algorithms, the newest first. Sealed is not set.
	PublishedKeys(ctx context.Context, now time.Time) ([]Stored, error)
	// AddKey runs decide on the algorithm's newest key under a lock; the key it gives becomes the newest, and
	// the algorithm's others retire at the time given. No key: nothing changes.
	AddKey(ctx context.Context, algorithm Algorithm, retire time.Time, decide func(newest Stored, found bool) (*Stored, error)) error
}

// Signing is a private key with its id and the one algorithm that it signs with.
type Signing struct {
	ID        string
	Algorithm Algorithm
	Key       crypto.Signer
}

// Public is a public key with its id and the one algorithm whose signatures it proves.
type Public struct {
	ID        string
	Algorithm Algorithm
	Key       crypto.PublicKey
}

// Ring is the service's keys. It is ready for concurrent use.
type Ring struct {
	store Store
	aead  cipher.AEAD
	// previous opens what was sealed before the secret was replaced; nil for none.
	previous cipher.AEAD
	now      func() time.Time

	// newest are the stored keys that sign, for Follow; a rotation here begins them again.
	newest atomic.Pointer[cached.Value[[]Stored]]

	mu     sync.Mutex
	opened map[Algorithm]Signing
}

// New seals keys with KEY_ENCRYPTION_SECRET and opens them with it or with the one before it; an empty
// previous one opens nothing.
func New(store Store, secret, previous string, now func() time.Time) (*Ring, error) {
	r := &Ring{store: store, now: now, opened: map[Algorithm]Signing{}}
	var err error
	if r.aead, err = derive(secret); err == nil && previous != "" {
		r.previous, err = derive(previous)
	}
	r.readAgain()
	return r, err
}

// readAgain has the keys read before the next signature.
func (r *Ring) readAgain() {
	r.newest.Store(cached.New(cached.Config[[]Stored]{Ask: r.store.SigningKeys, Time: readTime, Life: Follow, Wait: true, Now: r.now}))
}

// Rotate makes the first key of each algorithm, and a new one where the newest is older than Age. Replicas may
// call it at once: one of them makes the key.
func (r *Ring) Rotate(ctx context.Context) error {
	now := r.now().UTC().Truncate(time.Microsecond)
	defer r.readAgain()
	var faults []error
	for _, algorithm := range Algorithms {
		faults = append(faults, r.store.AddKey(ctx, algorithm, now.Add(Published), func(newest Stored, found bool) (*Stored, error) {
			if found && now.Sub(newest.CreatedAt) < Age {
				return nil, nil //nolint:nilnil // no key is an answer: the newest is young enough
			}
			return r.generate(algorithm, now)
		}))
	}
	return errors.Join(faults...)
}

// Ensure makes the first keys, however long the database takes to come, and returns.
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

// Check fails where an algorithm has no key now, or one that cannot be opened.
func (r *Ring) Check(ctx context.Context) error {
	stored, err := r.store.SigningKeys(ctx)
	if err != nil {
		return err
	}
	var faults []error
	for _, algorithm := range Algorithms {
		_, err := r.of(stored, algorithm)
		faults = append(faults, err)
	}
	return errors.Join(faults...)
}

// Signing is the key that signs with the algorithm now. Replicas follow a rotation of another within Follow; opening a key is done once.
func (r *Ring) Signing(ctx context.Context, algorithm Algorithm) (Signing, error) {
	stored, err := r.newest.Load().Get(ctx)
	if err != nil {
		return Signing{}, err
	}
	return r.of(stored, algorithm)
}

func (r *Ring) of(stored []Stored, algorithm Algorithm) (Signing, error) {
	for _, s := range stored {
		if s.Algorithm == algorithm {
			return r.opens(s)
		}
	}
	return Signing{}, fmt.Errorf("there is no signing key for %s yet", algorithm)
}

func (r *Ring) opens(s Stored) (Signing, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if known, ok := r.opened[s.Algorithm]; ok && known.ID == s.ID {
		return known, nil
	}
	key, err := r.open(s)
	if err != nil {
		return Signing{}, err
	}
	r.opened[s.Algorithm] = Signing{ID: s.ID, Algorithm: s.Algorithm, Key: key}
	return r.opened[s.Algorithm], nil
}

// Public are the keys that tokens may still be signed with.
func (r *Ring) Public(ctx context.Context) ([]Public, error) {
	stored, err := r.store.PublishedKeys(ctx, r.now())
	if err != nil {
		return nil, err
	}
	keys := make([]Public, 0, len(stored))
	for _, s := range stored {
		key, err := publicKey(s)
		if err != nil {
			return nil, err
		}
		keys = append(keys, Public{ID: s.ID, Algorithm: s.Algorithm, Key: key})
	}
	return keys, nil
}
