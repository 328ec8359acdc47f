package postgres

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"serein.app/services/identity/internal/account"
	"serein.app/services/identity/internal/jobs"
	"serein.app/services/identity/internal/postgres/sqlcgen"
)

// ChangePassword replaces the password if it is still the one that was proved.
func (s *Store) ChangePassword(ctx context.Context, uid uuid.UUID, proved string, c account.NewPassword) error {
	return s.inTx(ctx, func(ctx context.Context, tx pgx.Tx) error {
		a, err := s.queries.LockAccount(ctx, tx, uid)
		if err != nil {
			return missing(err, account.ErrUserNotFound)
		}
		if a.PasswordHash != proved {
			return account.ErrWrongPassword.Because(errors.New("the password was changed meanwhile"))
		}
		return s.setPassword(ctx, tx, uid, c)
	})
}

// ChangeName changes what a member is called, with one event; the same names again are none.
func (s *Store) ChangeName(ctx context.Context, uid uuid.UUID, given, family string) (out account.Account, err error) {
	err = s.inTx(ctx, func(ctx context.Context, tx pgx.Tx) error {
		a, err := s.queries.LockAccount(ctx, tx, uid)
		if err != nil {
			return missing(err, account.ErrUserNotFound)
		}
		changed := a.GivenName != given || a.FamilyName != family
		a.GivenName, a.FamilyName = given, family
		out = accountOf(a)
		if !changed {
			return nil
		}
		if err := s.queries.ChangeName(ctx, tx, sqlcgen.ChangeNameParams{Uid: uid, GivenName: given, FamilyName: family}); err != nil {
			return err
		}
		return s.outbox.Add(ctx, tx, nameChanged(a))
	})
	return out, err
}

// BeginAddressChange replaces the change that waits, and enqueues the letters of its codes.
func (s *Store) BeginAddressChange(ctx context.Context, c account.AddressChange, present, fresh account.Code) error {
	return s.inTx(ctx, func(ctx context.Context, tx pgx.Tx) error {
		if _, err := s.queries.LockAccount(ctx, tx, c.UID); err != nil {
			return missing(err, account.ErrUserNotFound)
		}
		if err := s.stopAddressChange(ctx, tx, c.UID, c.At); err != nil {
			return err
		}
		reserved, err := s.queries.EmailHasAccount(ctx, tx, c.EmailKey)
		if err != nil {
			return err
		}
		err = s.queries.InsertAddressChange(ctx, tx, sqlcgen.InsertAddressChangeParams{
			ID: c.ID, Uid: c.UID, Email: c.Email, EmailKey: c.EmailKey, Reserved: reserved, CreatedAt: c.At, ExpiresAt: c.ExpiresAt,
		})
		if err != nil {
			return err
		}
		if err := s.addCode(ctx, tx, c.UID, present, c.At); err != nil {
			return err
		}
		return s.addCode(ctx, tx, c.UID, fresh, c.At)
	})
}

// stopAddressChange ends the change that waits, with its codes.
func (s *Store) stopAddressChange(ctx context.Context, tx pgx.Tx, uid uuid.UUID, now time.Time) error {
	for _, kind := range []account.CodeKind{account.CodeAddressPresent, account.CodeAddressNew} {
		err := s.queries.ReplaceCodesOfKind(ctx, tx, sqlcgen.ReplaceCodesOfKindParams{Uid: uid, Kind: string(kind), Now: now})
		if err != nil {
			return err
		}
	}
	return s.queries.EndAddressChanges(ctx, tx, sqlcgen.EndAddressChangesParams{Uid: uid, Now: now})
}

// StopAddressChange ends the change that waits; none is no fault.
func (s *Store) StopAddressChange(ctx context.Context, uid uuid.UUID, now time.Time) error {
	return s.inTx(ctx, func(ctx context.Context, tx pgx.Tx) error { return s.stopAddressChange(ctx, tx, uid, now) })
}

// AddressChange finds the change that waits. Errors: account.ErrNoChange.
func (s *Store) AddressChange(ctx context.Context, uid uuid.UUID) (account.AddressChange, error) {
	c, err := s.queries.LiveAddressChange(ctx, s.db, uid)
	return changeOf(c), missing(err, account.ErrNoChange)
}

// AddressChangeByID finds a change, also one that has ended. Errors: account.ErrNoChange.
func (s *Store) AddressChangeByID(ctx context.Context, id uuid.UUID) (account.AddressChange, error) {
	c, err := s.queries.AddressChange(ctx, s.db, id)
	return changeOf(c), missing(err, account.ErrNoChange)
}

// ConfirmAddressChange decides under the account's lock. The try counts at both codes.
func (s *Store) ConfirmAddressChange(ctx context.Context, uid uuid.UUID, now time.Time, check func(present, fresh account.Code) error) error {
	var verdict error
	err := s.inTx(ctx, func(ctx context.Context, tx pgx.Tx) error {
		verdict = nil
		a, err := s.queries.LockAccount(ctx, tx, uid)
		if err != nil {
			return missing(err, account.ErrUserNotFound)
		}
		c, err := s.queries.LiveAddressChange(ctx, tx, uid)
		if err != nil {
			return missing(err, account.ErrNoChange)
		}
		present, fresh, err := s.addressCodes(ctx, tx, uid)
		if err != nil {
			return err
		}
		verdict = check(codeOf(present), codeOf(fresh))
		if verdict == nil && c.Reserved {
			verdict = account.ErrCodeMismatch.On("new_code")
		}
		if verdict != nil {
			// The try counts: this transaction commits.
			return errors.Join(s.queries.CountTry(ctx, tx, present.ID), s.queries.CountTry(ctx, tx, fresh.ID))
		}
		return s.changeAddress(ctx, tx, a, c, now)
	})
	return errors.Join(err, verdict)
}

func (s *Store) addressCodes(ctx context.Context, tx pgx.Tx, uid uuid.UUID) (present, fresh sqlcgen.Code, err error) {
	present, err = s.queries.LockNewestCode(ctx, tx, sqlcgen.LockNewestCodeParams{Uid: uid, Kind: string(account.CodeAddressPresent)})
	if err == nil {
		fresh, err = s.queries.LockNewestCode(ctx, tx, sqlcgen.LockNewestCodeParams{Uid: uid, Kind: string(account.CodeAddressNew)})
	}
	return present, fresh, missing(err, account.ErrNoChange)
}

// changeAddress gives the member the new address, tells everybody who keeps it, and the former one for the last time.
func (s *Store) changeAddress(ctx context.Context, tx pgx.Tx, a sqlcgen.Account, c sqlcgen.AddressChange, now time.Time) error {
	if err := s.stopAddressChange(ctx, tx, a.Uid, now); err != nil {
		return err
	}
	if err := s.queries.ChangeEmail(ctx, tx, sqlcgen.ChangeEmailParams{Uid: a.Uid, Email: c.Email, EmailKey: c.EmailKey}); err != nil {
		return err
	}
	if err := s.queries.ReserveOthersOfEmail(ctx, tx, c.EmailKey); err != nil {
		return err
	}
	err := s.queries.FinishAddressChange(ctx, tx, sqlcgen.FinishAddressChangeParams{
		ID: c.ID, Now: now, FormerEmail: a.Email, ExpiresAt: now.Add(account.NoticeLife),
	})
	if err != nil {
		return err
	}
	a.Email = c.Email
	if err := s.outbox.Add(ctx, tx, emailChanged(a)); err != nil {
		return err
	}
	_, err = s.jobs.InsertTx(ctx, tx, jobs.AccountMail{ID: c.ID, UID: a.Uid, Letter: jobs.AddressChanged}, nil)
	return err
}

func changeOf(c sqlcgen.AddressChange) account.AddressChange {
	return account.AddressChange{
		ID: c.ID, UID: c.Uid, Email: c.Email, EmailKey: c.EmailKey, Reserved: c.Reserved, At: c.CreatedAt, ExpiresAt: c.ExpiresAt,
		Ended: c.EndedAt != nil, FormerEmail: c.FormerEmail,
	}
}
