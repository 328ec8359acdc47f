package postgres

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"serein.app/services/identity/internal/account"
	"serein.app/services/identity/internal/postgres/sqlcgen"
)

var _ account.Store = (*Store)(nil)

// Register adds the account, its consents, its code and the code's mail in one transaction. Codes
// of other sign-ups with the same address stay good: they may be the owner's.
func (s *Store) Register(ctx context.Context, r account.Registration) error {
	return s.inTx(ctx, func(ctx context.Context, tx pgx.Tx) error {
		if err := s.queries.FreeLapsedUsername(ctx, tx, sqlcgen.FreeLapsedUsernameParams{UsernameKey: r.UsernameKey, Now: r.At}); err != nil {
			return err
		}
		if r.Replaces != nil {
			if err := s.queries.DeleteUnconfirmed(ctx, tx, *r.Replaces); err != nil {
				return err
			}
		}
		reserved, err := s.queries.EmailHasAccount(ctx, tx, r.EmailKey)
		if err != nil {
			return err
		}
		if err := s.insert(ctx, tx, r, reserved); err != nil {
			return err
		}
		if r.Code != nil {
			if err := s.addCode(ctx, tx, r.UID, *r.Code, r.At); err != nil {
				return err
			}
		}
		if reserved {
			return nil
		}
		return s.outbox.Add(ctx, tx, registered(r))
	})
}

func (s *Store) insert(ctx context.Context, tx pgx.Tx, r account.Registration, reserved bool) error {
	added, err := s.queries.InsertAccount(ctx, tx, sqlcgen.InsertAccountParams{
		Uid: r.UID, Username: r.Username, UsernameKey: r.UsernameKey, Email: r.Email, EmailKey: r.EmailKey,
		GivenName: r.GivenName, FamilyName: r.FamilyName, PasswordHash: r.PasswordHash,
		ReferralCode: r.ReferralCode, Reserved: reserved, CreatedAt: r.At, LapsesAt: &r.LapsesAt, InvitedBy: r.InvitedBy,
	})
	if err != nil {
		return err
	}
	if added == 0 {
		return account.ErrUsernameExists
	}
	for _, c := range r.Consents {
		err := s.queries.InsertConsent(ctx, tx, insertConsent(r.UID, account.Consent{ConsentAnswer: c, At: r.At}))
		if err != nil {
			return err
		}
	}
	return nil
}

func (s *Store) addCode(ctx context.Context, tx pgx.Tx, uid uuid.UUID, c account.Code, at time.Time) error {
	err := s.queries.InsertCode(ctx, tx, sqlcgen.InsertCodeParams{
		ID: c.ID, Uid: uid, Kind: string(c.Kind), Hash: c.Hash, CreatedAt: at, ExpiresAt: c.ExpiresAt,
	})
	if err != nil {
		return err
	}
	_, err = s.jobs.InsertTx(ctx, tx, s.mail(c.ID), nil)
	return err
}

// Confirm decides under the account's lock, so that of many right answers one counts.
func (s *Store) Confirm(
	ctx context.Context, usernameKey string, now time.Time, mailboxKey func(email string) []byte, check func(account.Code) error,
) error {
	var verdict error
	err := s.inTx(ctx, func(ctx context.Context, tx pgx.Tx) error {
		verdict = nil
		a, err := s.queries.LockAccountByUsername(ctx, tx, sqlcgen.LockAccountByUsernameParams{UsernameKey: usernameKey, Now: now})
		if err != nil {
			return missing(err, account.ErrUserNotFound)
		}
		c, err := s.queries.LockNewestCode(ctx, tx, sqlcgen.LockNewestCodeParams{Uid: a.Uid, Kind: string(account.CodeConfirmation)})
		if err != nil {
			return missing(err, account.ErrUserNotFound)
		}
		verdict = check(codeOf(c))
		if a.Reserved {
			verdict = account.ErrCodeMismatch
		}
		if verdict != nil {
			// The try counts: this transaction commits.
			return s.queries.CountTry(ctx, tx, c.ID)
		}
		return s.confirm(ctx, tx, a, c.ID, now, mailboxKey(a.Email))
	})
	if err != nil {
		return err
	}
	return verdict
}

func (s *Store) confirm(ctx context.Context, tx pgx.Tx, a sqlcgen.Account, code uuid.UUID, now time.Time, mailboxKey []byte) error {
	if err := s.queries.UseCode(ctx, tx, sqlcgen.UseCodeParams{ID: code, Now: now}); err != nil {
		return err
	}
	if err := s.queries.ConfirmAccount(ctx, tx, sqlcgen.ConfirmAccountParams{Uid: a.Uid, Now: now}); err != nil {
		return err
	}
	if err := s.queries.ReserveOthersOfEmail(ctx, tx, a.EmailKey); err != nil {
		return err
	}
	return s.outbox.Add(ctx, tx, confirmed(a, mailboxKey))
}

// Resend replaces the code of an account that waits for its confirmation.
func (s *Store) Resend(ctx context.Context, usernameKey string, code account.Code, now time.Time) error {
	return s.inTx(ctx, func(ctx context.Context, tx pgx.Tx) error {
		a, err := s.queries.LockAccountByUsername(ctx, tx, sqlcgen.LockAccountByUsernameParams{UsernameKey: usernameKey, Now: now})
		if err != nil {
			return missing(err, account.ErrUserNotFound)
		}
		if a.ConfirmedAt != nil {
			return account.ErrUserNotFound
		}
		if err := s.queries.ReplaceCodesOfAccount(ctx, tx, sqlcgen.ReplaceCodesOfAccountParams{Uid: a.Uid, Now: now}); err != nil {
			return err
		}
		return s.addCode(ctx, tx, a.Uid, code, now)
	})
}

// CodeIsFresh says whether an account's live code was made after that time, and nobody has tried one.
func (s *Store) CodeIsFresh(ctx context.Context, uid uuid.UUID, since time.Time) (bool, error) {
	fresh, err := s.queries.CodeIsFresh(ctx, s.db, sqlcgen.CodeIsFreshParams{Uid: uid, Since: since})
	return fresh, translate(err)
}

// ByUsername finds an account that has not lapsed, confirmed or not.
func (s *Store) ByUsername(ctx context.Context, key string, now time.Time) (account.Account, error) {
	a, err := s.queries.AccountByUsername(ctx, s.db, sqlcgen.AccountByUsernameParams{UsernameKey: key, Now: now})
	return accountOf(a), missing(err, account.ErrUserNotFound)
}

// ByEmail finds the confirmed account of an address, or else its newest unconfirmed one.
func (s *Store) ByEmail(ctx context.Context, key string, now time.Time) (account.Account, error) {
	a, err := s.queries.AccountByEmail(ctx, s.db, sqlcgen.AccountByEmailParams{EmailKey: key, Now: now})
	return accountOf(a), missing(err, account.ErrUserNotFound)
}

// ByUID finds a confirmed account.
func (s *Store) ByUID(ctx context.Context, uid uuid.UUID) (account.Account, error) {
	a, err := s.queries.AccountByUID(ctx, s.db, uid)
	return accountOf(a), missing(err, account.ErrUserNotFound)
}

// ByReferralCode finds the confirmed account whose code it is.
func (s *Store) ByReferralCode(ctx context.Context, code string) (uuid.UUID, error) {
	uid, err := s.queries.MemberOfReferralCode(ctx, s.db, code)
	return uid, missing(err, account.ErrUserNotFound)
}

// Pending finds an account that has not lapsed, confirmed or not.
func (s *Store) Pending(ctx context.Context, uid uuid.UUID, now time.Time) (account.Account, error) {
	a, err := s.queries.PendingAccount(ctx, s.db, sqlcgen.PendingAccountParams{Uid: uid, Now: now})
	return accountOf(a), missing(err, account.ErrUserNotFound)
}

// Rehash replaces a password hash if it is still the old one.
func (s *Store) Rehash(ctx context.Context, uid uuid.UUID, old, fresh string) error {
	return translate(s.queries.UpdatePasswordHash(ctx, s.db, sqlcgen.UpdatePasswordHashParams{Uid: uid, OldHash: old, NewHash: fresh}))
}
