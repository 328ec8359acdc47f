// Package secondstep is what a member is asked for beside their password: a code of their authenticator app (RFC 6238), or one of the
// recovery codes that they keep for the day when the app is gone.
//
// It owns how a secret is shared and kept, which codes count and how often, and what recovery codes look like. It refuses a code that was
// used, or is older than one that was; a ceremony that was used, is older than CeremonyLife, or was given to another session; and a second
// app beside the first. The codes themselves are pquerna/otp's. It holds no SQL, no RPC and no HTTP.
package secondstep

import (
	"context"
	"time"

	"github.com/google/uuid"

	errorsv1 "serein.app/proto/gen/serein/errors/v1"
	"serein.app/services/platform/errs"
)

const (
	// RecoveryCodes is how many a member is given.
	RecoveryCodes = 10
	// CeremonyLife is how long setting up an app may take.
	CeremonyLife = 10 * time.Minute
	// issuer is how the app calls us.
	issuer = "Serein"
)

// The refusals.
var (
	ErrCode = errs.New(errs.Invalid, errorsv1.Reason_REASON_CODE_MISMATCH, "That code does not match. Please check it and try again.").On("code")
	// ErrUsed answers only callers who gave the right code.
	ErrUsed    = errs.New(errs.Invalid, errorsv1.Reason_REASON_EXPIRED_CODE, "That code has already been used. Please wait for the next one.").On("code")
	ErrRefused = errs.New(errs.FailedPrecondition, errorsv1.Reason_REASON_SECOND_STEP_REFUSED, "That took too long. Please start again.")
	ErrOn      = errs.New(errs.FailedPrecondition, errorsv1.Reason_REASON_SECOND_STEP_ON, "You’ve already set up an authenticator app. To use another, please turn this one off first.")
	// ErrOff: the member has no second step. A Store returns it too.
	ErrOff = errs.New(errs.FailedPrecondition, errorsv1.Reason_REASON_SECOND_STEP_OFF, "You no longer have an authenticator app set up.")
)

// Authenticator is a member's app.
type Authenticator struct {
	UID uuid.UUID
	// Sealed is the secret that the app shares, encrypted.
	Sealed []byte
	// LastStep is that of the last code that counted.
	LastStep int64
	AddedAt  time.Time
}

// State is how the second step of a member stands.
type State struct {
	// OnSince is nil where it is off.
	OnSince *time.Time
	// CodesLeft are the recovery codes that were not used yet.
	CodesLeft int
}

// Ceremony is one that is finished, by its hash; it counts once.
type Ceremony struct {
	Hash      []byte
	ExpiresAt time.Time
	// SID is the session that it was finished in; uuid.Nil where that is not known.
	SID uuid.UUID
}

// Store keeps apps and recovery codes. Every method is one transaction.
type Store interface {
	// Authenticator of a member. Errors: ErrOff.
	Authenticator(ctx context.Context, uid uuid.UUID) (Authenticator, error)
	// RecoveryCodesLeft counts those that were not used yet.
	RecoveryCodesLeft(ctx context.Context, uid uuid.UUID) (int, error)
	// TurnOn uses the ceremony up and keeps the app with the hashes of its recovery codes, and the letter of that id; the session has
	// given a code by it. Errors: ErrOn,
	// ErrRefused for a ceremony that was used.
	TurnOn(ctx context.Context, a Authenticator, codes [][]byte, c Ceremony, notice uuid.UUID) error
	// UseStep writes down which code counted. Errors: ErrUsed where that one or a later one has.
	UseStep(ctx context.Context, a Authenticator, step int64) error
	// UseRecoveryCode deletes the code and enqueues the letter about it, under the id notice. Errors: ErrCode for an unknown code.
	UseRecoveryCode(ctx context.Context, uid uuid.UUID, hash []byte, notice uuid.UUID) error
	// ReplaceRecoveryCodes takes all away and keeps these. Errors: ErrOff.
	ReplaceRecoveryCodes(ctx context.Context, uid uuid.UUID, codes [][]byte) error
	// TurnOff takes app and recovery codes away, with the letter of that id, and says whether there were any.
	TurnOff(ctx context.Context, uid, notice uuid.UUID) (bool, error)
	// AuthenticatorsAfter are the apps of the members after that one, in the order of their uids, as many at most.
	AuthenticatorsAfter(ctx context.Context, uid uuid.UUID, most int) ([]Authenticator, error)
	// Reseal keeps the secret of an app in another seal, unless the app was changed meanwhile.
	Reseal(ctx context.Context, a Authenticator, fresh []byte) error
}
