package passkey

import (
	"context"
	"errors"

	"github.com/go-webauthn/webauthn/protocol"
	"github.com/go-webauthn/webauthn/webauthn"
	"github.com/google/uuid"

	"serein.app/services/identity/internal/account"
	"serein.app/services/platform/seclog"
)

// Ask answers what a browser needs to enter with a passkey, for that authorization request alone. Errors: ErrOff.
func (s *Service) Ask(request string) (sealed, options string, err error) {
	if !s.On() {
		return "", "", ErrOff
	}
	assertion, session, err := s.entering.BeginDiscoverableLogin(webauthn.WithUserVerification(protocol.VerificationRequired))
	if err != nil {
		return "", "", err
	}
	return s.begin(toEnter, request, session, assertion.Response)
}

// SignIn proves a member by their passkey. Errors: ErrRefused, ErrOff, and only for a passkey that is right account.ErrPasswordReset, and
// account.ErrLeaving for an account that is to be deleted. With every other error the account says nothing to the caller.
func (s *Service) SignIn(ctx context.Context, request, sealed, credential, address string) (a account.Account, err error) {
	if !s.On() {
		return a, ErrOff
	}
	defer func() { s.recordSignIn(ctx, a, address, err) }()
	begun, err := s.resume(toEnter, request, sealed)
	if err != nil {
		return a, err
	}
	answer, err := protocol.ParseCredentialRequestResponseBytes([]byte(credential))
	if err != nil {
		return a, ErrRefused.Because(err)
	}
	p, a, err := s.holder(ctx, answer)
	if err != nil {
		return a, err
	}
	who := user{a, []Passkey{p}}
	_, proved, err := s.entering.ValidatePasskeyLogin(func(_, handle []byte) (webauthn.User, error) {
		if string(handle) != string(p.UID[:]) {
			return nil, errors.New("the passkey is another member's")
		}
		return who, nil
	}, begun.Session, answer)
	if err != nil {
		return a, ErrRefused.Because(err)
	}
	if proved.Authenticator.CloneWarning {
		s.record(ctx, a.UID, seclog.Reused, address)
		return a, ErrRefused.Because(errors.New("its counter went back: there may be two of it"))
	}
	if err := s.cfg.Store.UsePasskey(ctx, p, proved.Authenticator.SignCount, proved.Flags.BackupState, begun.challenge(), s.at()); err != nil {
		return a, err
	}
	if err = s.cfg.Accounts.Admitted(a); errors.Is(err, account.ErrUserNotFound) {
		err = ErrRefused.Because(err)
	}
	return a, err
}

// holder is whose passkey it is. Errors: ErrRefused for nobody's.
func (s *Service) holder(ctx context.Context, answer *protocol.ParsedCredentialAssertionData) (p Passkey, a account.Account, err error) {
	if p, err = s.cfg.Store.PasskeyByCredential(ctx, answer.RawID); err == nil {
		a, err = s.cfg.Accounts.ByUID(ctx, p.UID.String())
	}
	if errors.Is(err, ErrNotFound) || errors.Is(err, account.ErrUserNotFound) {
		err = ErrRefused.Because(err)
	}
	return p, a, err
}

// recordSignIn writes down how an attempt ended, as of a password.
func (s *Service) recordSignIn(ctx context.Context, a account.Account, address string, err error) {
	outcome, is := account.Outcome(err, seclog.Success)
	if !is {
		return
	}
	e := seclog.Event{Kind: seclog.SignIn, Outcome: outcome, Address: address, Procedure: "passkey"}
	if a.UID != uuid.Nil {
		e.UID = a.UID.String()
	}
	s.cfg.Security.Record(ctx, e)
}
