package passkey

import (
	"cmp"
	"context"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/go-webauthn/webauthn/protocol"
	"github.com/go-webauthn/webauthn/webauthn"

	"serein.app/services/identity/internal/account"
	"serein.app/services/identity/internal/device"
	"serein.app/services/platform/seclog"
)

// Begin answers what a browser needs to make a passkey, to a member who gives the present password. Errors: account.ErrWrongPassword,
// account.ErrTooManyRequests, ErrFull, ErrOff.
func (s *Service) Begin(ctx context.Context, m account.Signed, password string) (sealed, options string, err error) {
	if !s.On() {
		return "", "", ErrOff
	}
	a, err := s.cfg.Accounts.Reauthenticate(ctx, m, password)
	if err != nil {
		return "", "", err
	}
	has, err := s.cfg.Store.Passkeys(ctx, a.UID)
	if err != nil {
		return "", "", err
	}
	if len(has) >= Most {
		return "", "", ErrFull
	}
	who := user{a, has}
	creation, session, err := s.making.BeginRegistration(who, webauthn.WithExclusions(webauthn.Credentials(who.WebAuthnCredentials()).CredentialDescriptors()))
	if err != nil {
		return "", "", err
	}
	return s.begin(toMake, bound(m), session, creation.Response)
}

// bound is the session that may finish what it began.
func bound(m account.Signed) string { return m.UID + "\x00" + m.SID }

// Finish adds the passkey that the browser has made. Without a name it is called after the device. Errors: ErrRefused, ErrFull, ErrOff,
// account.ErrInvalidParameter for the name.
func (s *Service) Finish(ctx context.Context, m account.Signed, sealed, credential, name, userAgent string) error {
	if !s.On() {
		return ErrOff
	}
	name, err := parseName(name)
	if err != nil {
		return err
	}
	a, err := s.cfg.Accounts.ByUID(ctx, m.UID)
	if err != nil {
		return err
	}
	p, c, err := s.made(a, m, sealed, credential)
	if err != nil {
		s.record(ctx, a.UID, seclog.Failure, "")
		return err
	}
	p.Name = cmp.Or(name, device.Of(userAgent).Name)
	if err := s.cfg.Store.AddPasskey(ctx, p, Most, c, s.cfg.NewID()); err != nil {
		return err
	}
	s.record(ctx, a.UID, seclog.Added, "")
	return nil
}

// made proves the passkey. Errors: ErrRefused.
func (s *Service) made(a account.Account, m account.Signed, sealed, credential string) (Passkey, Challenge, error) {
	begun, err := s.resume(toMake, bound(m), sealed)
	if err != nil {
		return Passkey{}, Challenge{}, err
	}
	answer, err := protocol.ParseCredentialCreationResponseBytes([]byte(credential))
	if err != nil {
		return Passkey{}, Challenge{}, ErrRefused.Because(err)
	}
	made, err := s.making.CreateCredential(user{Account: a}, begun.Session, answer)
	if err != nil {
		return Passkey{}, Challenge{}, ErrRefused.Because(err)
	}
	p := Passkey{
		ID: s.cfg.NewID(), UID: a.UID, CredentialID: made.ID, PublicKey: made.PublicKey, SignCount: made.Authenticator.SignCount,
		BackupEligible: made.Flags.BackupEligible, BackedUp: made.Flags.BackupState, Transports: []string{}, AddedAt: s.at(),
	}
	for _, t := range made.Transport {
		p.Transports = append(p.Transports, string(t))
	}
	return p, begun.challenge(), nil
}

// parseName gives a name that can be seen, or none.
func parseName(name string) (string, error) {
	name = strings.TrimSpace(name)
	if !utf8.ValidString(name) || utf8.RuneCountInString(name) > nameMax || strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsPrint(r) }) {
		return "", errName
	}
	return name, nil
}

// user is a member as the protocol's library sees them. A credential tells nobody who they are but us: it holds the uid.
type user struct {
	account.Account
	has []Passkey
}

func (u user) WebAuthnID() []byte   { return u.UID[:] }
func (u user) WebAuthnName() string { return u.Username }
func (u user) WebAuthnDisplayName() string {
	return strings.TrimSpace(u.GivenName + " " + u.FamilyName)
}

func (u user) WebAuthnCredentials() []webauthn.Credential {
	all := make([]webauthn.Credential, len(u.has))
	for i, p := range u.has {
		all[i] = webauthn.Credential{
			ID: p.CredentialID, PublicKey: p.PublicKey, Authenticator: webauthn.Authenticator{SignCount: p.SignCount},
			Flags: webauthn.CredentialFlags{BackupEligible: p.BackupEligible, BackupState: p.BackedUp},
		}
		for _, t := range p.Transports {
			all[i].Transport = append(all[i].Transport, protocol.AuthenticatorTransport(t))
		}
	}
	return all
}
