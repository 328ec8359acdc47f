package subscriptions

import (
	"errors"

	errorsv1 "serein.app/proto/gen/serein/errors/v1"
	"serein.app/services/platform/errs"
)

// The refusals.
var (
	ErrNotFound = errs.New(errs.NotFound, errorsv1.Reason_REASON_SUBSCRIPTION_NOT_FOUND, "There is no membership that is paid every period.")
	// ErrCancelling, ErrUnpaid, ErrRenewing and ErrSpent say why a plan cannot be changed just now.
	ErrCancelling = errs.New(errs.FailedPrecondition, errorsv1.Reason_REASON_CHANGE_NOT_POSSIBLE,
		"Your membership is set to end. Please keep it first, then choose another plan.")
	ErrUnpaid = errs.New(errs.FailedPrecondition, errorsv1.Reason_REASON_CHANGE_NOT_POSSIBLE,
		"Your last payment did not go through. Please look at your card first, then choose another plan.")
	ErrRenewing = errs.New(errs.FailedPrecondition, errorsv1.Reason_REASON_CHANGE_NOT_POSSIBLE,
		"Your membership is being renewed just now. Please try again in an hour or so.")
	ErrSpent = errs.New(errs.FailedPrecondition, errorsv1.Reason_REASON_CHANGE_NOT_POSSIBLE,
		"You have used more credits than the other plan leaves you. You can change when your membership renews.")
	ErrNotPaid = errs.New(errs.FailedPrecondition, errorsv1.Reason_REASON_CHANGE_NOT_PAID,
		"Your card was not charged, so nothing has changed. Please look at your card and try again.")
	ErrQuoteChanged = errs.New(errs.Conflict, errorsv1.Reason_REASON_VERSION_MISMATCH,
		"What the change costs is another amount by now. Please look at it again.")
)

// ErrStale says that somebody has changed the membership since it was read. Whoever is told so reads it again.
var ErrStale = errors.New("the membership has changed meanwhile")
