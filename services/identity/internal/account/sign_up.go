package account

import (
	"context"
	"encoding/base32"
	"errors"
	"time"

	"github.com/google/uuid"

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
}

// SignUp creates an unconfirmed account and has its code mailed. An address that already has an
// account gets the same answer after the same work; its owner is told by mail. Signing up again
// with the username and password of a sign-up that waits for its code replaces it.
// A mailbox that has had its letters for now gets none, and nobody is refused for it.
// Errors: ErrInvalidParameter and ErrInvalidPassword (with the field), ErrUsernameExists,
// ErrTooManyRequests. The id says nothing either: it is fresh in both cases.
func (s *Service) SignUp(ctx context.Context, in SignUp) (uid uuid.UUID, err error) {
	defer func() { s.record(ctx, seclog.SignUp, uid, in.Username, in.Address, err) }()
	r, password, err := s.registration(in)
	if err != nil {
		return uuid.Nil, err
	}
	mailbox := Mailbox(r.Email)
	sender := mailbox + "\x00" + in.Address
	if err = s.spend(ctx, limitSignUpEmail, sender, ErrTooManyRequests); err != nil {
		return uuid.Nil, err
	}
	mails, err := s.throttle.Spend(ctx, s.key(limitMailSignUp, mailbox), limitMailSignUp, s.now())
	if err != nil {
		return uuid.Nil, err
	}
	if mails {
		code := s.codes.New(s.newID(), r.At)
		r.Code = &code
	}
	if r.PasswordHash, err = s.passwords.Hash(ctx, password); err != nil {
		return uuid.Nil, err
	}
	err = s.store.Register(ctx, r)
	if errors.Is(err, ErrUsernameExists) {
		err = s.signUpAgain(ctx, r, in.Address, password, err)
	}
	if errors.Is(err, ErrUsernameExists) {
		// No mail went out, and choosing another name must not run into the limits.
		err = errors.Join(err, s.refund(ctx, limitSignUpEmail, sender))
		if mails {
			err = errors.Join(err, s.refund(ctx, limitMailSignUp, mailbox))
		}
	}
	if err != nil {
		return uuid.Nil, err
	}
	return r.UID, nil
}

// signUpAgain replaces an unconfirmed sign-up of the same username by its own person, who proves it
// with the password: a wrong address can be put right and a lost code asked for. Everybody else is
// told that the name is taken, after the same work whether it waits for its code or not.
func (s *Service) signUpAgain(ctx context.Context, r Registration, address, password string, taken error) error {
	within, err := s.throttle.Spend(ctx, s.key(limitSignUpAgain, r.UsernameKey), limitSignUpAgain, s.now())
	if err != nil {
		return err
	}
	if !within {
		return taken
	}
	a, err := s.store.ByUsername(ctx, r.UsernameKey, r.At)
	if errors.Is(err, ErrUserNotFound) {
		return taken
	}
	if err != nil {
		return err
	}
	match, _, err := s.passwords.Verify(ctx, password, a.PasswordHash)
	if err != nil {
		return err
	}
	if !match || a.Confirmed {
		return taken
	}
	r.Replaces = &a.UID
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
