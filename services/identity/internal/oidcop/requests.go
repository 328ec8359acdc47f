package oidcop

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/google/uuid"
	"github.com/zitadel/oidc/v3/pkg/oidc"
	"github.com/zitadel/oidc/v3/pkg/op"
)

// paramMax bounds what a client may have us keep, in bytes.
const paramMax = 2048

// CreateAuthRequest keeps a validated request. The library has checked client and redirect.
func (s *storage) CreateAuthRequest(ctx context.Context, in *oidc.AuthRequest, hint string) (op.AuthRequest, error) {
	c, ok := s.clients[in.ClientID]
	// The library compares the redirect after decoding it once more; we compare it as it is.
	if !ok || !slices.Contains(c.RedirectURIs(), in.RedirectURI) {
		return nil, oidc.ErrInvalidRequestRedirectURI()
	}
	if err := checkRequest(in); err != nil {
		return nil, err
	}
	now := s.at()
	r := Request{
		ID: s.newID(), ClientID: in.ClientID, RedirectURI: in.RedirectURI, State: in.State, Nonce: in.Nonce,
		CodeChallenge: in.CodeChallenge, Prompt: append([]string{}, in.Prompt...), LoginHint: in.LoginHint,
		HintUID: hint, Browser: browserFrom(ctx), CreatedAt: now, ExpiresAt: now.Add(RequestLife),
		Scopes: slices.DeleteFunc(slices.Compact(slices.Sorted(slices.Values(in.Scopes))), func(scope string) bool {
			return scope == oidc.ScopeOfflineAccess && !c.staysSignedIn()
		}),
	}
	if in.MaxAge != nil {
		age := int32(min(*in.MaxAge, math.MaxInt32))
		r.MaxAge = &age
	}
	if err := s.store.SaveRequest(ctx, r); err != nil {
		return nil, err
	}
	return &r, nil
}

func checkRequest(in *oidc.AuthRequest) error {
	if in.CodeChallengeMethod != oidc.CodeChallengeMethodS256 || len(in.CodeChallenge) != 43 {
		return oidc.ErrInvalidRequest().WithDescription("PKCE with code_challenge_method S256 is required")
	}
	if !slices.Contains(in.Scopes, oidc.ScopeOpenID) {
		return oidc.ErrInvalidScope().WithDescription("scope openid is required")
	}
	if in.ResponseMode != "" && in.ResponseMode != oidc.ResponseModeQuery {
		return oidc.ErrInvalidRequest().WithDescription("response_mode must be query")
	}
	if max(len(in.State), len(in.Nonce), len(in.LoginHint)) > paramMax || len(in.Prompt) > 4 {
		return oidc.ErrInvalidRequest().WithDescription("state, nonce or login_hint is too long")
	}
	given := strings.Join(append([]string{in.State, in.Nonce, in.LoginHint, in.CodeChallenge}, append(in.Prompt, in.Scopes...)...), "")
	if strings.ContainsRune(given, 0) || !utf8.ValidString(given) {
		return oidc.ErrInvalidRequest().WithDescription("a parameter is not text")
	}
	return nil
}

// AuthRequestByID finds a request that has not expired.
func (s *storage) AuthRequestByID(ctx context.Context, id string) (op.AuthRequest, error) {
	parsed, err := uuid.Parse(id)
	if err != nil {
		return nil, ErrNotFound.Because(err)
	}
	r, err := s.store.Request(ctx, parsed, s.at())
	if err != nil {
		return nil, err
	}
	return &r, nil
}

// AuthRequestByCode finds the request of a code. A code that was exchanged before has been
// stolen or replayed, so what came of it ends (RFC 6749, 4.1.2).
func (s *storage) AuthRequestByCode(ctx context.Context, code string) (op.AuthRequest, error) {
	r, err := s.store.RequestByCode(ctx, hash(code))
	if err != nil {
		return nil, err
	}
	now := s.at()
	if r.Exchanged {
		s.log.WarnContext(ctx, "authorization code replayed", "client", r.ClientID)
		if r.GrantID != nil {
			return nil, errors.Join(ErrReused, s.store.RevokeGrant(ctx, *r.GrantID, now))
		}
		return nil, ErrReused
	}
	if !now.Before(r.ExpiresAt) {
		return nil, ErrNotFound.Because(errors.New("the code is too old"))
	}
	return &r, nil
}

// SaveAuthCode gives the request its code; only its hash is kept.
func (s *storage) SaveAuthCode(ctx context.Context, id, code string) error {
	parsed, err := uuid.Parse(id)
	if err != nil {
		return err
	}
	return s.store.SaveCode(ctx, parsed, hash(code), s.at().Add(CodeLife))
}

// DeleteAuthRequest keeps the row: an exchanged code must be recognised when it comes again.
// The clean-up job removes it a day later.
func (s *storage) DeleteAuthRequest(context.Context, string) error { return nil }
