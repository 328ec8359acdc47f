package postgres

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"serein.app/services/identity/internal/oidcop"
	"serein.app/services/identity/internal/postgres/sqlcgen"
)

var _ oidcop.Store = (*Store)(nil)

// SaveRequest keeps a new authorization request.
func (s *Store) SaveRequest(ctx context.Context, r oidcop.Request) error {
	return translate(s.queries.InsertAuthRequest(ctx, s.db, sqlcgen.InsertAuthRequestParams{
		ID: r.ID, ClientID: r.ClientID, RedirectUri: r.RedirectURI, Scopes: r.Scopes, State: r.State, Nonce: r.Nonce,
		CodeChallenge: r.CodeChallenge, Prompt: r.Prompt, MaxAge: r.MaxAge, LoginHint: r.LoginHint, HintUid: r.HintUID,
		Browser: r.Browser, CreatedAt: r.CreatedAt, ExpiresAt: r.ExpiresAt,
	}))
}

// Request finds one that has not expired.
func (s *Store) Request(ctx context.Context, id uuid.UUID, now time.Time) (oidcop.Request, error) {
	r, err := s.queries.AuthRequest(ctx, s.db, sqlcgen.AuthRequestParams{ID: id, Now: now})
	return requestOf(r), missing(err, oidcop.ErrNotFound)
}

// RequestByCode finds the request of a code, used and expired ones too.
func (s *Store) RequestByCode(ctx context.Context, codeHash []byte) (oidcop.Request, error) {
	r, err := s.queries.AuthRequestByCode(ctx, s.db, codeHash)
	return requestOf(r), missing(err, oidcop.ErrNotFound)
}

// Complete says who signed in.
func (s *Store) Complete(ctx context.Context, id uuid.UUID, session oidcop.Session, now time.Time) error {
	return affected(s.queries.CompleteAuthRequest(ctx, s.db, sqlcgen.CompleteAuthRequestParams{
		ID: id, Uid: &session.UID, Sid: &session.SID, AuthTime: &session.AuthTime, Now: now,
	}))
}

// SetPending says whose password was given and who waits for a code.
func (s *Store) SetPending(ctx context.Context, id, uid uuid.UUID, now time.Time) error {
	return affected(s.queries.SetPending(ctx, s.db, sqlcgen.SetPendingParams{ID: id, PendingUid: uid, Now: now}))
}

// ClientConsented says whether one answer covers all those scopes.
func (s *Store) ClientConsented(ctx context.Context, uid uuid.UUID, clientID string, scopes []string) (bool, error) {
	given, err := s.queries.ClientConsented(ctx, s.db, sqlcgen.ClientConsentedParams{Uid: uid, ClientID: clientID, Scopes: scopes})
	return given, translate(err)
}

// AddClientConsent records an answer.
func (s *Store) AddClientConsent(ctx context.Context, uid uuid.UUID, clientID string, scopes []string, now time.Time) error {
	return translate(s.queries.InsertClientConsent(ctx, s.db, sqlcgen.InsertClientConsentParams{
		Uid: uid, ClientID: clientID, Scopes: scopes, GivenAt: now,
	}))
}

// SaveCode gives a completed request its one code.
func (s *Store) SaveCode(ctx context.Context, id uuid.UUID, codeHash []byte, expires time.Time) error {
	return affected(s.queries.SaveCode(ctx, s.db, sqlcgen.SaveCodeParams{ID: id, CodeHash: codeHash, ExpiresAt: expires}))
}

func affected(rows int64, err error) error {
	if err == nil && rows == 0 {
		return oidcop.ErrNotFound
	}
	return translate(err)
}

// Exchange ends the code and begins the grant.
func (s *Store) Exchange(ctx context.Context, request uuid.UUID, g oidcop.Grant, refreshHash []byte, now time.Time) error {
	return s.inTx(ctx, func(ctx context.Context, tx pgx.Tx) error {
		err := s.queries.InsertGrant(ctx, tx, sqlcgen.InsertGrantParams{
			ID: g.ID, Uid: g.UID, ClientID: g.ClientID, Sid: g.SID, Scopes: g.Scopes,
			AuthTime: g.AuthTime, CreatedAt: g.CreatedAt, ExpiresAt: g.ExpiresAt,
		})
		if err != nil {
			return err
		}
		rows, err := s.queries.ExchangeCode(ctx, tx, sqlcgen.ExchangeCodeParams{ID: request, GrantID: &g.ID, Now: now})
		if err != nil {
			return err
		}
		if rows == 0 {
			return oidcop.ErrReused
		}
		if refreshHash == nil {
			return nil
		}
		return s.queries.InsertRefreshToken(ctx, tx, sqlcgen.InsertRefreshTokenParams{
			Hash: refreshHash, GrantID: g.ID, ExpiresAt: now.Add(oidcop.RefreshLife),
		})
	})
}

func requestOf(r sqlcgen.AuthRequest) oidcop.Request {
	return oidcop.Request{
		ID: r.ID, ClientID: r.ClientID, RedirectURI: r.RedirectUri, Scopes: r.Scopes, State: r.State, Nonce: r.Nonce,
		CodeChallenge: r.CodeChallenge, Prompt: r.Prompt, MaxAge: r.MaxAge, LoginHint: r.LoginHint, HintUID: r.HintUid,
		Browser: r.Browser, CreatedAt: r.CreatedAt, ExpiresAt: r.ExpiresAt, UID: r.Uid, SID: r.Sid, AuthTime: r.AuthTime,
		PendingUID: r.PendingUid, Exchanged: r.ExchangedAt != nil, GrantID: r.GrantID,
	}
}
