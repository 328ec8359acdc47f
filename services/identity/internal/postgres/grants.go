package postgres

import (
	"bytes"
	"context"
	"errors"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"serein.app/services/identity/internal/oidcop"
	"serein.app/services/identity/internal/postgres/sqlcgen"
)

// Rotate replaces a refresh token under its lock. A token that was used before ends its grant,
// unless its answer was evidently lost, or two asked at once: used moments ago for this same successor,
// which was never used.
func (s *Store) Rotate(ctx context.Context, oldHash, newHash []byte, now time.Time) error {
	var verdict error
	err := s.inTx(ctx, func(ctx context.Context, tx pgx.Tx) error {
		verdict = nil
		old, err := s.queries.LockRefreshToken(ctx, tx, oldHash)
		if err != nil {
			return missing(err, oidcop.ErrNotFound)
		}
		if _, err = s.queries.LiveGrant(ctx, tx, sqlcgen.LiveGrantParams{ID: old.GrantID, Now: now}); err != nil {
			return missing(err, oidcop.ErrNotFound)
		}
		good, err := s.usable(ctx, tx, old, newHash, now)
		if err != nil {
			return err
		}
		if !good {
			// Committed with the refusal: the family is over.
			verdict = oidcop.ErrReused
			return s.queries.RevokeGrant(ctx, tx, sqlcgen.RevokeGrantParams{ID: old.GrantID, Now: now})
		}
		if old.UsedAt != nil {
			return nil // it has its successor
		}
		if err := s.queries.UseRefreshToken(ctx, tx, sqlcgen.UseRefreshTokenParams{Hash: oldHash, Now: now, Next: newHash}); err != nil {
			return err
		}
		return s.queries.InsertRefreshToken(ctx, tx, sqlcgen.InsertRefreshTokenParams{
			Hash: newHash, GrantID: old.GrantID, ExpiresAt: now.Add(oidcop.RefreshLife),
		})
	})
	return errors.Join(err, verdict)
}

func (s *Store) usable(ctx context.Context, tx pgx.Tx, t sqlcgen.RefreshToken, next []byte, now time.Time) (bool, error) {
	switch {
	case !now.Before(t.ExpiresAt):
		return false, oidcop.ErrNotFound.Because(errors.New("the refresh token is too old"))
	case t.UsedAt == nil:
		return true, nil
	case now.Sub(*t.UsedAt) > oidcop.RefreshGrace || !bytes.Equal(t.Next, next):
		return false, nil
	}
	successor, err := s.queries.LockRefreshToken(ctx, tx, next)
	if errors.Is(err, pgx.ErrNoRows) {
		return false, nil
	}
	return err == nil && successor.UsedAt == nil, err
}

// GrantByRefreshToken finds the grant of a refresh token, used or not.
func (s *Store) GrantByRefreshToken(ctx context.Context, hash []byte) (oidcop.Grant, error) {
	g, err := s.queries.GrantByRefreshToken(ctx, s.db, hash)
	return grantOf(g), missing(err, oidcop.ErrNotFound)
}

// LiveGrant finds a grant that is neither revoked nor expired.
func (s *Store) LiveGrant(ctx context.Context, id uuid.UUID, now time.Time) (oidcop.Grant, error) {
	g, err := s.queries.LiveGrant(ctx, s.db, sqlcgen.LiveGrantParams{ID: id, Now: now})
	return grantOf(g), missing(err, oidcop.ErrNotFound)
}

// RevokeGrant ends a grant with all its tokens.
func (s *Store) RevokeGrant(ctx context.Context, id uuid.UUID, now time.Time) error {
	return translate(s.queries.RevokeGrant(ctx, s.db, sqlcgen.RevokeGrantParams{ID: id, Now: now}))
}

// StartSession keeps a new browser session.
func (s *Store) StartSession(ctx context.Context, n oidcop.Session) error {
	return translate(s.queries.InsertSession(ctx, s.db, sqlcgen.InsertSessionParams{
		Sid: n.SID, CookieHash: n.CookieHash, Uid: n.UID, AuthTime: n.AuthTime, ExpiresAt: n.ExpiresAt,
	}))
}

// Session finds a browser session that has not ended.
func (s *Store) Session(ctx context.Context, cookieHash []byte, now time.Time) (oidcop.Session, error) {
	n, err := s.queries.SessionByCookie(ctx, s.db, sqlcgen.SessionByCookieParams{CookieHash: cookieHash, Now: now})
	return oidcop.Session{
		SID: n.Sid, CookieHash: n.CookieHash, UID: n.Uid, AuthTime: n.AuthTime, ExpiresAt: n.ExpiresAt,
	}, missing(err, oidcop.ErrNotFound)
}

// EndSession ends a browser session and every grant that came of it, with one event. One that has ended
// already is no fault.
func (s *Store) EndSession(ctx context.Context, sid uuid.UUID, now time.Time) error {
	return s.inTx(ctx, func(ctx context.Context, tx pgx.Tx) error {
		if err := s.queries.RevokeGrantsOfSession(ctx, tx, sqlcgen.RevokeGrantsOfSessionParams{Sid: sid, Now: now}); err != nil {
			return err
		}
		uid, err := s.queries.DeleteSession(ctx, tx, sid)
		if errors.Is(err, pgx.ErrNoRows) {
			return nil
		}
		if err != nil {
			return err
		}
		return s.outbox.Add(ctx, tx, sessionEnded(uid, sid))
	})
}

func grantOf(g sqlcgen.Grant) oidcop.Grant {
	return oidcop.Grant{
		ID: g.ID, UID: g.Uid, ClientID: g.ClientID, SID: g.Sid, Scopes: g.Scopes,
		AuthTime: g.AuthTime, CreatedAt: g.CreatedAt, ExpiresAt: g.ExpiresAt,
	}
}
