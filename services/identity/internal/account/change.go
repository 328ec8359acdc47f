package account

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/google/uuid"

	"serein.app/services/platform/mailbox"
	"serein.app/services/platform/seclog"
)

// The limits of changes. Each is counted by member, so that a stranger who uses a member's session has few guesses at the mailed codes.
var (
	limitAddressHour       = Limit{Name: "address-hour", Free: 5, Window: time.Hour, Delay: time.Hour, MaxDelay: time.Hour}
	limitAddressDay        = Limit{Name: "address-day", Free: 10, Window: 24 * time.Hour, Delay: 24 * time.Hour, MaxDelay: 24 * time.Hour}
	limitAddressConfirm    = Limit{Name: "address-confirm", Free: CodeTries, Window: CodeLife, Delay: CodeLife, MaxDelay: CodeLife}
	limitAddressConfirmDay = Limit{Name: "address-confirm-day", Free: CodeTriesInAll, Window: 24 * time.Hour, Delay: 24 * time.Hour, MaxDelay: 24 * time.Hour}
	limitName              = Limit{Name: "name", Free: 30, Window: 24 * time.Hour, Delay: 24 * time.Hour, MaxDelay: 24 * time.Hour}
	// limitAddressMailbox is counted by the new mailbox, for all members together.
	limitAddressMailbox = Limit{Name: "address-mailbox", Free: 10, Window: 24 * time.Hour, Delay: 24 * time.Hour, MaxDelay: 24 * time.Hour}
)

// NoticeLife is how long it is news that an account was changed.
const NoticeLife = 3 * 24 * time.Hour

// Signed is a member as they are signed in.
type Signed struct {
	UID string
	// SID is the session at the provider that theirs came of; empty where it is not known.
	SID string
}

// Session is SID; uuid.Nil, which is no session's, where it is not known.
func (m Signed) Session() uuid.UUID {
	sid, _ := uuid.Parse(m.SID)
	return sid
}

// AddressChange is another address that a member asks for.
type AddressChange struct {
	ID, UID         uuid.UUID
	Email, EmailKey string
	// Reserved: the address is somebody's.
	Reserved      bool
	At, ExpiresAt time.Time
	// Ended: it is done, stopped or replaced. FormerEmail is the address before one that is done.
	Ended       bool
	FormerEmail string
}

// ChangeName changes what a member is called. Errors: ErrInvalidParameter (with the field), ErrLimitExceeded, ErrUserNotFound.
func (s *Service) ChangeName(ctx context.Context, uid, given, family string) (a Account, err error) {
	if given, err = parseName("given_name", given); err != nil {
		return a, err
	}
	if family, err = parseName("family_name", family); err != nil {
		return a, err
	}
	if a, err = s.ByUID(ctx, uid); err != nil {
		return a, err
	}
	if err = s.spend(ctx, limitName, a.UID.String(), ErrLimitExceeded); err != nil {
		return a, err
	}
	return s.store.ChangeName(ctx, a.UID, given, family)
}

// ChangePassword sets another password for a member who gives the present one. It ends every other session, grant and refresh token and a
// change of address that waits, and mails the member a letter. Errors: ErrWrongPassword, ErrInvalidPassword, ErrTooManyRequests,
// ErrUserNotFound.
func (s *Service) ChangePassword(ctx context.Context, m Signed, present, password string) (err error) {
	var a Account
	defer func() { s.record(ctx, seclog.PasswordChange, a.UID, a.Username, "", err) }()
	if a, err = s.Reauthenticate(ctx, m, present); err != nil {
		return err
	}
	if NormalPassword(password) == NormalPassword(present) {
		return weak("That’s already your password. Please choose another.")
	}
	if password, err = ParsePassword(password, a.Username, a.GivenName, a.FamilyName, a.Email); err != nil {
		return err
	}
	fresh, err := s.passwords.Hash(ctx, password)
	if err != nil {
		return err
	}
	return s.store.ChangePassword(ctx, a.UID, a.PasswordHash, NewPassword{Hash: fresh, At: s.at(), Keep: m.Session(), NoticeID: s.newID()})
}

// Reauthenticate checks the present password of a member who is signed in. A member with a second step must also have given the code in
// this very session, or have begun the session with a passkey. So a person with the password and an older session can change neither the
// second step nor what it guards (ASVS 5.0, V7.5.1). Tries are counted by session, as those of a known browser are, so that no stranger
// uses them up. Errors: ErrWrongPassword, ErrSecondStepMissing, ErrTooManyRequests, ErrUserNotFound.
func (s *Service) Reauthenticate(ctx context.Context, m Signed, password string) (Account, error) {
	a, err := s.proveAgain(ctx, m, password)
	if err == nil {
		err = s.requireSecondStep(ctx, a, m)
	}
	return a, err
}

// proveAgain is the password's part of Reauthenticate.
func (s *Service) proveAgain(ctx context.Context, m Signed, password string) (Account, error) {
	a, err := s.ByUID(ctx, m.UID)
	if err != nil {
		return a, err
	}
	counted, err := s.admitAttempt(ctx, Attempt{Device: Device{UID: a.UID, ID: "session\x00" + m.SID}}, a, true)
	if err != nil {
		return a, err
	}
	match, _, err := s.passwords.Verify(ctx, NormalPassword(password), a.PasswordHash)
	if err != nil {
		return a, err
	}
	if !match {
		return a, ErrWrongPassword
	}
	return a, s.forgive(ctx, counted)
}

// requireSecondStep is the second step's part of Reauthenticate.
func (s *Service) requireSecondStep(ctx context.Context, a Account, m Signed) error {
	missing, err := s.store.SecondStepMissing(ctx, a.UID, m.Session())
	if err == nil && missing {
		err = ErrSecondStepMissing
	}
	return err
}

// BeginAddressChange mails one code to the new address, and another to the present one with a notice and a link that stops the change.
// The present address stays until ConfirmAddressChange has received both codes. For another member's address the answer is the same, and
// identity writes to that member. Errors: ErrWrongPassword, ErrInvalidParameter for the field email, ErrTooManyRequests,
// ErrLimitExceeded, ErrUserNotFound.
func (s *Service) BeginAddressChange(ctx context.Context, m Signed, present, email string) (c AddressChange, err error) {
	var a Account
	defer func() { s.recordAs(ctx, seclog.AddressChange, a.UID, a.Username, "", seclog.Asked, err) }()
	if a, err = s.Reauthenticate(ctx, m, present); err != nil {
		return c, err
	}
	if c.Email, c.EmailKey, err = ParseEmail(email); err != nil {
		return c, err
	}
	if c.EmailKey == EmailKey(a.Email) {
		return c, invalid("email", "That’s already your address.")
	}
	whom := a.UID.String()
	for _, counted := range []counted{{limitAddressHour, whom, false}, {limitAddressDay, whom, false}, {limitAddressMailbox, mailbox.Of(c.Email), true}} {
		if err = s.spend(ctx, counted.limit, counted.whom, ErrLimitExceeded); err != nil {
			return c, err
		}
	}
	c.ID, c.UID, c.At = s.newID(), a.UID, s.at()
	c.ExpiresAt = c.At.Add(CodeLife)
	err = s.store.BeginAddressChange(ctx, c, s.codes.New(s.newID(), CodeAddressPresent, c.At), s.codes.New(s.newID(), CodeAddressNew, c.At))
	return c, err
}

// ConfirmAddressChange gives the member the new address once the codes of both mailboxes are given. Errors: ErrCodeMismatch and
// ErrExpiredCode (for present_code or new_code), ErrLimitExceeded, ErrNoChange, ErrUserNotFound.
func (s *Service) ConfirmAddressChange(ctx context.Context, uid, presentCode, newCode string) (err error) {
	var a Account
	defer func() { s.record(ctx, seclog.AddressChange, a.UID, a.Username, "", err) }()
	if a, err = s.ByUID(ctx, uid); err != nil {
		return err
	}
	for _, limit := range []Limit{limitAddressConfirm, limitAddressConfirmDay} {
		if err = s.spend(ctx, limit, a.UID.String(), ErrLimitExceeded); err != nil {
			return err
		}
	}
	now := s.at()
	err = s.store.ConfirmAddressChange(ctx, a.UID, now, func(present, fresh Code) error {
		return errors.Join(on("present_code", s.codes.Check(present, presentCode, now)), on("new_code", s.codes.Check(fresh, newCode, now)))
	})
	if err != nil {
		return err
	}
	return errors.Join(s.throttle.ResetAttempts(ctx, s.key(limitAddressConfirm, a.UID.String())), s.throttle.ResetAttempts(ctx, s.key(limitAddressConfirmDay, a.UID.String())))
}

// AddressChange is the change that waits for its codes; false: none does.
func (s *Service) AddressChange(ctx context.Context, a Account) (AddressChange, bool, error) {
	c, err := s.store.AddressChange(ctx, a.UID)
	if errors.Is(err, ErrNoChange) || err == nil && !s.now().Before(c.ExpiresAt) {
		return AddressChange{}, false, nil
	}
	return c, err == nil, err
}

// StopAddressChange ends the member's change that waits; none is no fault. Errors: ErrUserNotFound.
func (s *Service) StopAddressChange(ctx context.Context, uid string) error {
	a, err := s.ByUID(ctx, uid)
	if err != nil {
		return err
	}
	return s.store.StopAddressChange(ctx, a.UID, s.at())
}

// StoppableChange finds the change that a link of a letter stops, which anybody may who has the letter. Errors: ErrNoChange, also for
// one that has ended.
func (s *Service) StoppableChange(ctx context.Context, token string) (AddressChange, error) {
	id, err := s.codes.stopID(strings.TrimSpace(token))
	if err != nil {
		return AddressChange{}, err
	}
	c, err := s.store.AddressChangeByID(ctx, id)
	if err == nil && (c.Ended || !s.now().Before(c.ExpiresAt)) {
		err = ErrNoChange
	}
	return c, err
}

// StopByLink ends the change that the link of a letter stops. Errors: ErrNoChange.
func (s *Service) StopByLink(ctx context.Context, token string) (err error) {
	c, err := s.StoppableChange(ctx, token)
	if err != nil {
		return err
	}
	defer func() { s.recordAs(ctx, seclog.AddressChange, c.UID, "", "", seclog.Stopped, err) }()
	return s.store.StopAddressChange(ctx, c.UID, s.at())
}
