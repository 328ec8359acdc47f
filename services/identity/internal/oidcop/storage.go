package oidcop

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"log/slog"
	"math"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	jose "github.com/go-jose/go-jose/v4"
	"github.com/google/uuid"
	"github.com/zitadel/oidc/v3/pkg/oidc"
	"github.com/zitadel/oidc/v3/pkg/op"

	"serein.app/services/identity/internal/account"
	"serein.app/services/identity/internal/keys"
	"serein.app/services/platform/errs"
)

// ErrNotFound is what a Store answers when there is no such request, session or grant, or it
// has ended.
var ErrNotFound = errs.New(errs.NotFound, "NOT_FOUND", "There is no such sign-in.")

// ErrReused is what a Store answers when a code or a refresh token is used a second time. The
// grant is revoked by then.
var ErrReused = errs.New(errs.Conflict, "TOKEN_REUSED", "Please sign in again.")

// Store keeps requests, sessions and grants. Every method is one transaction.
type Store interface {
	SaveRequest(ctx context.Context, r Request) error
	Request(ctx context.Context, id uuid.UUID, now time.Time) (Request, error)
	RequestByCode(ctx context.Context, codeHash []byte) (Request, error)
	// Complete says who signed in.
	Complete(ctx context.Context, id uuid.UUID, s Session, now time.Time) error
	// SaveCode gives a completed request its one code.
	SaveCode(ctx context.Context, id uuid.UUID, codeHash []byte, expires time.Time) error
	// Exchange ends a request's code and begins the grant. Errors: ErrReused.
	Exchange(ctx context.Context, request uuid.UUID, g Grant, refreshHash []byte, now time.Time) error
	// Rotate replaces a refresh token. Errors: ErrNotFound, ErrReused.
	Rotate(ctx context.Context, oldHash, newHash []byte, now time.Time) error
	GrantByRefreshToken(ctx context.Context, hash []byte) (Grant, error)
	LiveGrant(ctx context.Context, id uuid.UUID, now time.Time) (Grant, error)
	RevokeGrant(ctx context.Context, id uuid.UUID, now time.Time) error
	StartSession(ctx context.Context, s Session) error
	Session(ctx context.Context, cookieHash []byte, now time.Time) (Session, error)
	// EndSession ends it with every grant that came of it.
	EndSession(ctx context.Context, sid uuid.UUID, now time.Time) error
}

// Accounts finds the people that tokens speak of.
type Accounts interface {
	ByUID(ctx context.Context, uid string) (account.Account, error)
}

// storage is what the protocol library calls.
type storage struct {
	clients  map[string]*client
	store    Store
	accounts Accounts
	ring     *keys.Ring
	now      func() time.Time
	newID    func() uuid.UUID
	log      *slog.Logger
}

var (
	_ op.Storage                        = (*storage)(nil)
	_ op.ClientCredentialsStorage       = (*storage)(nil)
	_ op.CanSetUserinfoFromRequest      = (*storage)(nil)
	_ op.CanGetPrivateClaimsFromRequest = (*storage)(nil)
	_ op.CanTerminateSessionFromRequest = (*storage)(nil)
)

func hash(secret string) []byte {
	sum := sha256.Sum256([]byte(secret))
	return sum[:]
}

// at is now, as the database keeps it.
func (s *storage) at() time.Time { return s.now().UTC().Truncate(time.Microsecond) }

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
		// Our clients are our own and stay signed in, so a refresh token comes without being asked for.
		Scopes: slices.Compact(slices.Sorted(slices.Values(append(slices.Clone([]string(in.Scopes)), oidc.ScopeOfflineAccess)))),
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

// CreateAccessToken is for service accounts; nothing is kept of their tokens.
func (s *storage) CreateAccessToken(_ context.Context, request op.TokenRequest) (string, time.Time, error) {
	if _, ok := request.(*serviceRequest); !ok {
		return "", time.Time{}, oidc.ErrInvalidGrant()
	}
	return s.newID().String(), s.now().UTC().Add(TokenLife), nil
}

// CreateAccessAndRefreshTokens ends the code or the old refresh token and gives new tokens. The
// access token's id begins with its grant's, so that revoking the grant revokes it.
func (s *storage) CreateAccessAndRefreshTokens(ctx context.Context, request op.TokenRequest, current string) (string, string, time.Time, error) {
	fresh, now := rand.Text(), s.at()
	var id uuid.UUID
	var err error
	switch r := request.(type) {
	case *Request:
		id, err = s.begin(ctx, r, fresh, now)
	case *refreshRequest:
		id, err = r.ID, s.store.Rotate(ctx, hash(current), hash(fresh), now)
	default:
		err = oidc.ErrInvalidGrant()
	}
	if errors.Is(err, ErrReused) || errors.Is(err, ErrNotFound) {
		s.log.WarnContext(ctx, "token refused", "err", err)
		return "", "", time.Time{}, oidc.ErrInvalidGrant().WithParent(err)
	}
	if err != nil {
		return "", "", time.Time{}, err
	}
	return id.String() + "." + rand.Text()[:8], fresh, now.Add(TokenLife), nil
}

func (s *storage) begin(ctx context.Context, r *Request, refresh string, now time.Time) (uuid.UUID, error) {
	if r.UID == nil || r.SID == nil || r.AuthTime == nil {
		return uuid.Nil, oidc.ErrInvalidGrant()
	}
	g := Grant{
		ID: s.newID(), UID: *r.UID, ClientID: r.ClientID, SID: *r.SID, Scopes: r.Scopes,
		AuthTime: *r.AuthTime, CreatedAt: now, ExpiresAt: now.Add(GrantLife),
	}
	return g.ID, s.store.Exchange(ctx, r.ID, g, hash(refresh), now)
}

// TokenRequestByRefreshToken finds the grant. Whether the token may still be used is decided
// under its lock, by Rotate.
func (s *storage) TokenRequestByRefreshToken(ctx context.Context, token string) (op.RefreshTokenRequest, error) {
	g, err := s.store.GrantByRefreshToken(ctx, hash(token))
	if err != nil {
		return nil, op.ErrInvalidRefreshToken
	}
	return &refreshRequest{Grant: g, scopes: g.Scopes}, nil
}

// GetRefreshTokenInfo is for revocation.
func (s *storage) GetRefreshTokenInfo(ctx context.Context, _, token string) (uid, id string, err error) {
	g, err := s.store.GrantByRefreshToken(ctx, hash(token))
	if errors.Is(err, ErrNotFound) {
		return "", "", op.ErrInvalidRefreshToken
	}
	return g.UID.String(), g.ID.String(), err
}

// RevokeToken ends the whole grant, whichever of its tokens was given. An unknown token is
// revoked already (RFC 7009, 2.2).
func (s *storage) RevokeToken(ctx context.Context, id, _, clientID string) *oidc.Error {
	g, err := s.grantOf(ctx, id)
	if errors.Is(err, ErrNotFound) || (err == nil && g.ClientID != clientID) {
		return nil
	}
	if err == nil {
		err = s.store.RevokeGrant(ctx, g.ID, s.at())
	}
	if err != nil {
		return oidc.ErrServerError().WithParent(err)
	}
	return nil
}

// grantOf finds the live grant of an access token's id.
func (s *storage) grantOf(ctx context.Context, tokenID string) (Grant, error) {
	id, _, _ := strings.Cut(tokenID, ".")
	parsed, err := uuid.Parse(id)
	if err != nil {
		return Grant{}, ErrNotFound.Because(err)
	}
	return s.store.LiveGrant(ctx, parsed, s.at())
}

// TerminateSession is not called: TerminateSessionFromRequest is.
func (s *storage) TerminateSession(context.Context, string, string) error { return nil }

// TerminateSessionFromRequest ends the browser's session and what came of it.
func (s *storage) TerminateSessionFromRequest(ctx context.Context, in *op.EndSessionRequest) (string, error) {
	if sid, ok := sessionFrom(ctx); ok {
		if err := s.store.EndSession(ctx, sid, s.at()); err != nil {
			return "", err
		}
	}
	return in.RedirectURI, nil
}

// Health is answered by the service's readiness.
func (s *storage) Health(context.Context) error { return nil }

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
