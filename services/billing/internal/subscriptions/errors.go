package subscriptions

import (
	"errors"

	errorsv1 "serein.app/proto/gen/serein/errors/v1"
	"serein.app/services/platform/errs"
)

// The refusals.
var (
	ErrNotFound = errs.New(errs.NotFound, errorsv1.Reason_REASON_SUBSCRIPTION_NOT_FOUND, "You don’t have a membership that renews.")
	// ErrCancelling, ErrUnpaid, ErrRenewing and ErrSpent say why a plan cannot be changed just now.
	ErrCancelling = errs.New(errs.FailedPrecondition, errorsv1.Reason_REASON_CHANGE_NOT_POSSIBLE,
		"Your membership is set to end. Please keep it first, then choose another plan.")
	ErrUnpaid = errs.New(errs.FailedPrecondition, errorsv1.Reason_REASON_CHANGE_NOT_POSSIBLE,
		"Your last payment didn’t go through. Please update your card first, then choose another plan.")
	ErrRenewing = errs.New(errs.FailedPrecondition, errorsv1.Reason_REASON_CHANGE_NOT_POSSIBLE,
		"Your membership is being renewed at the moment. Please try again in an hour or so.")
	ErrSpent = errs.New(errs.FailedPrecondition, errorsv1.Reason_REASON_CHANGE_NOT_POSSIBLE,
		"You’ve used more credits than the other plan would leave you. You can change when your membership renews.")
	ErrNotPaid = errs.New(errs.FailedPrecondition, errorsv1.Reason_REASON_CHANGE_NOT_PAID,
		"Your card wasn’t charged, so nothing has changed. Please check your card and try again.")
	ErrQuoteChanged = errs.New(errs.Conflict, errorsv1.Reason_REASON_VERSION_MISMATCH,
		"The cost of the change is different now. Please check it again.")
)

// ErrStale says that another call has changed the membership since it was read. The caller reads it again.
var ErrStale = errors.New("the membership has changed meanwhile")
