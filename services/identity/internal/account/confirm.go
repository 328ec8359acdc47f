package account

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"

	"serein.app/services/platform/seclog"
)

// Confirm ends the sign-up with the mailed code. An unknown username answers like a wrong code.
// Errors: ErrCodeMismatch, ErrExpiredCode, ErrLimitExceeded.
func (s *Service) Confirm(ctx context.Context, username, code string) error {
	key := UsernameKey(username)
	if err := s.spend(ctx, limitConfirm, key, ErrLimitExceeded); err != nil {
		s.record(ctx, seclog.Confirmation, uuid.Nil, key, "", err)
		return err
	}
	return s.confirm(ctx, key, code, func(ctx context.Context, a Account) (tries, error) {
		within, err := s.throttle.Spend(ctx, s.key(limitConfirmEmail, Mailbox(a.Email)), limitConfirmEmail, s.now())
		return tries{mailbox: within}, err
	})
}

// ConfirmProved is Confirm for whoever has given the account's password. Their tries are counted apart
// from everybody else's, so that a stranger who knows the username cannot use them up. The errors are
// the same.
func (s *Service) ConfirmProved(ctx context.Context, username, code string) error {
	return s.confirm(ctx, UsernameKey(username), code, func(ctx context.Context, a Account) (t tries, err error) {
		if err := s.spend(ctx, limitConfirmProved, a.UID.String(), ErrLimitExceeded); err != nil {
			return t, err
		}
		t.proved = true
		if t.first, err = s.throttle.Spend(ctx, s.key(limitConfirmFirst, a.UID.String()), limitConfirmFirst, s.now()); err != nil {
			return t, err
		}
		t.mailbox, err = s.throttle.Spend(ctx, s.key(limitConfirmEmail, provedMailbox(a)), limitConfirmEmail, s.now())
		return t, err
	})
}

// provedMailbox keeps the count of a mailbox's people apart from that of strangers.
func provedMailbox(a Account) string { return "proved\x00" + Mailbox(a.Email) }

// tries is what the limits say about one try at a code.
type tries struct {
	// mailbox: its guesses of this hour are not used up. Where they are, a code's first try counts alone.
	mailbox bool
	// proved: the account's password was given; first: it is the first such try at this code.
	proved, first bool
}

func (t tries) allow(c Code) bool {
	if t.proved {
		return t.mailbox || t.first
	}
	return t.mailbox || c.Tries == 0
}

func (s *Service) confirm(ctx context.Context, key, code string, admit func(context.Context, Account) (tries, error)) (err error) {
	var a Account
	defer func() { s.record(ctx, seclog.Confirmation, a.UID, key, "", err) }()
	now := s.now().UTC().Truncate(time.Microsecond)
	a, err = s.store.ByUsername(ctx, key, now)
	if errors.Is(err, ErrUserNotFound) {
		return ErrCodeMismatch
	}
	if err != nil {
		return err
	}
	t, err := admit(ctx, a)
	if err != nil {
		return err
	}
	err = s.store.Confirm(ctx, key, now, s.codes.MailboxKey, func(c Code) error {
		if !t.allow(c) {
			// No other word than for a wrong code: it would tell whose mailbox this is.
			return ErrCodeMismatch.Because(errors.New("too many tries at codes of this mailbox"))
		}
		if t.proved {
			c.Tries = 0 // the limits have counted its own
		}
		return s.codes.Check(c, code, now)
	})
	if errors.Is(err, ErrUserNotFound) {
		return ErrCodeMismatch
	}
	if err != nil {
		return err
	}
	return errors.Join(s.freshTries(ctx, key, a.UID), s.throttle.ResetAttempts(ctx, s.key(limitConfirmEmail, Mailbox(a.Email))),
		s.throttle.ResetAttempts(ctx, s.key(limitConfirmEmail, provedMailbox(a))))
}

// freshTries forgets the tries at an account's code: a fresh one has fresh tries.
func (s *Service) freshTries(ctx context.Context, usernameKey string, uid uuid.UUID) error {
	return errors.Join(s.throttle.ResetAttempts(ctx, s.key(limitConfirm, usernameKey)),
		s.throttle.ResetAttempts(ctx, s.key(limitConfirmProved, uid.String())),
		s.throttle.ResetAttempts(ctx, s.key(limitConfirmFirst, uid.String())))
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
	uid, err := s.replaceCode(ctx, key, now)
	if err != nil {
		return err
	}
	// A fresh code has fresh tries, for a username that does not exist as well.
	return s.freshTries(ctx, key, uid)
}

// replaceCode gives whose code it was; nobody's for a username that waits for none.
func (s *Service) replaceCode(ctx context.Context, key string, now time.Time) (uuid.UUID, error) {
	a, err := s.store.ByUsername(ctx, key, now)
	if errors.Is(err, ErrUserNotFound) || (err == nil && a.Confirmed) {
		return uuid.Nil, nil
	}
	if err != nil {
		return uuid.Nil, err
	}
	allowed, err := s.throttle.Spend(ctx, s.key(limitMailResend, Mailbox(a.Email)), limitMailResend, s.now())
	if err != nil || !allowed {
		return uuid.Nil, err
	}
	err = s.store.Resend(ctx, key, s.codes.New(s.newID(), now), now)
	if errors.Is(err, ErrUserNotFound) {
		return uuid.Nil, nil
	}
	return a.UID, err
}

// Pending finds an account that gave its password and waits for its code, or has been confirmed
// meanwhile. Errors: ErrUserNotFound.
func (s *Service) Pending(ctx context.Context, uid uuid.UUID) (Account, error) {
	return s.store.Pending(ctx, uid, s.now())
}
