package postgres

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"serein.app/services/identity/internal/account"
	"serein.app/services/identity/internal/jobs"
	"serein.app/services/identity/internal/passkey"
	"serein.app/services/identity/internal/postgres/sqlcgen"
)

var _ passkey.Store = (*Store)(nil)

// Passkeys of a member, the newest first.
func (s *Store) Passkeys(ctx context.Context, uid uuid.UUID) ([]passkey.Passkey, error) {
	rows, err := s.queries.PasskeysOfMember(ctx, s.db, uid)
	out := make([]passkey.Passkey, len(rows))
	for i, p := range rows {
		out[i] = passkeyOf(p)
	}
	return out, translate(err)
}

// PasskeyByCredential finds whose it is.
func (s *Store) PasskeyByCredential(ctx context.Context, credentialID []byte) (passkey.Passkey, error) {
	p, err := s.queries.PasskeyByCredential(ctx, s.db, credentialID)
	return passkeyOf(p), missing(err, passkey.ErrNotFound)
}

// AddPasskey counts under the account's lock, so that of many at once no more are added than there may be.
func (s *Store) AddPasskey(ctx context.Context, p passkey.Passkey, most int, c passkey.Challenge, notice uuid.UUID) error {
	return s.inTx(ctx, func(ctx context.Context, tx pgx.Tx) error {
		if _, err := s.queries.LockAccount(ctx, tx, p.UID); err != nil {
			return missing(err, account.ErrUserNotFound)
		}
		has, err := s.queries.PasskeysOfMember(ctx, tx, p.UID)
		if err != nil {
			return err
		}
		if len(has) >= most {
			return passkey.ErrFull
		}
		if err := s.useChallenge(ctx, tx, c); err != nil {
			return err
		}
		err = s.queries.InsertPasskey(ctx, tx, sqlcgen.InsertPasskeyParams{
			ID: p.ID, Uid: p.UID, CredentialID: p.CredentialID, PublicKey: p.PublicKey, SignCount: int64(p.SignCount),
			BackupEligible: p.BackupEligible, BackedUp: p.BackedUp, Transports: p.Transports, Name: p.Name, AddedAt: p.AddedAt,
		})
		if err != nil {
			return err
		}
		_, err = s.jobs.InsertTx(ctx, tx, jobs.AccountMail{ID: notice, UID: p.UID, Letter: jobs.PasskeyAdded}, nil)
		return err
	})
}

// UsePasskey writes a use down.
func (s *Store) UsePasskey(ctx context.Context, p passkey.Passkey, count uint32, backedUp bool, c passkey.Challenge, now time.Time) error {
	return s.inTx(ctx, func(ctx context.Context, tx pgx.Tx) error {
		if err := s.useChallenge(ctx, tx, c); err != nil {
			return err
		}
		rows, err := s.queries.UsePasskey(ctx, tx, sqlcgen.UsePasskeyParams{
			ID: p.ID, BackedUp: backedUp, Count: int64(count), Before: int64(p.SignCount), Now: now,
		})
		if err == nil && rows == 0 {
			return passkey.ErrRefused.Because(errors.New("it was used or removed meanwhile"))
		}
		return err
	})
}

// RemovePasskey removes a member's own.
func (s *Store) RemovePasskey(ctx context.Context, uid, id, notice uuid.UUID) (removed bool, err error) {
	err = s.inTx(ctx, func(ctx context.Context, tx pgx.Tx) error {
		rows, err := s.queries.DeletePasskey(ctx, tx, sqlcgen.DeletePasskeyParams{ID: id, Uid: uid})
		if removed = rows > 0; err != nil || !removed {
			return err
		}
		_, err = s.jobs.InsertTx(ctx, tx, jobs.AccountMail{ID: notice, UID: uid, Letter: jobs.PasskeyRemoved}, nil)
		return err
	})
	return removed, err
}

func (s *Store) useChallenge(ctx context.Context, tx pgx.Tx, c passkey.Challenge) error {
	rows, err := s.queries.UseChallenge(ctx, tx, sqlcgen.UseChallengeParams{Hash: c.Hash, ExpiresAt: c.ExpiresAt})
	if err == nil && rows == 0 {
		return passkey.ErrRefused.Because(errors.New("the challenge was used before"))
	}
	return err
}

func passkeyOf(p sqlcgen.Passkey) passkey.Passkey {
	return passkey.Passkey{
		ID: p.ID, UID: p.Uid, CredentialID: p.CredentialID, PublicKey: p.PublicKey, SignCount: uint32(p.SignCount),
		BackupEligible: p.BackupEligible, BackedUp: p.BackedUp, Transports: p.Transports, Name: p.Name, AddedAt: p.AddedAt, UsedAt: p.UsedAt,
	}
}
