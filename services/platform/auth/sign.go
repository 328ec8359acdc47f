package auth

import (
	"crypto/ed25519"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/go-jose/go-jose/v4"

	"serein.app/services/platform/cached"
	"serein.app/services/platform/config"
)

// TokenLife is how long a signed token is good for. Short, so that a leaked one is soon
// worthless; longer than the longest clock difference between two machines (30 s assumed).
const TokenLife = 60 * time.Second

// claims is the payload of a service's token: those of RFC 7519, who acts for the subject as in
// RFC 8693, section 4.1, and what the subject may do.
type claims struct {
	Issuer       string   `json:"iss"`
	Audience     string   `json:"aud"`
	Subject      string   `json:"sub,omitempty"`
	Actor        *actor   `json:"act,omitempty"`
	Admin        bool     `json:"adm,omitempty"`
	Entitlements []string `json:"ent,omitempty"`
	IssuedAt     int64    `json:"iat,omitempty"`
	Expires      int64    `json:"exp,omitempty"`
}

type actor struct {
	Subject string `json:"sub"`
}

func claimsOf(issuer, audience string, s Subject) claims {
	c := claims{Issuer: issuer, Audience: audience, Subject: s.UID, Admin: s.Admin, Entitlements: s.Entitlements}
	if s.Actor != "" {
		c.Actor = &actor{s.Actor}
	}
	return c
}

func (c claims) subject() Subject {
	s := Subject{UID: c.Subject, Admin: c.Admin, Entitlements: c.Entitlements}
	if c.Actor != nil {
		s.Actor = c.Actor.Subject
	}
	return s
}

// check refuses rights that belong to nobody, and actors who are nobody or act for nobody.
func (c claims) check() error {
	switch {
	case c.Subject == "" && (c.Admin || len(c.Entitlements) > 0):
		return errors.New("rights without a subject")
	case c.Actor != nil && c.Subject == "":
		return errors.New("an actor without a subject")
	case c.Actor != nil && c.Actor.Subject == "":
		return errors.New("an actor without a name")
	}
	return nil
}

// tokensKept is how many signed tokens a Signer keeps to use again.
const tokensKept = 4096

// Signer makes this service's tokens. A token is used again for half its life, since one
// signature costs more than the rest of a small call.
type Signer struct {
	service string
	signer  jose.Signer
	known   *cached.Map[tokenKey, string] // what Authorization answers
	now     func() time.Time
}

// tokenKey is all that a token says but its times: no token is used for another subject, or for one
// with other rights or another actor.
type tokenKey struct {
	audience, uid, actor, entitlements string
	admin                              bool
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
	s := &Signer{service: service, signer: signer, now: time.Now}
	s.known = cached.NewMap[tokenKey, string](tokensKept, func() time.Time { return s.now() })
	return s, nil
}

// Service is the name that the tokens carry as issuer.
func (s *Signer) Service() string { return s.service }

const bearer = "Bearer "

// Token is a token for calls to audience on behalf of the subject, who may be nobody.
func (s *Signer) Token(audience string, on Subject) (string, error) {
	authorization, err := s.Authorization(audience, on)
	return strings.TrimPrefix(authorization, bearer), err
}

// Authorization is the value of the header that carries Token.
func (s *Signer) Authorization(audience string, on Subject) (string, error) {
	key := tokenKey{audience, on.UID, on.Actor, listKey(on.Entitlements), on.Admin}
	if known, ok := s.known.Get(key); ok {
		return known, nil
	}
	now := s.now()
	token, err := s.sign(claimsOf(s.service, audience, on), now)
	if err != nil {
		return "", err
	}
	authorization := bearer + token
	s.known.Put(key, authorization, now.Add(TokenLife/2))
	return authorization, nil
}

// listKey makes one string of a list, and never the same of two lists.
func listKey(list []string) string {
	if len(list) == 0 {
		return ""
	}
	key := make([]byte, 0, 64)
	for _, word := range list {
		key = append(strconv.AppendInt(key, int64(len(word)), 10), ':')
		key = append(key, word...)
	}
	return string(key)
}

func (s *Signer) sign(c claims, now time.Time) (string, error) {
	if err := c.check(); err != nil {
		return "", err
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
	return signed.CompactSerialize()
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
