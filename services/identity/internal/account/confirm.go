package account

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"
)

// Confirm ends the sign-up with the mailed code. An unknown username answers like a wrong code.
// Errors: ErrCodeMismatch, ErrExpiredCode, ErrLimitExceeded.
func (s *Service) Confirm(ctx context.Context, username, code string) error {
	key, now := UsernameKey(username), s.now().UTC().Truncate(time.Microsecond)
	if err := s.spend(ctx, limitConfirm, key, ErrLimitExceeded); err != nil {
		return err
	}
	a, err := s.store.ByUsername(ctx, key, now)
	if errors.Is(err, ErrUserNotFound) {
		return ErrCodeMismatch
	}
	if err != nil {
		return err
	}
	mailbox := EmailKey(a.Email)
	within, err := s.throttle.Spend(ctx, s.key(limitConfirmEmail, mailbox), limitConfirmEmail, s.now())
	if err != nil {
		return err
	}
	err = s.store.Confirm(ctx, key, now, func(c Code) error {
		if !within && c.Tries > 0 {
			// No other word than for a wrong code: it would tell whose mailbox this is.
			return ErrCodeMismatch.Because(errors.New("too many tries at codes of this mailbox"))
		}
		return s.codes.Check(c, code, now)
	})
	if errors.Is(err, ErrUserNotFound) {
		return ErrCodeMismatch
	}
	if err != nil {
		return err
	}
	return errors.Join(s.throttle.ResetAttempts(ctx, s.key(limitConfirm, key)),
		s.throttle.ResetAttempts(ctx, s.key(limitConfirmEmail, mailbox)))
}

// Resend replaces the code. The answer is the same for unknown and confirmed usernames, and where
// the mailbox has had its letters for now: then nothing is sent, and the code before it still counts.
// Errors: ErrLimitExceeded.
func (s *Service) Resend(ctx context.Context, username string) error {
	key, now := UsernameKey(username), s.now().UTC().Truncate(time.Microsecond)
	if err := s.spend(ctx, limitResendMinute, key, ErrLimitExceeded); err != nil {
		return err
	}
	if err := s.spend(ctx, limitResendHour, key, ErrLimitExceeded); err != nil {
		return err
	}
	if err := s.replaceCode(ctx, key, now); err != nil {
		return err
	}
	// A fresh code has fresh tries, for a username that does not exist as well.
	return s.throttle.ResetAttempts(ctx, s.key(limitConfirm, key))
}

func (s *Service) replaceCode(ctx context.Context, key string, now time.Time) error {
	a, err := s.store.ByUsername(ctx, key, now)
	if errors.Is(err, ErrUserNotFound) || (err == nil && a.Confirmed) {
		return nil
	}
	if err != nil {
		return err
	}
	allowed, err := s.throttle.Spend(ctx, s.key(limitMailResend, EmailKey(a.Email)), limitMailResend, s.now())
	if err != nil || !allowed {
		return err
	}
	err = s.store.Resend(ctx, key, s.codes.New(s.newID(), now), now)
	if errors.Is(err, ErrUserNotFound) {
		return nil
	}
	return err
}

// Pending finds an account that gave its password and waits for its code, or has been confirmed
// meanwhile. Errors: ErrUserNotFound.
func (s *Service) Pending(ctx context.Context, uid uuid.UUID) (Account, error) {
	return s.store.Pending(ctx, uid, s.now())
}
