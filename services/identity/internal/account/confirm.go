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
	err := s.store.Confirm(ctx, key, now, func(c Code) error { return s.codes.Check(c, code, now) })
	if errors.Is(err, ErrUserNotFound) {
		return ErrCodeMismatch
	}
	if err != nil {
		return err
	}
	return s.throttle.ResetAttempts(ctx, s.key(limitConfirm, key))
}

// Resend replaces the code. The answer is the same for unknown and confirmed usernames.
// Errors: ErrLimitExceeded.
func (s *Service) Resend(ctx context.Context, username string) error {
	key, now := UsernameKey(username), s.now().UTC().Truncate(time.Microsecond)
	if err := s.spend(ctx, limitResendMinute, key, ErrLimitExceeded); err != nil {
		return err
	}
	if err := s.spend(ctx, limitResendHour, key, ErrLimitExceeded); err != nil {
		return err
	}
	err := s.store.Resend(ctx, key, s.codes.New(s.newID(), now), now)
	if err != nil && !errors.Is(err, ErrUserNotFound) {
		return err
	}
	// A fresh code has fresh tries, for a username that does not exist as well.
	return s.throttle.ResetAttempts(ctx, s.key(limitConfirm, key))
}

// Pending finds an account that gave its password and waits for its code, or has been confirmed
// meanwhile. Errors: ErrUserNotFound.
func (s *Service) Pending(ctx context.Context, uid uuid.UUID) (Account, error) {
	return s.store.Pending(ctx, uid, s.now())
}
