package oidcop

import (
	"context"
	"encoding/base64"
	"errors"
	"math"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/zitadel/oidc/v3/pkg/oidc"
	"github.com/zitadel/oidc/v3/pkg/op"

	"serein.app/services/platform/seclog"
)

const (
	// paramMax bounds each parameter that a client may have us carry, in bytes.
	paramMax = 2048
	// sealedMax bounds a new sealed request, in bytes: proxies take lines of 8 KiB, and it stands in one.
	sealedMax = 7 << 10
)

// prompts are the values that OpenID Connect registers (Core, 3.1.2.1).
var prompts = []string{oidc.PromptNone, oidc.PromptLogin, oidc.PromptConsent, oidc.PromptSelectAccount}

// sealedName binds sealed requests to their use.
const sealedName = "authorization request"

func (s *storage) requestOf(c *client, in *oidc.AuthRequest, hint, place string, browser []byte) *Request {
	now, life := s.at(), RequestLife
	if c.FirstParty {
		life = OwnRequestLife
	}
	r := &Request{
		ID: s.newID(), ClientID: in.ClientID, RedirectURI: in.RedirectURI, State: in.State, Nonce: in.Nonce,
		CodeChallenge: in.CodeChallenge, Prompt: slices.Compact(slices.Sorted(slices.Values(in.Prompt))), LoginHint: in.LoginHint,
		HintUID: hint, Place: place, Browser: browser, CreatedAt: now, ExpiresAt: now.Add(life),
		Scopes: slices.DeleteFunc(slices.Compact(slices.Sorted(slices.Values(in.Scopes))), func(scope string) bool {
			return scope == oidc.ScopeOfflineAccess && !c.staysSignedIn()
		}),
	}
	if in.MaxAge != nil {
		age := int32(min(*in.MaxAge, math.MaxInt32))
		r.MaxAge = &age
	}
	return r
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
	if slices.ContainsFunc(in.Prompt, func(prompt string) bool { return !slices.Contains(prompts, prompt) }) {
		return oidc.ErrInvalidRequest().WithDescription("prompt must be none, login, consent or select_account")
	}
	if max(len(in.State), len(in.Nonce), len(in.LoginHint)) > paramMax {
		return errTooLong()
	}
	given := strings.Join(append([]string{in.State, in.Nonce, in.LoginHint, in.CodeChallenge}, in.Scopes...), "")
	if strings.ContainsRune(given, 0) || !utf8.ValidString(given) {
		return oidc.ErrInvalidRequest().WithDescription("a parameter is not text")
	}
	return nil
}

func errTooLong() *oidc.Error {
	return oidc.ErrInvalidRequest().WithDescription("state, nonce or login_hint is too long")
}

// seal gives the request the form in which browsers carry it.
func (s *storage) seal(r *Request) (*Request, error) {
	sealed, err := s.sealer.Seal(sealedName, r)
	if err != nil {
		return nil, err
	}
	r.sealed = base64.RawURLEncoding.EncodeToString(sealed)
	return r, nil
}

// open reads a request that seal made and that has not expired. Errors: ErrNotFound.
func (s *storage) open(sealed string) (*Request, error) {
	raw, err := base64.RawURLEncoding.DecodeString(sealed)
	if err != nil {
		return nil, ErrNotFound.Because(err)
	}
	r := &Request{sealed: sealed}
	if err := s.sealer.Open(sealedName, raw, r); err != nil {
		return nil, ErrNotFound.Because(err)
	}
	if !s.at().Before(r.ExpiresAt) {
		return nil, ErrNotFound.Because(errors.New("the request is too old"))
	}
	return r, nil
}

// at is a hosted page's address for this request.
func (r *Request) at(path string) string { return path + "?request=" + url.QueryEscape(r.sealed) }

// AuthRequestByCode finds the request of a code. A code that was exchanged before has been
// stolen or replayed, so what came of it ends (RFC 6749, 4.1.2).
func (s *storage) AuthRequestByCode(ctx context.Context, code string) (op.AuthRequest, error) {
	r, member, err := s.store.RequestByCode(ctx, hash(code))
	if err != nil {
		return nil, err
	}
	now := s.at()
	r.member = &member
	if r.Exchanged {
		s.security.Record(ctx, seclog.Event{Kind: seclog.Token, Outcome: seclog.Reused, UID: r.GetSubject(), Procedure: "authorization_code", Caller: r.ClientID})
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

// DeleteAuthRequest keeps the row: an exchanged code must be recognised when it comes again.
// The clean-up job removes it a day later.
func (s *storage) DeleteAuthRequest(context.Context, string) error { return nil }

// The library's own ways of keeping requests are not used: browsers carry them until they are answered.

// CreateAuthRequest is not called: authorize seals the request.
func (s *storage) CreateAuthRequest(context.Context, *oidc.AuthRequest, string) (op.AuthRequest, error) {
	return nil, errNotOffered
}

// AuthRequestByID is not called: open reads the request.
func (s *storage) AuthRequestByID(context.Context, string) (op.AuthRequest, error) {
	return nil, errNotOffered
}

// SaveAuthCode is not called: finish keeps the code with its request.
func (s *storage) SaveAuthCode(context.Context, string, string) error { return errNotOffered }
