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

// The limits of forgotten passwords. A code gives access to an account here, so that all guesses at one account, from everywhere, are
// few: strangers have 20 a day and the first try at each of at most 10 further codes, which is one in 30,000. A browser in which the
// account has signed in before has separate counts, so that no stranger uses up the member's.
var (
	limitForgotMinute = Limit{Name: "forgot-minute", Free: 1, Window: time.Minute, Delay: time.Minute, MaxDelay: time.Minute}
	limitForgotHour   = Limit{Name: "forgot-hour", Free: 5, Window: time.Hour, Delay: time.Hour, MaxDelay: time.Hour}
	// By mailbox, for all callers together: at the limit no call is refused, and no letter is sent.
	limitMailReset    = Limit{Name: "mail-reset", Free: 5, Window: time.Hour, Delay: time.Hour, MaxDelay: time.Hour}
	limitMailResetDay = Limit{Name: "mail-reset-day", Free: 10, Window: 24 * time.Hour, Delay: 24 * time.Hour, MaxDelay: 24 * time.Hour}
	limitReset        = Limit{Name: "reset", Free: CodeTries, Window: CodeLife, Delay: CodeLife, MaxDelay: CodeLife}
	limitResetMailbox = Limit{Name: "reset-mailbox", Free: CodeTriesInAll, Window: 24 * time.Hour, Delay: 24 * time.Hour, MaxDelay: 24 * time.Hour}
)

// Asker is who asks without having signed in.
type Asker struct {
	// Address is the caller's network address; empty where it is not known.
	Address string
	// Device is what the browser proves to be; the zero value for one that is not known.
	Device Device
}

// NewPassword is a password that has passed every rule.
type NewPassword struct {
	// Hash is a PHC string.
	Hash string
	At   time.Time
	// Keep is the session that stays; uuid.Nil for none.
	Keep uuid.UUID
	// NoticeID is the id of the letter that tells the member.
	NoticeID uuid.UUID
}

// Reset is a new password for an account whose code is given.
type Reset struct {
	UID uuid.UUID
	NewPassword
}

// ForgotPassword mails a code to the account of a username or an e-mail address; address is the caller's network address. See
// ForgotPasswordFrom.
func (s *Service) ForgotPassword(ctx context.Context, address, login string) error {
	return s.ForgotPasswordFrom(ctx, Asker{Address: address}, login)
}

// ForgotPasswordFrom has a code mailed that ConfirmForgotPassword takes. The answer is the same after the same work whether there is
// such an account or not, and where the mailbox has had its letters for now: then the code before it still counts. An account that
// waits for its confirmation gets one too. Errors: ErrInvalidParameter for a login that is none, ErrLimitExceeded.
func (s *Service) ForgotPasswordFrom(ctx context.Context, from Asker, login string) (err error) {
	var a Account
	defer func() { s.recordReset(ctx, a, login, from.Address, seclog.Asked, err) }()
	if login, err = parseLogin(login); err != nil {
		return err
	}
	a, found, err := s.seek(ctx, login)
	if err != nil {
		return err
	}
	c := counts(from, login, a, found)
	for _, limit := range []Limit{limitForgotMinute, limitForgotHour} {
		if err = s.spend(ctx, limit, c.asker, ErrLimitExceeded); err != nil {
			return err
		}
	}
	uid, err := s.resettable(ctx, a, found, c.mailbox)
	if err != nil {
		return err
	}
	now := s.at()
	if err = s.store.ForgetPassword(ctx, uid, s.codes.New(s.newID(), CodePasswordReset, now), now); err != nil {
		return err
	}
	// A fresh code has fresh tries, for an account that does not exist as well.
	return s.throttle.ResetAttempts(ctx, s.key(limitReset, c.asker))
}

// resettable is whose code is replaced: nobody's where there is no account, or its mailbox has had its letters.
func (s *Service) resettable(ctx context.Context, a Account, found bool, box string) (uuid.UUID, error) {
	hour, err := s.throttle.Spend(ctx, s.key(limitMailReset, box), limitMailReset, s.now())
	if err != nil {
		return uuid.Nil, err
	}
	day, err := s.throttle.Spend(ctx, s.key(limitMailResetDay, box), limitMailResetDay, s.now())
	if err != nil {
		return uuid.Nil, err
	}
	if !found || !hour || !day {
		return s.newID(), nil
	}
	return a.UID, nil
}

// ConfirmForgotPassword sets a new password with the mailed code; address is the caller's network address. See ConfirmForgotPasswordFrom.
func (s *Service) ConfirmForgotPassword(ctx context.Context, address, login, code, password string) error {
	_, err := s.ConfirmForgotPasswordFrom(ctx, Asker{Address: address}, login, code, password)
	return err
}

// ConfirmForgotPasswordFrom sets a new password with the mailed code, once. It ends all sessions, grants and refresh tokens of the
// member, and mails the member a letter. It also confirms an account that waited for its confirmation: the code proves the mailbox. An
// unknown login gets the answer to a wrong code, after the same work. Only a caller with the right code learns that the new password is
// too close to the member's names; the code still counts then. Errors: ErrInvalidPassword, ErrCodeMismatch, ErrExpiredCode,
// ErrLimitExceeded.
func (s *Service) ConfirmForgotPasswordFrom(ctx context.Context, from Asker, login, code, password string) (uid uuid.UUID, err error) {
	var a Account
	defer func() { s.recordReset(ctx, a, login, from.Address, seclog.Success, err) }()
	if login, err = parseLogin(login); err != nil {
		return uuid.Nil, ErrCodeMismatch.Because(err)
	}
	if password, err = ParsePassword(password, login); err != nil {
		return uuid.Nil, err
	}
	a, found, err := s.seek(ctx, login)
	if err != nil {
		return uuid.Nil, err
	}
	c := counts(from, login, a, found)
	if err = s.spend(ctx, limitReset, c.asker, ErrLimitExceeded); err != nil {
		return uuid.Nil, err
	}
	within, err := s.throttle.Spend(ctx, s.key(limitResetMailbox, c.mailbox), limitResetMailbox, s.now())
	if err != nil {
		return uuid.Nil, err
	}
	if err = s.reset(ctx, a, found, password, code, tries{mailbox: within}); err != nil {
		return uuid.Nil, err
	}
	return a.UID, errors.Join(s.throttle.ResetAttempts(ctx, s.key(limitReset, c.asker)), s.throttle.ResetAttempts(ctx, s.key(limitResetMailbox, c.mailbox)))
}

// reset does the work of a right code for a wrong one and for nobody's as well.
func (s *Service) reset(ctx context.Context, a Account, found bool, password, code string, t tries) error {
	same, err := s.has(ctx, a, found, password)
	if err != nil {
		return err
	}
	fresh, err := s.passwords.Hash(ctx, password)
	if err != nil {
		return err
	}
	r := Reset{UID: a.UID, NewPassword: NewPassword{Hash: fresh, At: s.at(), NoticeID: s.newID()}}
	if !found {
		r.UID = s.newID()
	}
	err = s.store.ResetPassword(ctx, r, s.mailboxes.Key, func(c Code, a Account) error {
		if !t.allow(c) {
			return ErrCodeMismatch.Because(errors.New("too many tries at codes of this mailbox"))
		}
		if err := s.codes.Check(c, code, r.At); err != nil {
			return err
		}
		return suits(a, password, same)
	})
	if errors.Is(err, ErrUserNotFound) {
		return ErrCodeMismatch.Because(err)
	}
	return err
}

// suits says whether a member may have the password: it holds nothing that others know of them, and is another one where that is
// demanded.
func suits(a Account, password string, same bool) error {
	if same && a.ResetRequired {
		return weak("That’s already your password. Please choose another.")
	}
	_, err := ParsePassword(password, a.Username, a.GivenName, a.FamilyName, a.Email)
	return err
}

// has says whether the account has the password already; nobody has, after the same work.
func (s *Service) has(ctx context.Context, a Account, found bool, password string) (bool, error) {
	if !found {
		return false, s.passwords.VerifyDummy(ctx, password)
	}
	match, _, err := s.passwords.Verify(ctx, password, a.PasswordHash)
	return match, err
}

// seek is find where nobody is no fault.
func (s *Service) seek(ctx context.Context, login string) (a Account, found bool, err error) {
	a, err = s.find(ctx, login)
	if errors.Is(err, ErrUserNotFound) {
		return Account{}, false, nil
	}
	return a, err == nil, err
}

// count is under what an attempt without a session is counted: for who asks, and for the mailbox.
type count struct{ asker, mailbox string }

// counts are a known browser's own, or else those of the login from one network address and of the mailbox.
func counts(from Asker, login string, a Account, found bool) count {
	if found && from.Device.ID != "" && from.Device.UID == a.UID {
		own := "device\x00" + a.UID.String() + "\x00" + from.Device.ID
		return count{own, own}
	}
	c := count{loginKey(login) + "\x00" + from.Address, mailbox.Of(loginKey(login))}
	if found {
		c.mailbox = mailbox.Of(a.Email)
	}
	return c
}

// parseLogin gives a username or an address as it is looked up.
func parseLogin(s string) (string, error) {
	login := strings.TrimSpace(s)
	if login == "" || len(login) > loginMax {
		return "", invalid("username", "Please enter your username or your email address.")
	}
	return login, nil
}

// at is now, as the database keeps it.
func (s *Service) at() time.Time { return s.now().UTC().Truncate(time.Microsecond) }

// recordReset writes down how an attempt ended; outcome is that of one that succeeded.
func (s *Service) recordReset(ctx context.Context, a Account, login, address string, outcome seclog.Outcome, err error) {
	s.recordAs(ctx, seclog.PasswordReset, a.UID, login, address, outcome, err)
}
