package upstream

import (
	"context"

	billingv1 "serein.app/proto/gen/serein/billing/v1"
	errorsv1 "serein.app/proto/gen/serein/errors/v1"
	"serein.app/services/platform/errs"
)

// errPageLate: nobody can pay on a page that opens too late, since nobody was led there.
var errPageLate = errs.New(errs.DeadlineExceeded, errorsv1.Reason_REASON_DEADLINE_EXCEEDED,
	"The payment page did not open in time. Nothing has been charged. Please try again in a moment.")

// StartCheckout has billing open the payment provider's page, for screens and REST. Errors: billing's, with what stands where the page
// did not open in time.
func (c *Clients) StartCheckout(ctx context.Context, req *billingv1.StartCheckoutRequest) (*billingv1.StartCheckoutResponse, error) {
	res, err := c.Checkouts.StartCheckout(ctx, req)
	if errs.KindOf(err) == errs.DeadlineExceeded {
		return nil, errPageLate.Because(err)
	}
	return res, err
}
