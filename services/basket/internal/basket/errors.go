package basket

import (
	errorsv1 "serein.app/proto/gen/serein/errors/v1"
	"serein.app/services/platform/errs"
)

// The refusals.
var (
	ErrNotSold         = errs.New(errs.NotFound, errorsv1.Reason_REASON_ITEM_NOT_SOLD, "That isn’t sold at the moment.")
	ErrSoldOut         = errs.New(errs.FailedPrecondition, errorsv1.Reason_REASON_ITEM_SOLD_OUT, "That’s sold out at the moment.")
	ErrSizeRequired    = errs.New(errs.Invalid, errorsv1.Reason_REASON_SIZE_REQUIRED, "Please choose a size first.").On("size")
	ErrSizeUnknown     = errs.New(errs.Invalid, errorsv1.Reason_REASON_SIZE_UNKNOWN, "It doesn’t come in that size.").On("size")
	ErrFull            = errs.New(errs.Exhausted, errorsv1.Reason_REASON_BASKET_FULL, "Your basket is full. Please remove something first.")
	ErrLine            = errs.New(errs.NotFound, errorsv1.Reason_REASON_LINE_NOT_FOUND, "That is no longer in your basket.")
	ErrVersion         = errs.New(errs.Conflict, errorsv1.Reason_REASON_VERSION_MISMATCH, "Your basket has changed in the meantime. Please check it again.")
	ErrQuantityFixed   = errs.New(errs.FailedPrecondition, errorsv1.Reason_REASON_QUANTITY_FIXED, "That is bought one at a time.")
	ErrMembershipAlone = errs.New(errs.FailedPrecondition, errorsv1.Reason_REASON_MEMBERSHIP_ALONE,
		"A membership is bought on its own. This stays saved for later.")
	ErrMembershipInBasket = errs.New(errs.FailedPrecondition, errorsv1.Reason_REASON_MEMBERSHIP_IN_BASKET,
		"There is another membership in your basket. Please remove it first.")
	ErrNothingToUndo = errs.New(errs.FailedPrecondition, errorsv1.Reason_REASON_NOTHING_TO_UNDO, "There is nothing to undo.")
)
