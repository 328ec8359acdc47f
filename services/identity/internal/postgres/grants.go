package postgres

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"serein.app/services/identity/internal/jobs"
	"serein.app/services/identity/internal/oidcop"
	"serein.app/services/identity/internal/postgres/sqlcgen"
)

// Rotate replaces a refresh token by the first of newHashes under its lock, and says which of them stands. A token that
// was used before ends its grant, unless its answer was evidently lost, or two asked at once: used moments ago for
// one of these successors, which was never used.
func (s *Store) Rotate(ctx context.Context, oldHash []byte, newHashes [][]byte, now time.Time) (int, error) {
	var verdict error
	stands := 0
	err := s.inTx(ctx, func(ctx context.Context, tx pgx.Tx) error {
		verdict, stands = nil, 0
		old, err := s.queries.LockRefreshToken(ctx, tx, oldHash)
		if err != nil {
			return missing(err, oidcop.ErrNotFound)
		}
		grant, err := s.queries.LiveGrant(ctx, tx, sqlcgen.LiveGrantParams{ID: old.GrantID, Now: now})
		if err != nil {
			return missing(err, oidcop.ErrNotFound)
		}
		good, err := s.usable(ctx, tx, old, newHashes, now)
		if err != nil {
			return err
		}
		if !good {
			// Committed with the refusal: the family is over.
			verdict = oidcop.ErrReused
			return s.queries.RevokeGrant(ctx, tx, sqlcgen.RevokeGrantParams{ID: old.GrantID, Now: now})
		}
		if old.UsedAt != nil {
			stands = which(newHashes, old.Next)
			return nil
		}
		if err := s.useSession(ctx, tx, grant.Sid, now, now.Add(oidcop.RefreshLife+oidcop.UseEvery)); err != nil {
			return err
		}
		if err := s.queries.UseRefreshToken(ctx, tx, sqlcgen.UseRefreshTokenParams{Hash: oldHash, Now: now, Next: newHashes[0]}); err != nil {
			return err
		}
		return s.queries.InsertRefreshToken(ctx, tx, sqlcgen.InsertRefreshTokenParams{
			Hash: newHashes[0], GrantID: old.GrantID, ExpiresAt: now.Add(oidcop.RefreshLife),
		})
	})
	return stands, errors.Join(err, verdict)
}

// which of the hashes this is; -1 for none.
func which(hashes [][]byte, hash []byte) int {
	return slices.IndexFunc(hashes, func(h []byte) bool { return bytes.Equal(h, hash) })
}

func (s *Store) usable(ctx context.Context, tx pgx.Tx, t sqlcgen.RefreshToken, next [][]byte, now time.Time) (bool, error) {
	switch {
	case !now.Before(t.ExpiresAt):
		return false, oidcop.ErrNotFound.Because(errors.New("the refresh token is too old"))
	case t.UsedAt == nil:
		return true, nil
	case now.Sub(*t.UsedAt) > oidcop.RefreshGrace || which(next, t.Next) < 0:
		return false, nil
	}
	successor, err := s.queries.LockRefreshToken(ctx, tx, t.Next)
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

// LiveRefreshToken finds a refresh token that could be used now, with its grant and its end.
func (s *Store) LiveRefreshToken(ctx context.Context, hash []byte, now time.Time) (oidcop.Grant, time.Time, error) {
	row, err := s.queries.LiveRefreshToken(ctx, s.db, sqlcgen.LiveRefreshTokenParams{Hash: hash, Now: now})
	return grantOf(row.Grant), row.ExpiresAt, missing(err, oidcop.ErrNotFound)
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

// noticeLogout enqueues a notice for each of the clients that took part in a session.
func (s *Store) noticeLogout(ctx context.Context, tx pgx.Tx, uid, sid uuid.UUID) error {
	if s.told == nil {
		return nil
	}
	clients, err := s.queries.ClientsOfSession(ctx, tx, sqlcgen.ClientsOfSessionParams{Sid: sid, Clients: s.told()})
	if err != nil {
		return err
	}
	for _, id := range clients {
		if _, err := s.jobs.InsertTx(ctx, tx, jobs.LogoutNotice{ClientID: id, UID: uid, SID: sid}, nil); err != nil {
			return err
		}
	}
	return nil
}

func grantOf(g sqlcgen.Grant) oidcop.Grant {
	return oidcop.Grant{
		ID: g.ID, UID: g.Uid, ClientID: g.ClientID, SID: g.Sid, Scopes: g.Scopes,
		AuthTime: g.AuthTime, CreatedAt: g.CreatedAt, ExpiresAt: g.ExpiresAt, ByPasskey: g.ByPasskey, SecondStep: g.SecondStep,
	}
}
