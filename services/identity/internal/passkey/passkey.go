// Package passkey is signing in without a password: WebAuthn credentials that a member's device keeps (discoverable, with the person
// verified by it). The protocol is go-webauthn's; here stand the rules around it.
//
// It owns who may have how many, what a ceremony is bound to, and what a used one is worth. It refuses a challenge that was used, is
// older than ChallengeLife, or was given to another request or session; a passkey made for another site or origin; one whose device
// does not say that it has verified the person; and one whose counter says that there are two of it. It holds no SQL, no RPC and no HTTP.
package passkey

import (
	"context"
	"time"

	"github.com/google/uuid"

	errorsv1 "serein.app/proto/gen/serein/errors/v1"
	"serein.app/services/platform/errs"
)

const (
	// Most is how many passkeys a member may have.
	Most = 10
	// ChallengeLife is how long a ceremony may take.
	ChallengeLife = 5 * time.Minute
	// nameMax bounds a passkey's name, in characters.
	nameMax = 64
)

// The refusals.
var (
	// ErrRefused answers every fault of a passkey alike; its cause, which the log has, names the fault.
	ErrRefused = errs.New(errs.Invalid, errorsv1.Reason_REASON_PASSKEY_REFUSED, "That passkey didn’t work. Please try again.")
	ErrFull    = errs.New(errs.FailedPrecondition, errorsv1.Reason_REASON_PASSKEYS_FULL, "You have ten passkeys, which is the most you can have. Please remove one first.")
	// ErrOff is of an installation whose pages have no domain in common, or none at all.
	ErrOff  = errs.New(errs.Unavailable, errorsv1.Reason_REASON_UNAVAILABLE, "Passkeys aren’t available here.")
	errName = errs.New(errs.Invalid, errorsv1.Reason_REASON_INVALID_PARAMETER, "Please choose a name of 64 characters or fewer.").On("name")
	// ErrNotFound is what a Store answers.
	ErrNotFound = errs.New(errs.NotFound, errorsv1.Reason_REASON_NOT_FOUND, "There is no such passkey.")
)

// Passkey is a credential of a member.
type Passkey struct {
	ID, UID uuid.UUID
	// CredentialID is its name at the device, PublicKey in COSE form. Neither is a secret.
	CredentialID, PublicKey []byte
	// SignCount is what its device counted at the last use; zero for devices that count none.
	SignCount uint32
	// BackupEligible: the device may copy it to the person's others; it never changes. BackedUp: it has.
	BackupEligible, BackedUp bool
	// Transports are how browsers reach its device.
	Transports []string
	Name       string
	AddedAt    time.Time
	// UsedAt is nil until it has let somebody in.
	UsedAt *time.Time
}

// Challenge is one that is answered, by its hash; it counts once.
type Challenge struct {
	Hash      []byte
	ExpiresAt time.Time
}

// Store keeps passkeys. Every method is one transaction.
type Store interface {
	// Passkeys of a member, the newest first.
	Passkeys(ctx context.Context, uid uuid.UUID) ([]Passkey, error)
	// PasskeyByCredential finds whose it is. Errors: ErrNotFound.
	PasskeyByCredential(ctx context.Context, credentialID []byte) (Passkey, error)
	// AddPasskey uses the challenge up and adds the passkey, with the letter of that id. Errors: ErrRefused for a challenge or a credential
	// that is there already, ErrFull.
	AddPasskey(ctx context.Context, p Passkey, most int, c Challenge, notice uuid.UUID) error
	// UsePasskey uses the challenge up and writes the count down. Errors: ErrRefused for a challenge that was used, and where the count is not
	// any more what it was.
	UsePasskey(ctx context.Context, p Passkey, count uint32, backedUp bool, c Challenge, now time.Time) error
	// RemovePasskey removes a member's own, with the letter of that id, and says whether there was one.
	RemovePasskey(ctx context.Context, uid, id, notice uuid.UUID) (bool, error)
}
