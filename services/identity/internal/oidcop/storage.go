package oidcop

import (
	"context"
	"crypto/sha256"
	"log/slog"
	"time"

	"github.com/google/uuid"
	"github.com/zitadel/oidc/v3/pkg/op"

	errorsv1 "serein.app/proto/gen/serein/errors/v1"
	"serein.app/services/identity/internal/account"
	"serein.app/services/identity/internal/keys"
	"serein.app/services/platform/errs"
	"serein.app/services/platform/seal"
	"serein.app/services/platform/seclog"
)

// ErrNotFound is what a Store answers when there is no such request, session or grant, or it
// has ended.
var ErrNotFound = errs.New(errs.NotFound, errorsv1.Reason_REASON_NOT_FOUND, "There is no such sign-in.")

// ErrReused is what a Store answers when a code or a refresh token is used a second time. The
// grant is revoked by then.
var ErrReused = errs.New(errs.Conflict, errorsv1.Reason_REASON_TOKEN_REUSED, "Please sign in again.")

// Store keeps requests, sessions and grants. Every method is one transaction.
type Store interface {
	// SaveAnswered keeps a request that somebody has signed in to, with its one code. Errors: ErrNotFound
	// where it has been answered before.
	SaveAnswered(ctx context.Context, r Request, codeHash []byte, expires time.Time) error
	RequestByCode(ctx context.Context, codeHash []byte) (Request, error)
	// ClientConsented says whether one answer of the member lets the client have all those scopes.
	ClientConsented(ctx context.Context, uid uuid.UUID, clientID string, scopes []string) (bool, error)
	// AddClientConsent records that the member lets the client have those scopes.
	AddClientConsent(ctx context.Context, uid uuid.UUID, clientID string, scopes []string, now time.Time) error
	// Exchange ends a request's code and begins the grant; with no refresh token where refreshHash is
	// nil. Errors: ErrReused.
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
	sealer   *seal.Sealer
	now      func() time.Time
	newID    func() uuid.UUID
	log      *slog.Logger
	security *seclog.Log
	// successorKey derives a refresh token's successor from it.
	successorKey []byte
}

var (
	_ op.Storage                        = (*storage)(nil)
	_ op.ClientCredentialsStorage       = (*storage)(nil)
	_ op.CanSetUserinfoFromRequest      = (*storage)(nil)
	_ op.CanTerminateSessionFromRequest = (*storage)(nil)
)

func hash(secret string) []byte {
	sum := sha256.Sum256([]byte(secret))
	return sum[:]
}

// at is now, as the database keeps it.
func (s *storage) at() time.Time { return s.now().UTC().Truncate(time.Microsecond) }

// Health is answered by the service's readiness.
func (s *storage) Health(context.Context) error { return nil }
