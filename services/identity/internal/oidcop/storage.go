package oidcop

import (
	"context"
	"crypto/sha256"
	"errors"
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

// ErrSecondStepAsked is what a Store answers when an account asks for a code that its member has not given yet. It is for the provider, which
// asks; no caller sees it.
var ErrSecondStepAsked = errors.New("the account asks for a code beside the password")

// Store keeps requests, sessions and grants. Every method is one transaction.
type Store interface {
	// SaveAnswered keeps a request that somebody has signed in to, with its one code. Errors: ErrNotFound
	// where it has been answered before.
	SaveAnswered(ctx context.Context, r Request, codeHash []byte, expires time.Time) error
	// RequestByCode finds the request of a code, used and expired ones too, with its member.
	RequestByCode(ctx context.Context, codeHash []byte) (Request, account.Account, error)
	// ClientConsented says whether one answer of the member lets the client have all those scopes.
	ClientConsented(ctx context.Context, uid uuid.UUID, clientID string, scopes []string) (bool, error)
	// ClientConsents are all those answers, the newest first.
	ClientConsents(ctx context.Context, uid uuid.UUID) ([]ClientConsent, error)
	// RevokeClientConsents records that the member took back what they let the client do, ends its grants and codes, and says whether there
	// was anything to take back.
	RevokeClientConsents(ctx context.Context, uid uuid.UUID, clientID string, now time.Time) (revoked bool, err error)
	// AddClientConsent records that the member lets the client have those scopes.
	AddClientConsent(ctx context.Context, uid uuid.UUID, clientID string, scopes []string, now time.Time) error
	// Exchange ends a request's code and begins the grant; with no refresh token where refreshHash is
	// nil. Errors: ErrReused.
	Exchange(ctx context.Context, request uuid.UUID, g Grant, refreshHash []byte, now time.Time) error
	// BeginGrant begins a grant that came of no request.
	BeginGrant(ctx context.Context, g Grant, refreshHash []byte, now time.Time) error
	// EndSessions ends all sessions and grants of a member but those of one, each session with its event; with uuid.Nil all of them.
	EndSessions(ctx context.Context, uid, keep uuid.UUID, now time.Time) error
	// Rotate replaces a refresh token by the first of those, and says which of them stands: another one where it was
	// replaced by that moments ago. Errors: ErrNotFound, ErrReused.
	Rotate(ctx context.Context, oldHash []byte, newHashes [][]byte, now time.Time) (int, error)
	GrantByRefreshToken(ctx context.Context, hash []byte) (Grant, error)
	// LiveRefreshToken is the grant of a refresh token that could be used now, and until when. Errors: ErrNotFound.
	LiveRefreshToken(ctx context.Context, hash []byte, now time.Time) (Grant, time.Time, error)
	LiveGrant(ctx context.Context, id uuid.UUID, now time.Time) (Grant, error)
	RevokeGrant(ctx context.Context, id uuid.UUID, now time.Time) error
	// StartSession stores a new session, and ends the oldest ones over the limit. A letter tells the member about an unknown browser, but
	// not about the first sign-in of the account's life. Errors: account.ErrNotAuthorized if the password was replaced, or an operator
	// demanded another, after the member had given it, or if the account is to be deleted or is gone; ErrSecondStepAsked if the account
	// asks for a code and the member has given neither that nor a passkey.
	StartSession(ctx context.Context, s Session, known bool) error
	// StartAndAnswer is StartSession and SaveAnswered at once. Errors: those of StartSession, and ErrNotFound where the session has begun
	// and the request has been answered before.
	StartAndAnswer(ctx context.Context, s Session, known bool, a Answer) error
	// RenewSession gives a session that goes on its new cookie and times. Errors: ErrNotFound, and those of StartSession.
	RenewSession(ctx context.Context, s Session) error
	Session(ctx context.Context, cookieHash []byte, now time.Time) (Session, error)
	// EndSession ends it with every grant that came of it, and has those of the clients told that are to be and took part.
	EndSession(ctx context.Context, sid uuid.UUID, now time.Time) error
	// UsableSessions are a member's that somebody could still use, by cookie or by a grant; the one used last first.
	UsableSessions(ctx context.Context, uid uuid.UUID, now time.Time) ([]Session, error)
	// UseSession writes down that a session is used, at most every UseEvery.
	UseSession(ctx context.Context, sid uuid.UUID, now time.Time) error
	// EndSessionOf is EndSession for a session of that member alone, and says whether there was one.
	EndSessionOf(ctx context.Context, uid, sid uuid.UUID, now time.Time) (bool, error)
}

// Accounts finds the people that tokens speak of.
type Accounts interface {
	ByUID(ctx context.Context, uid string) (account.Account, error)
}

// storage is what the protocol library calls.
type storage struct {
	clients  *Clients
	store    Store
	accounts Accounts
	ring     *keys.Ring
	sealer   *seal.Sealer
	now      func() time.Time
	newID    func() uuid.UUID
	log      *slog.Logger
	security *seclog.Log
	// successorKeys derive a refresh token's successor from it: the first makes it, any may have made it.
	successorKeys [][]byte
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
