package auth

import (
	"crypto/ed25519"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"time"

	"github.com/go-jose/go-jose/v4"
	lru "github.com/hashicorp/golang-lru/v2"

	"serein.app/services/platform/config"
)

// TokenLife is how long a signed token is good for. Short, so that a leaked one is soon
// worthless; longer than the longest clock difference between two machines (30 s assumed).
const TokenLife = 60 * time.Second

// claims is the payload of a service's token. The names are those of RFC 7519.
type claims struct {
	Issuer   string `json:"iss"`
	Audience string `json:"aud"`
	Subject  string `json:"sub,omitempty"`
	IssuedAt int64  `json:"iat"`
	Expires  int64  `json:"exp"`
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

// Token is a token for calls to audience on behalf of member; member may be empty.
func (s *Signer) Token(audience, member string) (string, error) {
	now := s.now()
	key := audience + "\x00" + member
	if cached, ok := s.cache.Get(key); ok && now.Before(cached.until) {
		return cached.token, nil
	}
	payload, err := json.Marshal(claims{
		Issuer: s.service, Audience: audience, Subject: member,
		IssuedAt: now.Unix(), Expires: now.Add(TokenLife).Unix(),
	})
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
	s.cache.Add(key, cachedToken{token: token, until: now.Add(TokenLife / 2)})
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
