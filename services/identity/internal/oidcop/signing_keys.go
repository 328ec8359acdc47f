package oidcop

import (
	"context"

	jose "github.com/go-jose/go-jose/v4"
	"github.com/zitadel/oidc/v3/pkg/crypto"
	"github.com/zitadel/oidc/v3/pkg/op"

	"serein.app/services/identity/internal/keys"
)

// algorithms are those of our tokens, and the only ones that a token which comes back may name.
func algorithms() []jose.SignatureAlgorithm {
	ours := make([]jose.SignatureAlgorithm, len(keys.Algorithms))
	for i, algorithm := range keys.Algorithms {
		ours[i] = jose.SignatureAlgorithm(algorithm)
	}
	return ours
}

// algorithmNames are the same for the library and for discovery.
func algorithmNames() []string {
	names := make([]string, len(keys.Algorithms))
	for i, algorithm := range keys.Algorithms {
		names[i] = string(algorithm)
	}
	return names
}

// sign makes a token of that kind, which stands in its header (RFC 8725, 3.11).
func sign(key keys.Signing, kind jose.ContentType, claims any) (string, error) {
	signer, err := jose.NewSigner(
		jose.SigningKey{Algorithm: jose.SignatureAlgorithm(key.Algorithm), Key: &jose.JSONWebKey{Key: key.Key, KeyID: key.ID}},
		(&jose.SignerOptions{}).WithType(kind),
	)
	if err != nil {
		return "", err
	}
	return crypto.Sign(claims, signer)
}

// signedBy is the storage of one answer, whose ID token the library signs with that key: the client's choice.
type signedBy struct {
	*storage
	key keys.Signing
}

// SigningKey is that key.
func (s signedBy) SigningKey(context.Context) (op.SigningKey, error) { return signingKey{s.key}, nil }

type signingKey struct{ keys.Signing }

func (k signingKey) SignatureAlgorithm() jose.SignatureAlgorithm {
	return jose.SignatureAlgorithm(k.Algorithm)
}
func (k signingKey) Key() any   { return k.Signing.Key }
func (k signingKey) ID() string { return k.Signing.ID }

type publicKey struct{ keys.Public }

func (k publicKey) Algorithm() jose.SignatureAlgorithm {
	return jose.SignatureAlgorithm(k.Public.Algorithm)
}
func (k publicKey) Use() string { return "sig" }
func (k publicKey) Key() any    { return k.Public.Key }
func (k publicKey) ID() string  { return k.Public.ID }

// SigningKey is not called: signedBy has the key of an answer.
func (s *storage) SigningKey(context.Context) (op.SigningKey, error) { return nil, errNotOffered }

// SignatureAlgorithms are those that have a key.
func (s *storage) SignatureAlgorithms(context.Context) ([]jose.SignatureAlgorithm, error) {
	return algorithms(), nil
}

// KeySet is what is published.
func (s *storage) KeySet(ctx context.Context) ([]op.Key, error) {
	public, err := s.ring.Public(ctx)
	set := make([]op.Key, 0, len(public))
	for _, k := range public {
		set = append(set, publicKey{k})
	}
	return set, err
}
