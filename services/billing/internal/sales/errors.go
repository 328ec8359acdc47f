package sales

import (
	"errors"

	errorsv1 "serein.app/proto/gen/serein/errors/v1"
	"serein.app/services/platform/errs"
)

// The refusals.
var (
	ErrCheckoutEmpty = errs.New(errs.FailedPrecondition, errorsv1.Reason_REASON_CHECKOUT_EMPTY, "There is nothing to pay for.")
	ErrItemNotSold   = errs.New(errs.FailedPrecondition, errorsv1.Reason_REASON_ITEM_NOT_SOLD,
		"Something you chose isn’t available at the moment. Please check what you chose.")
	// ErrSizeNeeded: the product comes in sizes, and the request names none.
	ErrSizeNeeded = errs.New(errs.Invalid, errorsv1.Reason_REASON_INVALID_ARGUMENT,
		"Something you chose comes in sizes. Please choose one.").On("items")
	ErrItemSoldOut     = errs.New(errs.FailedPrecondition, errorsv1.Reason_REASON_ITEM_SOLD_OUT, "Something you chose has sold out.")
	ErrMembershipAlone = errs.New(errs.FailedPrecondition, errorsv1.Reason_REASON_MEMBERSHIP_ALONE, "A membership has to be bought on its own.")
	ErrMembershipHeld  = errs.New(errs.FailedPrecondition, errorsv1.Reason_REASON_MEMBERSHIP_CURRENT,
		"You already have a membership. You can change it on Memberships.")
	ErrTopUpNotAllowed = errs.New(errs.FailedPrecondition, errorsv1.Reason_REASON_TOP_UP_NOT_ALLOWED,
		"Extra credits are for members with a paid membership. Upgrade to top up.")
	ErrProviderAway = errs.New(errs.Unavailable, errorsv1.Reason_REASON_PAYMENT_PROVIDER_UNAVAILABLE,
		"We can’t reach the payment page at the moment. You haven’t been charged, and nothing is lost. Please try again in a moment.")
	// ErrJustPaid and ErrOtherCheckout: another tab has paid, or has begun a checkout.
	ErrJustPaid = errs.New(errs.Conflict, errorsv1.Reason_REASON_VERSION_MISMATCH,
		"You’ve just paid for this. Please check what you chose.")
	ErrOtherCheckout = errs.New(errs.Conflict, errorsv1.Reason_REASON_VERSION_MISMATCH,
		"You’ve started paying somewhere else. You haven’t been charged here. Please check what you chose.")
	// ErrOrderNotFound also answers for other members' orders, as if there were none.
	ErrOrderNotFound    = errs.New(errs.NotFound, errorsv1.Reason_REASON_ORDER_NOT_FOUND, "There is no such order.")
	ErrCustomerNotFound = errs.New(errs.NotFound, errorsv1.Reason_REASON_CUSTOMER_NOT_FOUND, "There’s no card to update, because nothing has been paid yet.")
	ErrWebhookInvalid   = errs.New(errs.Invalid, errorsv1.Reason_REASON_WEBHOOK_INVALID, "That is not a message of the payment provider.")
	ErrMemberDeparted   = errs.New(errs.Unauthenticated, errorsv1.Reason_REASON_UNAUTHENTICATED, "Please sign in.")
)

// errCheckoutOver: the key's order has run out of time before the provider's page was opened.
var errCheckoutOver = errors.New("the checkout of this key is over")

// ErrNotSent says that an order is not paid, or that nothing of it goes by post.
var ErrNotSent = errors.New("nothing of it is sent")

// Unavailable turns an ErrProviderUnavailable of a call into ErrProviderAway, the refusal that members get. It returns any other error
// unchanged.
func Unavailable(err error) error {
	if errors.Is(err, ErrProviderUnavailable) {
		return ErrProviderAway.Because(err)
	}
	return err
}
