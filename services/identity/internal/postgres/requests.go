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

// SaveAnswered keeps an answered request with its code.
func (s *Store) SaveAnswered(ctx context.Context, r oidcop.Request, codeHash []byte, expires time.Time) error {
	return affected(s.queries.InsertAnsweredRequest(ctx, s.db, sqlcgen.InsertAnsweredRequestParams{
		ID: r.ID, ClientID: r.ClientID, RedirectUri: r.RedirectURI, Scopes: r.Scopes, State: r.State, Nonce: r.Nonce,
		CodeChallenge: r.CodeChallenge, CreatedAt: r.CreatedAt, ExpiresAt: expires,
		Uid: *r.UID, Sid: *r.SID, AuthTime: *r.AuthTime, CodeHash: codeHash,
	}))
}

// RequestByCode finds the request of a code, used and expired ones too.
func (s *Store) RequestByCode(ctx context.Context, codeHash []byte) (oidcop.Request, error) {
	r, err := s.queries.AuthRequestByCode(ctx, s.db, codeHash)
	return requestOf(r), missing(err, oidcop.ErrNotFound)
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
		CodeChallenge: r.CodeChallenge, CreatedAt: r.CreatedAt, ExpiresAt: r.ExpiresAt, UID: &r.Uid, SID: &r.Sid, AuthTime: &r.AuthTime,
		Exchanged: r.ExchangedAt != nil, GrantID: r.GrantID,
	}
}
