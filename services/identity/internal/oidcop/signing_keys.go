package oidcop

import (
	"context"

	jose "github.com/go-jose/go-jose/v4"
	"github.com/zitadel/oidc/v3/pkg/op"

	"serein.app/services/identity/internal/keys"
)

type signingKey struct{ keys.Signing }

func (k signingKey) SignatureAlgorithm() jose.SignatureAlgorithm { return jose.RS256 }
func (k signingKey) Key() any                                    { return k.Signing.Key }
func (k signingKey) ID() string                                  { return k.Signing.ID }

type publicKey struct{ keys.Public }

func (k publicKey) Algorithm() jose.SignatureAlgorithm { return jose.RS256 }
func (k publicKey) Use() string                        { return "sig" }
func (k publicKey) Key() any                           { return k.Public.Key }
func (k publicKey) ID() string                         { return k.Public.ID }

// SigningKey is the key that signs now.
func (s *storage) SigningKey(ctx context.Context) (op.SigningKey, error) {
	k, err := s.ring.Signing(ctx)
	return signingKey{k}, err
}

// SignatureAlgorithms is RS256 alone.
func (s *storage) SignatureAlgorithms(context.Context) ([]jose.SignatureAlgorithm, error) {
	return []jose.SignatureAlgorithm{jose.RS256}, nil
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
