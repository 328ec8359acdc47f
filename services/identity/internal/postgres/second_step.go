package postgres

import (
	"context"
	"errors"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"serein.app/services/identity/internal/jobs"
	"serein.app/services/identity/internal/postgres/sqlcgen"
	"serein.app/services/identity/internal/secondstep"
)

var _ secondstep.Store = (*Store)(nil)

// Authenticator of a member.
func (s *Store) Authenticator(ctx context.Context, uid uuid.UUID) (secondstep.Authenticator, error) {
	a, err := s.queries.AuthenticatorOfMember(ctx, s.db, uid)
	return authenticatorOf(a), missing(err, secondstep.ErrOff)
}

// RecoveryCodesLeft counts those that were not used yet.
func (s *Store) RecoveryCodesLeft(ctx context.Context, uid uuid.UUID) (int, error) {
	left, err := s.queries.CountRecoveryCodes(ctx, s.db, uid)
	return int(left), translate(err)
}

// SecondStepMissing looks at the app and the session at once.
func (s *Store) SecondStepMissing(ctx context.Context, uid, sid uuid.UUID) (bool, error) {
	missing, err := s.queries.SecondStepMissing(ctx, s.db, sqlcgen.SecondStepMissingParams{Uid: uid, Sid: sid})
	return missing, translate(err)
}

// TurnOn is once a ceremony, and one app a member: of two at once the second finds either.
func (s *Store) TurnOn(ctx context.Context, a secondstep.Authenticator, codes [][]byte, c secondstep.Ceremony, notice uuid.UUID) error {
	return s.inTx(ctx, func(ctx context.Context, tx pgx.Tx) error {
		added, err := s.queries.InsertAuthenticator(ctx, tx, sqlcgen.InsertAuthenticatorParams{
			Uid: a.UID, Sealed: a.Sealed, LastStep: a.LastStep, AddedAt: a.AddedAt,
		})
		if err != nil {
			return err
		}
		if added == 0 {
			return secondstep.ErrOn
		}
		used, err := s.queries.UseChallenge(ctx, tx, sqlcgen.UseChallengeParams{Hash: c.Hash, ExpiresAt: c.ExpiresAt})
		if err != nil {
			return err
		}
		if used == 0 {
			return secondstep.ErrRefused.Because(errors.New("the ceremony was used before"))
		}
		if err := s.queries.SecondStepGiven(ctx, tx, sqlcgen.SecondStepGivenParams{Sid: c.SID, Uid: a.UID}); err != nil {
			return err
		}
		if err := s.insertRecoveryCodes(ctx, tx, a.UID, codes); err != nil {
			return err
		}
		_, err = s.jobs.InsertTx(ctx, tx, jobs.AccountMail{ID: notice, UID: a.UID, Letter: jobs.SecondStepOn}, nil)
		return err
	})
}

func (s *Store) insertRecoveryCodes(ctx context.Context, tx pgx.Tx, uid uuid.UUID, codes [][]byte) error {
	for _, hash := range codes {
		if err := s.queries.InsertRecoveryCode(ctx, tx, sqlcgen.InsertRecoveryCodeParams{Uid: uid, Hash: hash}); err != nil {
			return err
		}
	}
	return nil
}

// UseStep writes down which code counted.
func (s *Store) UseStep(ctx context.Context, a secondstep.Authenticator, step int64) error {
	rows, err := s.queries.UseStep(ctx, s.db, sqlcgen.UseStepParams{Uid: a.UID, AddedAt: a.AddedAt, Step: step})
	if err == nil && rows == 0 {
		return secondstep.ErrUsed
	}
	return translate(err)
}

// UseRecoveryCode takes a code away.
func (s *Store) UseRecoveryCode(ctx context.Context, uid uuid.UUID, hash []byte, notice uuid.UUID) error {
	return s.inTx(ctx, func(ctx context.Context, tx pgx.Tx) error {
		rows, err := s.queries.UseRecoveryCode(ctx, tx, sqlcgen.UseRecoveryCodeParams{Uid: uid, Hash: hash})
		if err != nil {
			return err
		}
		if rows == 0 {
			return secondstep.ErrCode
		}
		_, err = s.jobs.InsertTx(ctx, tx, jobs.AccountMail{ID: notice, UID: uid, Letter: jobs.RecoveryCodeUsed}, nil)
		return err
	})
}

// ReplaceRecoveryCodes replaces under the app's lock, so that of two at once the later codes stand alone.
func (s *Store) ReplaceRecoveryCodes(ctx context.Context, uid uuid.UUID, codes [][]byte) error {
	return s.inTx(ctx, func(ctx context.Context, tx pgx.Tx) error {
		if _, err := s.queries.LockAuthenticator(ctx, tx, uid); err != nil {
			return missing(err, secondstep.ErrOff)
		}
		if err := s.queries.DeleteRecoveryCodes(ctx, tx, uid); err != nil {
			return err
		}
		return s.insertRecoveryCodes(ctx, tx, uid, codes)
	})
}

// TurnOff removes a member's app; its recovery codes go with it.
func (s *Store) TurnOff(ctx context.Context, uid, notice uuid.UUID) (was bool, err error) {
	err = s.inTx(ctx, func(ctx context.Context, tx pgx.Tx) error {
		rows, err := s.queries.DeleteAuthenticator(ctx, tx, uid)
		if was = rows > 0; err != nil || !was {
			return err
		}
		_, err = s.jobs.InsertTx(ctx, tx, jobs.AccountMail{ID: notice, UID: uid, Letter: jobs.SecondStepOff}, nil)
		return err
	})
	return was, err
}

// AuthenticatorsAfter are the next apps in the order of their members.
func (s *Store) AuthenticatorsAfter(ctx context.Context, uid uuid.UUID, most int) ([]secondstep.Authenticator, error) {
	rows, err := s.queries.AuthenticatorsAfter(ctx, s.db, sqlcgen.AuthenticatorsAfterParams{Uid: uid, Limit: int32(most)})
	out := make([]secondstep.Authenticator, len(rows))
	for i, a := range rows {
		out[i] = authenticatorOf(a)
	}
	return out, translate(err)
}

// Reseal keeps a secret in another seal.
func (s *Store) Reseal(ctx context.Context, a secondstep.Authenticator, fresh []byte) error {
	return translate(s.queries.ResealAuthenticator(ctx, s.db, sqlcgen.ResealAuthenticatorParams{Uid: a.UID, Sealed: a.Sealed, Fresh: fresh}))
}

func authenticatorOf(a sqlcgen.Authenticator) secondstep.Authenticator {
	return secondstep.Authenticator{UID: a.Uid, Sealed: a.Sealed, LastStep: a.LastStep, AddedAt: a.AddedAt}
}
