package account

import (
	"context"
	"encoding/base32"
	"errors"
	"time"

	"github.com/google/uuid"

	"serein.app/services/platform/mailbox"
	"serein.app/services/platform/seclog"
)

// SignUp is what the sign-up form holds.
type SignUp struct {
	Username, Email, GivenName, FamilyName, Password string
	AgeConfirmed                                     bool
	// TermsVersion of the texts that were shown, "terms YYYY-MM-DD, privacy YYYY-MM-DD", or VersionUnknown.
	TermsVersion string
	// Address is the caller's network address; empty where it is not known.
	Address string
	// Invite is the referral code of the member who invited the person; empty without one.
	Invite string
}

// SignUp creates an unconfirmed account and has its code mailed. For an address that already has an account the answer and the work are
// the same, and identity writes to the owner. A second sign-up with the username and password of one that waits for its code replaces it;
// the same form within RepeatLife changes nothing and gets the answer of the first. When the mailbox has reached its limit of letters
// SignUp sends none: it refuses nobody for that, and the answer says so. Errors: ErrInvalidParameter and ErrInvalidPassword (with the
// field), ErrUsernameExists, ErrTooManyRequests. Subject and proof are fresh in both cases, so that they do not show either whether the
// address is known.
func (s *Service) SignUp(ctx context.Context, in SignUp) (SignedUp, error) {
	uid, heldBack, err := s.signUp(ctx, in)
	s.record(ctx, seclog.SignUp, uid, in.Username, in.Address, err)
	if err != nil {
		return SignedUp{}, err
	}
	return SignedUp{Subject: uid.String(), HeldBack: heldBack, Proof: s.codes.proof(uid, s.now())}, nil
}

// signUp says whose account waits now, and whether its letter is held back.
func (s *Service) signUp(ctx context.Context, in SignUp) (uid uuid.UUID, heldBack bool, err error) {
	r, password, err := s.registration(in)
	if err != nil {
		return uuid.Nil, false, err
	}
	box := mailbox.Of(r.Email)
	sender := box + "\x00" + in.Address
	if err = s.spend(ctx, limitSignUpEmail, sender, ErrTooManyRequests); err != nil {
		return uuid.Nil, false, err
	}
	mails, err := s.within(ctx, box, limitMailSignUp, limitMailSignUpDay)
	if err != nil {
		return uuid.Nil, false, err
	}
	if mails {
		code := s.codes.New(s.newID(), CodeConfirmation, r.At)
		r.Code = &code
	}
	if err = s.invite(ctx, &r, in.Invite); err != nil {
		return uuid.Nil, false, err
	}
	if r.PasswordHash, err = s.passwords.Hash(ctx, password); err != nil {
		return uuid.Nil, false, err
	}
	uid, err = r.UID, s.store.Register(ctx, r)
	if errors.Is(err, ErrUsernameExists) {
		uid, err = s.signUpAgain(ctx, r, in.Address, password, err)
	}
	if errors.Is(err, ErrUsernameExists) || err == nil && uid != r.UID {
		// No mail went out, and choosing another name must not run into the limits.
		err = errors.Join(err, s.refund(ctx, limitSignUpEmail, sender))
		if mails {
			err = errors.Join(err, s.refund(ctx, limitMailSignUp, box), s.refund(ctx, limitMailSignUpDay, box))
		}
	}
	if err != nil {
		return uuid.Nil, false, err
	}
	return uid, !mails && uid == r.UID, nil // a form that comes again has had its letter
}

// signUpAgain replaces an unconfirmed sign-up of the same username. The person proves with the password that the first sign-up was
// theirs, and can so correct the address or get another code. The same form within RepeatLife is a repetition of the first call, whose
// answer was lost: nothing changes, and the uid stays. Everybody else gets the answer that the name is taken, after the same work whether
// that account waits for its code or not.
func (s *Service) signUpAgain(ctx context.Context, r Registration, address, password string, taken error) (uuid.UUID, error) {
	within, err := s.within(ctx, from(address, r.UsernameKey), limitSignUpAgain)
	if err == nil && within {
		within, err = s.within(ctx, r.UsernameKey, limitSignUpAgainInAll)
	}
	if err != nil {
		return uuid.Nil, err
	}
	if !within {
		return uuid.Nil, taken
	}
	a, err := s.store.ByUsername(ctx, r.UsernameKey, r.At)
	if errors.Is(err, ErrUserNotFound) {
		return uuid.Nil, taken
	}
	if err != nil {
		return uuid.Nil, err
	}
	match, _, err := s.passwords.Verify(ctx, password, a.PasswordHash)
	if err != nil {
		return uuid.Nil, err
	}
	if !match || a.Confirmed {
		return uuid.Nil, taken
	}
	same, err := s.repeats(ctx, r, a)
	if err != nil || same {
		return a.UID, err
	}
	return r.UID, s.replace(ctx, r, a, address)
}

// repeats says whether a sign-up is the one that waits, whose letter has just gone out.
func (s *Service) repeats(ctx context.Context, r Registration, waits Account) (bool, error) {
	if r.Username != waits.Username || r.Email != waits.Email || r.GivenName != waits.GivenName || r.FamilyName != waits.FamilyName {
		return false, nil
	}
	if r.InvitedBy != nil && (waits.InvitedBy == nil || *waits.InvitedBy != *r.InvitedBy) {
		return false, nil
	}
	return s.store.CodeIsFresh(ctx, waits.UID, r.At.Add(-RepeatLife))
}

// replace puts a sign-up in the place of the one that waits.
func (s *Service) replace(ctx context.Context, r Registration, a Account, address string) error {
	r.Replaces = &a.UID
	if r.InvitedBy == nil {
		r.InvitedBy = a.InvitedBy // a person who corrects the address may have lost the link by then
	}
	if err := s.store.Register(ctx, r); err != nil {
		return err
	}
	// A fresh code has fresh tries.
	return s.throttle.ResetAttempts(ctx, s.key(limitConfirm, from(address, r.UsernameKey)))
}

// registration runs every rule, in the order of the form's fields.
func (s *Service) registration(in SignUp) (r Registration, password string, err error) {
	if r.Username, r.UsernameKey, err = ParseUsername(in.Username); err != nil {
		return r, "", err
	}
	if r.Email, r.EmailKey, err = ParseEmail(in.Email); err != nil {
		return r, "", err
	}
	if r.GivenName, err = parseName("given_name", in.GivenName); err != nil {
		return r, "", err
	}
	if r.FamilyName, err = parseName("family_name", in.FamilyName); err != nil {
		return r, "", err
	}
	if password, err = ParsePassword(in.Password, r.Username, r.GivenName, r.FamilyName, r.Email); err != nil {
		return r, "", err
	}
	if r.Consents, err = consents(in); err != nil {
		return r, "", err
	}
	r.At = s.now().UTC().Truncate(time.Microsecond)
	r.UID = s.newID()
	r.LapsesAt = r.At.Add(UnconfirmedLife)
	r.ReferralCode = s.referralCode(r.UID)
	return r, password, nil
}

// CheckForm checks what a registry elsewhere does not ask: the form's tick, and the lengths of what is passed on. Errors:
// ErrInvalidParameter (with the field).
func CheckForm(in SignUp) error {
	for field, value := range map[string]string{"username": in.Username, "email": in.Email, "given_name": in.GivenName, "family_name": in.FamilyName} {
		if value == "" || len(value) > loginMax {
			return invalid(field, "Please check that every field is filled in, and none is too long.")
		}
	}
	_, err := consents(in)
	return err
}

// consents are what the form's one tick says, under the texts that it showed.
func consents(in SignUp) ([]ConsentAnswer, error) {
	if !in.AgeConfirmed {
		return nil, invalid("age_confirmed", "Serein is for people aged 16 and over. Please confirm that you are.")
	}
	if err := checkVersion(ConsentTerms, in.TermsVersion); err != nil && in.TermsVersion != VersionUnknown {
		return nil, invalid("terms_version", "Please accept the terms and conditions.")
	}
	return []ConsentAnswer{
		{Kind: ConsentAge16, Given: true, Version: in.TermsVersion},
		{Kind: ConsentTerms, Given: true, Version: in.TermsVersion},
	}, nil
}

// referralCode is ten letters and digits that say nothing about the uid (50 bits).
func (s *Service) referralCode(uid uuid.UUID) string {
	return base32.StdEncoding.EncodeToString(mac(s.codes.secret, "referral", uid, ""))[:10]
}
