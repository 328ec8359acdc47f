package postgres

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"serein.app/services/identity/internal/account"
	"serein.app/services/identity/internal/jobs"
	"serein.app/services/identity/internal/postgres/sqlcgen"
)

// ForgetPassword replaces the code and enqueues its mail. For nobody's uid the same statements run, and the mail finds no code.
func (s *Store) ForgetPassword(ctx context.Context, uid uuid.UUID, code account.Code, now time.Time) error {
	return s.inTx(ctx, func(ctx context.Context, tx pgx.Tx) error {
		_, err := s.queries.LockPendingAccount(ctx, tx, sqlcgen.LockPendingAccountParams{Uid: uid, Now: now})
		if err != nil && !errors.Is(err, pgx.ErrNoRows) {
			return err
		}
		if err := s.queries.ReplaceCodesOfKind(ctx, tx, sqlcgen.ReplaceCodesOfKindParams{Uid: uid, Kind: string(code.Kind), Now: now}); err != nil {
			return err
		}
		err = s.queries.InsertCodeOfAccount(ctx, tx, sqlcgen.InsertCodeOfAccountParams{
			ID: code.ID, Uid: uid, Kind: string(code.Kind), Hash: code.Hash, CreatedAt: now, ExpiresAt: code.ExpiresAt,
		})
		if err != nil {
			return err
		}
		_, err = s.jobs.InsertTx(ctx, tx, s.mail(code.ID), nil)
		return err
	})
}

// ResetPassword decides under the account's lock, so that of many right answers one counts.
func (s *Store) ResetPassword(
	ctx context.Context, r account.Reset, mailboxKey func(email string) []byte, check func(account.Code, account.Account) error,
) error {
	var verdict error
	err := s.inTx(ctx, func(ctx context.Context, tx pgx.Tx) error {
		verdict = nil
		a, err := s.queries.LockPendingAccount(ctx, tx, sqlcgen.LockPendingAccountParams{Uid: r.UID, Now: r.At})
		if err != nil {
			return missing(err, account.ErrUserNotFound)
		}
		c, err := s.queries.LockNewestCode(ctx, tx, sqlcgen.LockNewestCodeParams{Uid: a.Uid, Kind: string(account.CodePasswordReset)})
		if err != nil {
			return missing(err, account.ErrUserNotFound)
		}
		verdict = check(codeOf(c), accountOf(a))
		if a.Reserved {
			verdict = account.ErrCodeMismatch
		}
		if errors.Is(verdict, account.ErrInvalidPassword) {
			return nil // the code was right, and still counts
		}
		if verdict != nil {
			// The try counts: this transaction commits.
			return s.queries.CountTry(ctx, tx, c.ID)
		}
		return s.reset(ctx, tx, a, c.ID, r, mailboxKey(a.Email))
	})
	if err != nil {
		return err
	}
	return verdict
}

// reset confirms an account that waited for it: its mailbox is proved by the code.
func (s *Store) reset(ctx context.Context, tx pgx.Tx, a sqlcgen.Account, code uuid.UUID, r account.Reset, mailboxKey []byte) error {
	if err := s.queries.UseCode(ctx, tx, sqlcgen.UseCodeParams{ID: code, Now: r.At}); err != nil {
		return err
	}
	if a.ConfirmedAt == nil {
		if err := s.confirm(ctx, tx, a, code, r.At, mailboxKey); err != nil {
			return err
		}
	}
	return s.setPassword(ctx, tx, a.Uid, r.NewPassword)
}

// setPassword ends whatever came of the password before it, but for the session that is kept, and has the member told.
func (s *Store) setPassword(ctx context.Context, tx pgx.Tx, uid uuid.UUID, c account.NewPassword) error {
	if err := s.queries.SetPassword(ctx, tx, sqlcgen.SetPasswordParams{Uid: uid, PasswordHash: c.Hash}); err != nil {
		return err
	}
	if err := s.queries.ReplaceCodesOfAccount(ctx, tx, sqlcgen.ReplaceCodesOfAccountParams{Uid: uid, Now: c.At}); err != nil {
		return err
	}
	// A person who knew the password before may have begun a change.
	if err := s.queries.EndAddressChanges(ctx, tx, sqlcgen.EndAddressChangesParams{Uid: uid, Now: c.At}); err != nil {
		return err
	}
	if err := s.endSessions(ctx, tx, uid, c.Keep, c.At); err != nil {
		return err
	}
	_, err := s.jobs.InsertTx(ctx, tx, jobs.AccountMail{ID: c.NoticeID, UID: uid, Letter: jobs.PasswordChanged}, nil)
	return err
}

// EndSessions ends all sessions and grants of a member but those of one, each session with its event.
func (s *Store) EndSessions(ctx context.Context, uid, keep uuid.UUID, now time.Time) error {
	return s.inTx(ctx, func(ctx context.Context, tx pgx.Tx) error { return s.endSessions(ctx, tx, uid, keep, now) })
}

// endSessions ends a member's sessions, grants and codes that were not exchanged, but for what came of one session. The provider's
// session may have ended long before the grants that came of it, so an event names each session of either.
func (s *Store) endSessions(ctx context.Context, tx pgx.Tx, uid, keep uuid.UUID, now time.Time) error {
	err := s.queries.EndRequestsOfMember(ctx, tx, sqlcgen.EndRequestsOfMemberParams{Uid: uid, Keep: keep, Now: now})
	if err != nil {
		return err
	}
	granted, err := s.queries.RevokeGrantsOfMember(ctx, tx, sqlcgen.RevokeGrantsOfMemberParams{Uid: uid, Keep: keep, Now: now})
	if err != nil {
		return err
	}
	ended, err := s.queries.DeleteSessionsOfMember(ctx, tx, sqlcgen.DeleteSessionsOfMemberParams{Uid: uid, Keep: keep})
	if err != nil {
		return err
	}
	sids := slices.SortedFunc(slices.Values(append(granted, ended...)), func(a, b uuid.UUID) int { return slices.Compare(a[:], b[:]) })
	for _, sid := range slices.Compact(sids) {
		if err := s.noticeLogout(ctx, tx, uid, sid); err != nil {
			return err
		}
		if err := s.outbox.Add(ctx, tx, sessionEnded(uid, sid)); err != nil {
			return err
		}
	}
	return nil
}

// RequireReset makes the present password refuse, and ends whatever came of it. False: it was demanded already.
func (s *Store) RequireReset(ctx context.Context, usernameKey string, now time.Time) (uid uuid.UUID, changed bool, err error) {
	err = s.inTx(ctx, func(ctx context.Context, tx pgx.Tx) error {
		a, err := s.queries.LockAccountByUsername(ctx, tx, sqlcgen.LockAccountByUsernameParams{UsernameKey: usernameKey, Now: now})
		if err != nil {
			return missing(err, account.ErrUserNotFound)
		}
		if a.ConfirmedAt == nil {
			return account.ErrUserNotFound
		}
		uid, changed = a.Uid, a.ResetRequiredAt == nil
		if !changed {
			return nil
		}
		if err := s.queries.RequireReset(ctx, tx, sqlcgen.RequireResetParams{Uid: a.Uid, Now: now}); err != nil {
			return err
		}
		return s.endSessions(ctx, tx, a.Uid, uuid.Nil, now)
	})
	return uid, changed, err
}
