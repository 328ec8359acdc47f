package account

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"

	"serein.app/services/platform/mailbox"
	"serein.app/services/platform/seclog"
)

// Confirm ends the sign-up with the mailed code. Tries are counted by username and network address, so that a
// stranger elsewhere does not use up the owner's. An unknown username answers like a wrong code. A right code that
// comes again confirms nothing a second time, and is answered as before.
// Errors: ErrCodeMismatch, ErrExpiredCode, ErrLimitExceeded.
func (s *Service) Confirm(ctx context.Context, address, username, code string) error {
	key := UsernameKey(username)
	if err := s.spend(ctx, limitConfirm, from(address, key), ErrLimitExceeded); err != nil {
		s.record(ctx, seclog.Confirmation, uuid.Nil, key, "", err)
		return err
	}
	_, err := s.confirm(ctx, key, code, func(ctx context.Context, a Account) (tries, error) {
		within, err := s.throttle.Spend(ctx, s.key(limitConfirmEmail, mailbox.Of(a.Email)), limitConfirmEmail, s.now())
		return tries{mailbox: within}, err
	})
	if errors.Is(err, ErrCodeMismatch) {
		return mismatchHere(err)
	}
	if err != nil {
		return err
	}
	return s.throttle.ResetAttempts(ctx, s.key(limitConfirm, from(address, key)))
}

// mismatchHere says what else to do to somebody who has not given the password: strangers may have used up the tries of this mailbox, and
// who signs in has tries of their own.
func mismatchHere(err error) error {
	e := ErrCodeMismatch.Because(err)
	e.Public = "That code does not match. Please check it, or sign in with your username and password and give the code there."
	return e
}

// from is a username as it is asked for from one network address.
func from(address, usernameKey string) string { return usernameKey + "\x00" + address }

// ConfirmProved is Confirm for a person who has given the account's password. Their tries are counted apart from all others, so that a
// stranger who knows the username cannot use them up. first is true for the one call that confirmed the account, and false for a right
// code that came again. The errors are those of Confirm.
func (s *Service) ConfirmProved(ctx context.Context, username, code string) (first bool, err error) {
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
func provedMailbox(a Account) string { return "proved\x00" + mailbox.Of(a.Email) }

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

func (s *Service) confirm(ctx context.Context, key, code string, admit func(context.Context, Account) (tries, error)) (first bool, err error) {
	var a Account
	defer func() { s.record(ctx, seclog.Confirmation, a.UID, key, "", err) }()
	now := s.now().UTC().Truncate(time.Microsecond)
	a, err = s.store.ByUsername(ctx, key, now)
	if errors.Is(err, ErrUserNotFound) {
		return false, ErrCodeMismatch
	}
	if err != nil {
		return false, err
	}
	t, err := admit(ctx, a)
	if err != nil {
		return false, err
	}
	err = s.store.Confirm(ctx, key, now, s.mailboxes.Key, func(c Code) error {
		if !t.allow(c) {
			// No other word than for a wrong code: it would tell whose mailbox this is.
			return ErrCodeMismatch.Because(errors.New("too many tries at codes of this mailbox"))
		}
		return s.codes.Check(c, code, now)
	})
	if errors.Is(err, ErrUserNotFound) {
		return false, ErrCodeMismatch
	}
	first = err == nil
	if errors.Is(err, errUsed) || errors.Is(err, ErrExpiredCode) && a.Confirmed {
		err = nil // the right code of an account that is confirmed: the answer before was lost
	}
	if err != nil {
		return false, err
	}
	return first, errors.Join(s.freshTries(ctx, a.UID), s.throttle.ResetAttempts(ctx, s.key(limitConfirmEmail, mailbox.Of(a.Email))),
		s.throttle.ResetAttempts(ctx, s.key(limitConfirmEmail, provedMailbox(a))))
}

// freshTries resets the count of tries of the person who gave an account's password: each new code has its full number of tries.
func (s *Service) freshTries(ctx context.Context, uid uuid.UUID) error {
	return errors.Join(s.throttle.ResetAttempts(ctx, s.key(limitConfirmProved, uid.String())),
		s.throttle.ResetAttempts(ctx, s.key(limitConfirmFirst, uid.String())))
}

// Resend mails another code; address is the caller's network address. The answer is the same for unknown and confirmed usernames. When
// the mailbox has reached its limit of letters the answer is the same too: then Resend mails nothing, and the code before still counts.
// Errors: ErrLimitExceeded.
func (s *Service) Resend(ctx context.Context, address, username string) error {
	whom := from(address, UsernameKey(username))
	err := s.resend(ctx, username, whom, func(a Account) (bool, error) {
		return s.within(ctx, mailbox.Of(a.Email), limitMailResend, limitMailResendDay)
	})
	if err != nil {
		return err
	}
	// A fresh code has fresh tries, for a username that does not exist as well.
	return s.throttle.ResetAttempts(ctx, s.key(limitConfirm, whom))
}

// ResendProved is Resend for a person who has given the account's password. Their letters are counted apart from all others. At the limit
// the error says how long to wait for the next letter. Errors: ErrLimitExceeded.
func (s *Service) ResendProved(ctx context.Context, address, username string) error {
	return s.resend(ctx, username, "proved\x00"+UsernameKey(username), func(a Account) (bool, error) {
		err := s.provedLetter(ctx, mailbox.Of(a.Email), address)
		return err == nil, err
	})
}

// provedLetter counts a letter to a mailbox that somebody at a network address asks for.
func (s *Service) provedLetter(ctx context.Context, box, address string) error {
	sender := box + "\x00" + address
	if err := s.spend(ctx, limitMailProved, sender, ErrLimitExceeded); err != nil {
		return err
	}
	err := s.spend(ctx, limitMailProvedInAll, box, ErrLimitExceeded)
	if err != nil {
		err = errors.Join(err, s.refund(ctx, limitMailProved, sender))
	}
	return err
}

// resend sends another code to the account of a username, where letter lets it have one.
func (s *Service) resend(ctx context.Context, username, whom string, letter func(Account) (bool, error)) error {
	for _, l := range []Limit{limitResendMinute, limitResendHour} {
		if err := s.spend(ctx, l, whom, ErrLimitExceeded); err != nil {
			return err
		}
	}
	uid, err := s.replaceCode(ctx, UsernameKey(username), s.now().UTC().Truncate(time.Microsecond), letter)
	if errors.Is(err, ErrLimitExceeded) {
		return errors.Join(err, s.refund(ctx, limitResendHour, whom)) // no letter went out
	}
	if err != nil {
		return err
	}
	return s.freshTries(ctx, uid)
}

// replaceCode gives whose code it was; nobody's for a username that waits for none.
func (s *Service) replaceCode(ctx context.Context, key string, now time.Time, letter func(Account) (bool, error)) (uuid.UUID, error) {
	a, err := s.store.ByUsername(ctx, key, now)
	if errors.Is(err, ErrUserNotFound) || (err == nil && a.Confirmed) {
		return uuid.Nil, nil
	}
	if err != nil {
		return uuid.Nil, err
	}
	allowed, err := letter(a)
	if err != nil || !allowed {
		return uuid.Nil, err
	}
	err = s.store.Resend(ctx, key, s.codes.New(s.newID(), CodeConfirmation, now), now)
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
