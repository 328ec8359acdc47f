package secondstep

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"time"

	"serein.app/services/identity/internal/account"
	"serein.app/services/platform/seclog"
)

// ceremony is what the browser carries, sealed, while an app is set up: beginning costs no row.
type ceremony struct {
	// Secret that the app is to share, in base32.
	Secret string `json:"secret"`
	// Bound is the session that alone may finish it.
	Bound   string    `json:"bound"`
	Expires time.Time `json:"expires"`
}

// toTurnOn is the use of a ceremony, as its seal names it.
const toTurnOn = "second step to turn on"

// Begun is what a member needs to set their app up.
type Begun struct {
	// Sealed comes back with Finish.
	Sealed string
	// Secret is in base32; Address is what a QR code says: otpauth://totp/...
	Secret, Address string
}

// bound is the session that may finish what it began.
func bound(m account.Signed) string { return m.UID + "\x00" + m.SID }

// Begin shares a fresh secret with a member who gives the present password. It turns nothing on yet. Errors: account.ErrWrongPassword,
// account.ErrTooManyRequests, ErrOn.
func (s *Service) Begin(ctx context.Context, m account.Signed, password string) (Begun, error) {
	a, err := s.cfg.Accounts.Reauthenticate(ctx, m, password)
	if err != nil {
		return Begun{}, err
	}
	on, err := s.Asked(ctx, a.UID)
	if err != nil {
		return Begun{}, err
	}
	if on {
		return Begun{}, ErrOn
	}
	key, err := newKey(a.Username)
	if err != nil {
		return Begun{}, err
	}
	box, err := s.ceremonies.Seal(toTurnOn, ceremony{Secret: key.Secret(), Bound: bound(m), Expires: s.at().Add(CeremonyLife)})
	return Begun{Sealed: base64.RawURLEncoding.EncodeToString(box), Secret: key.Secret(), Address: key.URL()}, err
}

// resume opens a ceremony that Begin made. Errors: ErrRefused.
func (s *Service) resume(m account.Signed, sealed string) (ceremony, error) {
	var c ceremony
	box, err := base64.RawURLEncoding.DecodeString(sealed)
	if err == nil {
		err = s.ceremonies.Open(toTurnOn, box, &c)
	}
	switch {
	case err != nil:
		return c, ErrRefused.Because(err)
	case c.Bound != bound(m):
		return c, ErrRefused.Because(errors.New("the ceremony is another session's"))
	case !s.at().Before(c.Expires):
		return c, ErrRefused.Because(errors.New("the ceremony took too long"))
	}
	return c, nil
}

// Finish turns the second step on for a member who gives the code that the app shows. It returns the recovery codes, which cannot be read
// again. Nobody can sign in with that code any more. Errors: ErrCode, ErrRefused, ErrOn, account.ErrUserNotFound.
func (s *Service) Finish(ctx context.Context, m account.Signed, sealed, code string) (codes []string, err error) {
	a, err := s.cfg.Accounts.ByUID(ctx, m.UID)
	if err != nil {
		return nil, err
	}
	defer func() { s.record(ctx, a.UID, "", seclog.Added, err) }()
	begun, err := s.resume(m, sealed)
	if err != nil {
		return nil, err
	}
	at, ok, err := matching(begun.Secret, plain(code), s.at())
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, ErrCode
	}
	box, err := s.present.Seal(a.UID.String(), begun.Secret)
	if err != nil {
		return nil, err
	}
	codes, hashes := newRecoveryCodes(a.UID)
	used := sha256.Sum256([]byte(toTurnOn + "\x00" + begun.Secret))
	app := Authenticator{UID: a.UID, Sealed: box, LastStep: at, AddedAt: s.at()}
	if err := s.cfg.Store.TurnOn(ctx, app, hashes, Ceremony{Hash: used[:], ExpiresAt: begun.Expires, SID: m.Session()}, s.cfg.NewID()); err != nil {
		return nil, err
	}
	return codes, nil
}

// NewRecoveryCodes replaces a member's codes, after the present password, in a session that was begun with the second step. Errors:
// account.ErrWrongPassword, account.ErrSecondStepMissing, account.ErrTooManyRequests, ErrOff.
func (s *Service) NewRecoveryCodes(ctx context.Context, m account.Signed, password string) ([]string, error) {
	a, err := s.cfg.Accounts.Reauthenticate(ctx, m, password)
	if err != nil {
		return nil, err
	}
	codes, hashes := newRecoveryCodes(a.UID)
	if err := s.cfg.Store.ReplaceRecoveryCodes(ctx, a.UID, hashes); err != nil {
		return nil, err
	}
	s.record(ctx, a.UID, "", seclog.Renewed, nil)
	return codes, nil
}

// Remove turns the second step off, after the present password, in a session that was begun with the second step; turning it off twice is
// no error. Errors: account.ErrWrongPassword, account.ErrSecondStepMissing, account.ErrTooManyRequests.
func (s *Service) Remove(ctx context.Context, m account.Signed, password string) error {
	a, err := s.cfg.Accounts.Reauthenticate(ctx, m, password)
	if err != nil {
		return err
	}
	was, err := s.cfg.Store.TurnOff(ctx, a.UID, s.cfg.NewID())
	if was {
		s.record(ctx, a.UID, "", seclog.Removed, nil)
	}
	return err
}
