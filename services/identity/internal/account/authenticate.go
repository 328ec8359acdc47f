package account

import (
	"context"
	"errors"
	"strings"

	"github.com/google/uuid"

	"serein.app/services/platform/seclog"
)

// loginMax bounds what is looked up, in bytes: the longest address is 254.
const loginMax = 512

// Attempt is one try at a password.
type Attempt struct {
	// Login is a username or an e-mail address.
	Login, Password string
	// Address is the caller's network address.
	Address string
	// Device is what the browser proves to be; the zero value for one that is not known.
	Device Device
}

// Device is a browser in which an account signed in before.
type Device struct {
	UID uuid.UUID
	// ID tells one account's devices apart.
	ID string
}

// Authenticate proves a password. Unknown users cost the same work and get the same answer, and are
// counted alike. Errors: ErrNotAuthorized, ErrTooManyRequests, and only with the right password
// ErrNotConfirmed, ErrPasswordReset, and ErrLeaving for one that is to be deleted: KeepAccount undoes that. With every other error the
// account says nothing to the caller.
func (s *Service) Authenticate(ctx context.Context, in Attempt) (a Account, err error) {
	defer func() { s.record(ctx, seclog.SignIn, a.UID, in.Login, in.Address, err) }()
	in.Login, in.Password = strings.TrimSpace(in.Login), NormalPassword(in.Password)
	if len(in.Login) > loginMax || len(in.Password) > 4*passwordMax {
		return Account{}, ErrNotAuthorized
	}
	a, err = s.find(ctx, in.Login)
	found := err == nil
	if err != nil && !errors.Is(err, ErrUserNotFound) {
		return a, err
	}
	found = found && !s.gone(a)
	counted, err := s.admitAttempt(ctx, in, a, found)
	if err != nil {
		return a, err
	}
	if err := s.prove(ctx, a, found, in.Password); err != nil {
		return a, err
	}
	if err := s.forgive(ctx, counted); err != nil {
		return a, err
	}
	return a, s.Admitted(a)
}

// Admitted says whether a person who has given the right password of this account may sign in. Errors: ErrNotConfirmed, ErrPasswordReset,
// ErrLeaving, and ErrUserNotFound after the time to undo the account's deletion.
func (s *Service) Admitted(a Account) error {
	switch {
	case s.gone(a):
		return ErrUserNotFound
	case !a.Confirmed:
		return ErrNotConfirmed
	case a.ResetRequired:
		return ErrPasswordReset
	case a.DeletesAt != nil:
		return ErrLeaving
	}
	return nil
}

func (s *Service) prove(ctx context.Context, a Account, found bool, password string) error {
	if !found {
		if err := s.passwords.VerifyDummy(ctx, password); err != nil {
			return err
		}
		return ErrNotAuthorized
	}
	match, stale, err := s.passwords.Verify(ctx, password, a.PasswordHash)
	if err != nil {
		return err
	}
	if !match {
		return ErrNotAuthorized
	}
	if stale {
		s.rehash(ctx, a, password)
	}
	return nil
}

// rehash renews an old hash. Failing is no reason to refuse a right password.
func (s *Service) rehash(ctx context.Context, a Account, password string) {
	fresh, err := s.passwords.Hash(ctx, password)
	if err == nil {
		err = s.store.Rehash(ctx, a.UID, a.PasswordHash, fresh)
	}
	if err != nil {
		s.log.WarnContext(ctx, "password hash not renewed", "uid", a.UID, "error", err)
	}
}

func (s *Service) find(ctx context.Context, login string) (Account, error) {
	if strings.Contains(login, "@") {
		return s.store.ByEmail(ctx, EmailKey(login), s.now())
	}
	return s.store.ByUsername(ctx, UsernameKey(login), s.now())
}

func loginKey(login string) string {
	if strings.Contains(login, "@") {
		return EmailKey(login)
	}
	return UsernameKey(login)
}
