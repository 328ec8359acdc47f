package account

import (
	"context"
	"encoding/base32"
	"errors"
	"log/slog"
	"strings"
	"time"

	"github.com/google/uuid"
)

// Store keeps accounts. Every method is one transaction.
type Store interface {
	// Register adds the account with its consents and its code, and queues the code's mail.
	// An address that already has an account is not said: the row is only reserved.
	// Errors: ErrUsernameExists.
	Register(ctx context.Context, r Registration) error
	// Confirm runs check on the account's newest code under its lock, and confirms the account
	// or counts the try. Errors: ErrUserNotFound, and what check returns.
	Confirm(ctx context.Context, usernameKey string, now time.Time, check func(Code) error) error
	// Resend replaces the code of an unconfirmed account. Errors: ErrUserNotFound.
	Resend(ctx context.Context, usernameKey string, code Code, now time.Time) error
	// ByUsername, ByEmail and ByUID find accounts. Errors: ErrUserNotFound.
	ByUsername(ctx context.Context, key string, now time.Time) (Account, error)
	ByEmail(ctx context.Context, key string, now time.Time) (Account, error)
	ByUID(ctx context.Context, uid uuid.UUID) (Account, error)
	// Rehash replaces a password hash if it is still the old one.
	Rehash(ctx context.Context, uid uuid.UUID, old, fresh string) error
}

// Passwords hashes with bounded parallelism. Errors: ErrTooManyRequests when the wait is too long.
type Passwords interface {
	Hash(ctx context.Context, password string) (string, error)
	// Verify also says whether the hash was made with older parameters.
	Verify(ctx context.Context, password, hash string) (match, stale bool, err error)
	// Waste does the work of Verify for a user who does not exist.
	Waste(ctx context.Context, password string) error
}

// Config is what a Service needs.
type Config struct {
	Store     Store
	Throttle  Throttle
	Passwords Passwords
	Codes     *Codes
	Now       func() time.Time
	NewID     func() uuid.UUID
	Log       *slog.Logger
}

// Service is sign-up, confirmation and proof of passwords.
type Service struct {
	store     Store
	throttle  Throttle
	passwords Passwords
	codes     *Codes
	now       func() time.Time
	newID     func() uuid.UUID
	log       *slog.Logger
}

// New is a Service.
func New(c Config) *Service {
	return &Service{
		store: c.Store, throttle: c.Throttle, passwords: c.Passwords, codes: c.Codes,
		now: c.Now, newID: c.NewID, log: c.Log,
	}
}

// SignUp is what the sign-up form holds.
type SignUp struct {
	Username, Email, GivenName, FamilyName, Password string
	AgeConfirmed                                     bool
	TermsVersion                                     string
}

// SignUp creates an unconfirmed account and has its code mailed. An address that already has an
// account gets the same answer after the same work; its owner is told by mail.
// Errors: ErrInvalidParameter and ErrInvalidPassword (with the field), ErrUsernameExists,
// ErrTooManyRequests. The id says nothing either: it is fresh in both cases.
func (s *Service) SignUp(ctx context.Context, in SignUp) (uuid.UUID, error) {
	r, password, err := s.registration(in)
	if err != nil {
		return uuid.Nil, err
	}
	// Every sign-up mails its address, so this also bounds what a stranger can send there.
	if err = s.spend(ctx, limitSignUpEmail, r.EmailKey, ErrTooManyRequests); err != nil {
		return uuid.Nil, err
	}
	if r.PasswordHash, err = s.passwords.Hash(ctx, password); err != nil {
		return uuid.Nil, err
	}
	err = s.store.Register(ctx, r)
	if errors.Is(err, ErrUsernameExists) {
		// No mail went out, and choosing another name must not run into the limit.
		err = errors.Join(err, s.throttle.Forgive(ctx, s.key(limitSignUpEmail, r.EmailKey), limitSignUpEmail, s.now()))
	}
	return r.UID, err
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
	if password, err = ParsePassword(in.Password, r.Username, r.Email); err != nil {
		return r, "", err
	}
	if r.Consents, err = consents(in); err != nil {
		return r, "", err
	}
	r.At = s.now().UTC().Truncate(time.Microsecond)
	r.UID = s.newID()
	r.Code = s.codes.New(s.newID(), r.At)
	r.LapsesAt = r.At.Add(UnconfirmedLife)
	r.ReferralCode = s.referralCode(r.UID)
	return r, password, nil
}

func consents(in SignUp) ([]Consent, error) {
	if !in.AgeConfirmed {
		return nil, invalid("age_confirmed", "Serein is for people aged 16 and over. Please confirm that you are.")
	}
	terms, err := parseTerms(in.TermsVersion)
	if err != nil {
		return nil, err
	}
	return []Consent{{Kind: "age_16", Version: AgeVersion}, {Kind: "terms", Version: terms}}, nil
}

// referralCode is ten letters and digits that say nothing about the uid (50 bits).
func (s *Service) referralCode(uid uuid.UUID) string {
	return base32.StdEncoding.EncodeToString(s.codes.mac("referral", uid, ""))[:10]
}

// Confirm ends the sign-up with the mailed code. An unknown username answers like a wrong code.
// Errors: ErrCodeMismatch, ErrExpiredCode, ErrLimitExceeded.
func (s *Service) Confirm(ctx context.Context, username, code string) error {
	key, now := UsernameKey(username), s.now().UTC().Truncate(time.Microsecond)
	if err := s.spend(ctx, limitConfirm, key, ErrLimitExceeded); err != nil {
		return err
	}
	err := s.store.Confirm(ctx, key, now, func(c Code) error { return s.codes.Check(c, code, now) })
	if errors.Is(err, ErrUserNotFound) {
		return ErrCodeMismatch
	}
	if err != nil {
		return err
	}
	return s.throttle.Clear(ctx, s.key(limitConfirm, key))
}

// Resend replaces the code. The answer is the same for unknown and confirmed usernames.
// Errors: ErrLimitExceeded.
func (s *Service) Resend(ctx context.Context, username string) error {
	key, now := UsernameKey(username), s.now().UTC().Truncate(time.Microsecond)
	if err := s.spend(ctx, limitResendMinute, key, ErrLimitExceeded); err != nil {
		return err
	}
	if err := s.spend(ctx, limitResendHour, key, ErrLimitExceeded); err != nil {
		return err
	}
	err := s.store.Resend(ctx, key, s.codes.New(s.newID(), now), now)
	if err != nil && !errors.Is(err, ErrUserNotFound) {
		return err
	}
	// A fresh code has fresh tries, for a username that does not exist as well.
	return s.throttle.Clear(ctx, s.key(limitConfirm, key))
}

// loginMax bounds what is looked up, in bytes: the longest address is 254.
const loginMax = 512

// Authenticate proves a password. login is a username or an e-mail address, address the
// caller's network address. Unknown users cost the same work and get the same answer.
// Errors: ErrNotAuthorized, ErrTooManyRequests, and only with the right password ErrNotConfirmed.
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
	if err := s.throttle.Clear(ctx, s.key(limitSignIn, whom)); err != nil {
		return Account{}, err
	}
	if err := s.throttle.Forgive(ctx, s.key(limitSignInAddress, address), limitSignInAddress, s.now()); err != nil {
		return Account{}, err
	}
	if !a.Confirmed {
		return Account{}, ErrNotConfirmed
	}
	return a, nil
}

func (s *Service) prove(ctx context.Context, login, password string) (Account, error) {
	a, err := s.find(ctx, login)
	if errors.Is(err, ErrUserNotFound) {
		if err := s.passwords.Waste(ctx, password); err != nil {
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
		s.log.WarnContext(ctx, "password hash not renewed", "uid", a.UID, "err", err)
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

// ByUID finds a confirmed account. Errors: ErrUserNotFound.
func (s *Service) ByUID(ctx context.Context, uid string) (Account, error) {
	id, err := uuid.Parse(uid)
	if err != nil {
		return Account{}, ErrUserNotFound.Because(err)
	}
	return s.store.ByUID(ctx, id)
}

// AdmitAPI bounds calls of the open sign-up API by network address. Errors: ErrTooManyRequests.
func (s *Service) AdmitAPI(ctx context.Context, address string) error {
	return s.spend(ctx, limitAPIAddress, address, ErrTooManyRequests)
}
