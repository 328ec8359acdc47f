package account

import (
	"context"
	"log/slog"
	"time"

	"github.com/google/uuid"

	"serein.app/services/platform/seclog"
)

// Store keeps accounts. Every method is one transaction.
type Store interface {
	DeletionStore
	// Register adds the account with its consents and its code, where it has one, and enqueues the code's mail. The
	// sign-up that it replaces goes, if it is still unconfirmed.
	// An address that already has an account is not said: the row is only reserved.
	// Errors: ErrUsernameExists.
	Register(ctx context.Context, r Registration) error
	// Confirm runs check on the account's newest code under its lock, and confirms the account
	// or counts the try. The event carries what mailboxKey gives for the account's address. Errors:
	// ErrUserNotFound, and what check returns.
	Confirm(ctx context.Context, usernameKey string, now time.Time, mailboxKey func(email string) []byte, check func(Code) error) error
	// Resend replaces the code of an unconfirmed account. Errors: ErrUserNotFound.
	Resend(ctx context.Context, usernameKey string, code Code, now time.Time) error
	// CodeIsFresh says whether an account's code was made after that time, and nobody has tried one.
	CodeIsFresh(ctx context.Context, uid uuid.UUID, since time.Time) (bool, error)
	// ForgetPassword replaces the account's code of that kind and enqueues its mail; for nobody's uid it does the same work.
	ForgetPassword(ctx context.Context, uid uuid.UUID, code Code, now time.Time) error
	// ResetPassword runs check on the account's newest code under its lock, and sets the password and ends what came of the one before
	// it, or counts the try; a right code whose password is refused is not counted. An account that waits is confirmed, as by Confirm.
	// Errors: ErrUserNotFound, and what check returns.
	ResetPassword(ctx context.Context, r Reset, mailboxKey func(email string) []byte, check func(Code, Account) error) error
	// ChangePassword sets the password and ends what came of the one before it, where that is still the proved hash. Errors:
	// ErrUserNotFound, ErrWrongPassword.
	ChangePassword(ctx context.Context, uid uuid.UUID, proved string, c NewPassword) error
	// SecondStepMissing says whether a member is asked for a second step that the session was not begun with, nor with a passkey.
	SecondStepMissing(ctx context.Context, uid, sid uuid.UUID) (bool, error)
	// ChangeName changes a member's names. Errors: ErrUserNotFound.
	ChangeName(ctx context.Context, uid uuid.UUID, given, family string) (Account, error)
	// BeginAddressChange adds the change with its codes and their letters, in the place of one that waits. Errors: ErrUserNotFound.
	BeginAddressChange(ctx context.Context, c AddressChange, present, fresh Code) error
	// ConfirmAddressChange runs check on the two codes of the change that waits, and gives the member the address or counts the try.
	// Errors: ErrUserNotFound, ErrNoChange, ErrCodeMismatch, and what check returns.
	ConfirmAddressChange(ctx context.Context, uid uuid.UUID, now time.Time, check func(present, fresh Code) error) error
	// StopAddressChange ends the change that waits; none is no fault.
	StopAddressChange(ctx context.Context, uid uuid.UUID, now time.Time) error
	// AddressChange finds the change that waits, and AddressChangeByID any. Errors: ErrNoChange.
	AddressChange(ctx context.Context, uid uuid.UUID) (AddressChange, error)
	AddressChangeByID(ctx context.Context, id uuid.UUID) (AddressChange, error)
	// ByUsername, ByEmail and ByUID find accounts. Errors: ErrUserNotFound.
	ByUsername(ctx context.Context, key string, now time.Time) (Account, error)
	ByEmail(ctx context.Context, key string, now time.Time) (Account, error)
	ByUID(ctx context.Context, uid uuid.UUID) (Account, error)
	// ByReferralCode finds whose code it is, among confirmed accounts. Errors: ErrUserNotFound.
	ByReferralCode(ctx context.Context, code string) (uuid.UUID, error)
	// Pending finds an account that has not lapsed, confirmed or not. Errors: ErrUserNotFound.
	Pending(ctx context.Context, uid uuid.UUID, now time.Time) (Account, error)
	// Consents are the kinds as they stand, by kind.
	Consents(ctx context.Context, uid uuid.UUID) ([]Consent, error)
	// RecordConsents runs decide under the account's lock, on the kinds as they stand and the number
	// of rows added since then, adds the rows that it gives with one event, and gives the kinds as
	// they stand afterwards. Errors: ErrUserNotFound, and what decide returns.
	RecordConsents(ctx context.Context, uid uuid.UUID, since time.Time,
		decide func(current []Consent, recent int) ([]Consent, error)) ([]Consent, error)
	// Rehash replaces a password hash if it is still the old one.
	Rehash(ctx context.Context, uid uuid.UUID, old, fresh string) error
}

// Passwords hashes with bounded parallelism. Errors: ErrTooManyRequests when the wait is too long.
type Passwords interface {
	Hash(ctx context.Context, password string) (string, error)
	// Verify also says whether the hash was made with older parameters.
	Verify(ctx context.Context, password, hash string) (match, stale bool, err error)
	// VerifyDummy does the work of Verify for a user who does not exist.
	VerifyDummy(ctx context.Context, password string) error
}

// Config is what a Service needs.
type Config struct {
	Store     Store
	Throttle  Throttle
	Passwords Passwords
	Codes     *Codes
	Mailboxes *Mailboxes
	Now       func() time.Time
	NewID     func() uuid.UUID
	Log       *slog.Logger
	// Security may be nil.
	Security *seclog.Log
}

// Service is sign-up, confirmation and proof of passwords.
type Service struct {
	store     Store
	throttle  Throttle
	passwords Passwords
	codes     *Codes
	mailboxes *Mailboxes
	now       func() time.Time
	newID     func() uuid.UUID
	log       *slog.Logger
	security  *seclog.Log
}

// New is a Service.
func New(c Config) *Service {
	return &Service{
		store: c.Store, throttle: c.Throttle, passwords: c.Passwords, codes: c.Codes, mailboxes: c.Mailboxes,
		now: c.Now, newID: c.NewID, log: c.Log, security: c.Security,
	}
}

// AdmitConfirm bounds tries and letters of the hosted confirm step by network address. Errors:
// ErrTooManyRequests.
func (s *Service) AdmitConfirm(ctx context.Context, address string) error {
	return s.spend(ctx, limitConfirmAddress, address, ErrTooManyRequests)
}

// AdmitAPI bounds calls of the open sign-up API by network address. Errors: ErrTooManyRequests.
func (s *Service) AdmitAPI(ctx context.Context, address string) error {
	return s.spend(ctx, limitAPIAddress, address, ErrTooManyRequests)
}
