package account

import (
	"context"
	"errors"
	"strings"
)

// loginMax bounds what is looked up, in bytes: the longest address is 254.
const loginMax = 512

// Authenticate proves a password. login is a username or an e-mail address, address the
// caller's network address. Unknown users cost the same work and get the same answer.
// Errors: ErrNotAuthorized, ErrTooManyRequests, and only with the right password ErrNotConfirmed,
// which comes with the account.
func (s *Service) Authenticate(ctx context.Context, login, password, address string) (Account, error) {
	login, password = strings.TrimSpace(login), NormalPassword(password)
	if len(login) > loginMax || len(password) > 4*passwordMax {
		return Account{}, ErrNotAuthorized
	}
	whom := loginKey(login)
	if err := s.spend(ctx, limitSignInAddress, address, ErrTooManyRequests); err != nil {
		return Account{}, err
	}
	if err := s.spend(ctx, limitSignIn, whom, ErrTooManyRequests); err != nil {
		return Account{}, err
	}
	a, err := s.prove(ctx, login, password)
	if err != nil {
		return Account{}, err
	}
	if err := s.throttle.ResetAttempts(ctx, s.key(limitSignIn, whom)); err != nil {
		return Account{}, err
	}
	if err := s.throttle.RefundAttempt(ctx, s.key(limitSignInAddress, address), limitSignInAddress, s.now()); err != nil {
		return Account{}, err
	}
	if !a.Confirmed {
		return a, ErrNotConfirmed
	}
	return a, nil
}

func (s *Service) prove(ctx context.Context, login, password string) (Account, error) {
	a, err := s.find(ctx, login)
	if errors.Is(err, ErrUserNotFound) {
		if err := s.passwords.VerifyDummy(ctx, password); err != nil {
			return Account{}, err
		}
		return Account{}, ErrNotAuthorized
	}
	if err != nil {
		return Account{}, err
	}
	match, stale, err := s.passwords.Verify(ctx, password, a.PasswordHash)
	if err != nil {
		return Account{}, err
	}
	if !match {
		return Account{}, ErrNotAuthorized
	}
	if stale {
		s.rehash(ctx, a, password)
	}
	return a, nil
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
