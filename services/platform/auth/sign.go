package auth

import (
	"crypto/ed25519"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/go-jose/go-jose/v4"
	lru "github.com/hashicorp/golang-lru/v2"

	"serein.app/services/platform/config"
)

// TokenLife is how long a signed token is good for. Short, so that a leaked one is soon
// worthless; longer than the longest clock difference between two machines (30 s assumed).
const TokenLife = 60 * time.Second

// claims is the payload of a service's token: those of RFC 7519, and what the subject may do.
type claims struct {
	Issuer       string   `json:"iss"`
	Audience     string   `json:"aud"`
	Subject      string   `json:"sub,omitempty"`
	Admin        bool     `json:"adm,omitempty"`
	Entitlements []string `json:"ent,omitempty"`
	IssuedAt     int64    `json:"iat,omitempty"`
	Expires      int64    `json:"exp,omitempty"`
}

// check refuses rights that belong to nobody.
func (c claims) check() error {
	if c.Subject == "" && (c.Admin || len(c.Entitlements) > 0) {
		return errors.New("rights without a subject")
	}
	return nil
}

// Signer makes this service's tokens. A token is used again for half its life, since one
// signature costs more than the rest of a small call.
type Signer struct {
	service string
	signer  jose.Signer
	cache   *lru.Cache[string, cachedToken]
	now     func() time.Time
}

type cachedToken struct {
	token string
	until time.Time
}

// NewSigner takes the service's own key.
func NewSigner(service string, key config.Secret) (*Signer, error) {
	private, err := seed(key)
	if err != nil {
		return nil, err
	}
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: jose.EdDSA, Key: private}, nil)
	if err != nil {
		return nil, fmt.Errorf("service key: %w", err)
	}
	cache, err := lru.New[string, cachedToken](4096)
	if err != nil {
		return nil, err
	}
	return &Signer{service: service, signer: signer, cache: cache, now: time.Now}, nil
}

// Service is the name that the tokens carry as issuer.
func (s *Signer) Service() string { return s.service }

// Token is a token for calls to audience on behalf of the subject, who may be nobody.
func (s *Signer) Token(audience string, on Subject) (string, error) {
	c := claims{Issuer: s.service, Audience: audience, Subject: on.UID, Admin: on.Admin, Entitlements: on.Entitlements}
	if err := c.check(); err != nil {
		return "", err
	}
	// All that a token says, but its times: a token is never used for somebody with other rights.
	key, err := json.Marshal(c)
	if err != nil {
		return "", err
	}
	now := s.now()
	if cached, ok := s.cache.Get(string(key)); ok && now.Before(cached.until) {
		return cached.token, nil
	}
	c.IssuedAt, c.Expires = now.Unix(), now.Add(TokenLife).Unix()
	payload, err := json.Marshal(c)
	if err != nil {
		return "", err
	}
	signed, err := s.signer.Sign(payload)
	if err != nil {
		return "", fmt.Errorf("sign service token: %w", err)
	}
	token, err := signed.CompactSerialize()
	if err != nil {
		return "", err
	}
	s.cache.Add(string(key), cachedToken{token: token, until: now.Add(TokenLife / 2)})
	return token, nil
}

// PublicKey is the base64 public key that belongs to a base64 seed, for SERVICE_KEYS.
func PublicKey(key config.Secret) (string, error) {
	private, err := seed(key)
	if err != nil {
		return "", err
	}
	public, _ := private.Public().(ed25519.PublicKey)
	return base64.StdEncoding.EncodeToString(public), nil
}
