package postgres

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"serein.app/services/identity/internal/account"
	"serein.app/services/identity/internal/oidcop"
	"serein.app/services/identity/internal/postgres/sqlcgen"
)

var _ oidcop.Store = (*Store)(nil)

// SaveAnswered keeps an answered request with its code.
func (s *Store) SaveAnswered(ctx context.Context, r oidcop.Request, codeHash []byte, expires time.Time) error {
	return affected(s.queries.InsertAnsweredRequest(ctx, s.db, sqlcgen.InsertAnsweredRequestParams{
		ID: r.ID, ClientID: r.ClientID, RedirectUri: r.RedirectURI, Scopes: r.Scopes, State: r.State, Nonce: r.Nonce,
		CodeChallenge: r.CodeChallenge, CreatedAt: r.CreatedAt, ExpiresAt: expires,
		Uid: *r.UID, Sid: *r.SID, AuthTime: *r.AuthTime, CodeHash: codeHash, ByPasskey: r.ByPasskey, SecondStep: r.SecondStep,
	}))
}

// RequestByCode finds the request of a code with its member, used and expired ones too.
func (s *Store) RequestByCode(ctx context.Context, codeHash []byte) (oidcop.Request, account.Account, error) {
	row, err := s.queries.AuthRequestByCode(ctx, s.db, codeHash)
	return requestOf(row.AuthRequest), accountOf(row.Account), missing(err, oidcop.ErrNotFound)
}

// ClientConsented says whether one answer covers all those scopes.
func (s *Store) ClientConsented(ctx context.Context, uid uuid.UUID, clientID string, scopes []string) (bool, error) {
	given, err := s.queries.ClientConsented(ctx, s.db, sqlcgen.ClientConsentedParams{Uid: uid, ClientID: clientID, Scopes: scopes})
	return given, translate(err)
}

// ClientConsents are a member's answers, the newest first.
func (s *Store) ClientConsents(ctx context.Context, uid uuid.UUID) ([]oidcop.ClientConsent, error) {
	rows, err := s.queries.ClientConsents(ctx, s.db, uid)
	given := make([]oidcop.ClientConsent, len(rows))
	for i, r := range rows {
		given[i] = oidcop.ClientConsent{ClientID: r.ClientID, Scopes: r.Scopes, At: r.GivenAt, Revoked: r.Revoked}
	}
	return given, translate(err)
}

// RevokeClientConsents records that a member took back what they let a client do, and ends its grants and its codes that are not
// exchanged yet. It says whether there was anything to take back.
func (s *Store) RevokeClientConsents(ctx context.Context, uid uuid.UUID, clientID string, now time.Time) (revoked bool, err error) {
	err = s.inTx(ctx, func(ctx context.Context, tx pgx.Tx) error {
		rows, err := s.queries.RevokeClientConsents(ctx, tx, sqlcgen.RevokeClientConsentsParams{Uid: uid, ClientID: clientID, Now: now})
		if revoked = rows > 0; err != nil || !revoked {
			return err
		}
		// Codes first: of an exchange at the same moment either the code has expired, or the grant is there for the second statement.
		if err := s.queries.EndRequestsOfClient(ctx, tx, sqlcgen.EndRequestsOfClientParams{Uid: uid, ClientID: clientID, Now: now}); err != nil {
			return err
		}
		return s.queries.RevokeGrantsOfClient(ctx, tx, sqlcgen.RevokeGrantsOfClientParams{Uid: uid, ClientID: clientID, Now: now})
	})
	return revoked, err
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
	return s.beginGrant(ctx, &request, g, refreshHash, now)
}

// BeginGrant begins a grant that came of no request.
func (s *Store) BeginGrant(ctx context.Context, g oidcop.Grant, refreshHash []byte, now time.Time) error {
	return s.beginGrant(ctx, nil, g, refreshHash, now)
}

// The states that begin_grant fails with.
const (
	stateReused = "IDREU"
	stateEnded  = "IDEND"
)

// beginGrant has the session last as long as the grant's refresh token, if there is one; of a session that has ended meanwhile nothing comes.
func (s *Store) beginGrant(ctx context.Context, request *uuid.UUID, g oidcop.Grant, refreshHash []byte, now time.Time) error {
	in := sqlcgen.BeginGrantParams{
		Request: request, ID: g.ID, Uid: g.UID, ClientID: g.ClientID, Sid: g.SID, Scopes: g.Scopes, AuthTime: g.AuthTime, CreatedAt: g.CreatedAt,
		ExpiresAt: g.ExpiresAt, ByPasskey: g.ByPasskey, SecondStep: g.SecondStep,
		RefreshHash: refreshHash, RefreshExpiresAt: now.Add(oidcop.RefreshLife), SessionEndsAt: now, Now: now,
	}
	if refreshHash != nil {
		in.SessionEndsAt = now.Add(oidcop.RefreshLife + oidcop.UseEvery)
	}
	err := s.again(ctx, func(ctx context.Context) error { return s.queries.BeginGrant(ctx, s.db, in) })
	var refused *pgconn.PgError
	if errors.As(err, &refused) {
		switch refused.Code {
		case stateReused:
			return oidcop.ErrReused.Because(err)
		case stateEnded:
			return oidcop.ErrNotFound.Because(err)
		}
	}
	return err
}

func requestOf(r sqlcgen.AuthRequest) oidcop.Request {
	return oidcop.Request{
		ID: r.ID, ClientID: r.ClientID, RedirectURI: r.RedirectUri, Scopes: r.Scopes, State: r.State, Nonce: r.Nonce,
		CodeChallenge: r.CodeChallenge, CreatedAt: r.CreatedAt, ExpiresAt: r.ExpiresAt, UID: &r.Uid, SID: &r.Sid, AuthTime: &r.AuthTime,
		Exchanged: r.ExchangedAt != nil, GrantID: r.GrantID, ByPasskey: r.ByPasskey, SecondStep: r.SecondStep,
	}
}
