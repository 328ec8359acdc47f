// Package operators is what admins do to a member's credits and plan: it says what is refused, and what is kept of each act. Who an
// admin is, the signed proof of the caller says.
package operators

import (
	"errors"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/google/uuid"

	errorsv1 "serein.app/proto/gen/serein/errors/v1"
	"serein.app/services/platform/errs"
)

// The refusals.
var (
	ErrGodControlsOff = errs.New(errs.FailedPrecondition, errorsv1.Reason_REASON_GOD_CONTROLS_OFF, "That is switched off here.")
	ErrNoSubscription = errs.New(errs.NotFound, errorsv1.Reason_REASON_SUBSCRIPTION_NOT_FOUND, "There is no plan to end.")
	// ErrNoMember: there is nobody of that uid, or not any more.
	ErrNoMember = errs.New(errs.Invalid, errorsv1.Reason_REASON_INVALID_ARGUMENT, "There is no such member.").On("uid")
)

// Back is how much earlier an ended plan begins than it did: longer than any month, so that whatever counts in periods sees it past.
const Back = 35 * 24 * time.Hour

// Kind is what was done.
type Kind string

// The kinds.
const (
	CorrectCredits  Kind = "correct_credits"
	ResetToTrial    Kind = "reset_to_trial"
	EndSubscription Kind = "end_subscription"
)

// Act is one thing that an admin does, once by its key.
type Act struct {
	Key, UID, Actor uuid.UUID
	Kind            Kind
	// Amount of credits, for a correction: below 0 they are taken.
	Amount int64
	// Reason is what the member reads in their ledger.
	Reason string
}

// minReason and maxReason bound the characters of a reason, as in the contract of OperatorService.
const minReason, maxReason = 3, 200

// ReadReason is a reason as billing stores it: without the space around it. An error says what it may not be.
func ReadReason(text string) (string, error) {
	reason := strings.TrimSpace(text)
	if n := utf8.RuneCountInString(reason); n < minReason || n > maxReason {
		return "", errors.New("the reason has 3 to 200 characters: the member reads it in their ledger")
	}
	if !utf8.ValidString(reason) || strings.ContainsFunc(reason, unicode.IsControl) {
		return "", errors.New("the reason has a character that cannot be shown")
	}
	return reason, nil
}

// Cause is the cause of what the act writes into the ledger, by which it leads to who did it.
func (a Act) Cause() string { return "operator:" + a.Key.String() }
