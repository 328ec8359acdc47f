package stripe

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"

	"github.com/stripe/stripe-go/v85"

	"serein.app/services/billing/internal/sales"
	"serein.app/services/billing/internal/subscriptions"
)

// fault turns an error of the library into one of the port. Of the provider's words only codes are kept: its messages repeat
// what was sent.
func fault(doing string, err error) error {
	if err == nil {
		return nil
	}
	told := new(stripe.Error)
	if !errors.As(err, &told) {
		// Not an answer of the API: the connection, the deadline, or a body that is no JSON, as a proxy on the way sends.
		return fmt.Errorf("%s: %w: %w", doing, sales.ErrProviderUnavailable, withoutAddress(err))
	}
	if kind := kindOf(told); kind != nil {
		return fmt.Errorf("%s: %w: %w", doing, kind, said(told))
	}
	return fmt.Errorf("%s: %w", doing, said(told))
}

// chargeFault is fault of what charges a card: a card that was refused is no fault of the request.
func chargeFault(doing string, err error) error {
	if told := new(stripe.Error); errors.As(err, &told) && told.Type == stripe.ErrorTypeCard {
		return fmt.Errorf("%s: %w: %w", doing, subscriptions.ErrDeclined, said(told))
	}
	return fault(doing, err)
}

// said is what is kept of the provider's words.
func said(told *stripe.Error) error {
	return fmt.Errorf("%d %s %s %s %s", told.HTTPStatusCode, told.Type, told.Code, told.Param, told.RequestID)
}

// kindOf is nil for what asking again does not mend and nobody refused for good, such as a key that is not ours.
func kindOf(told *stripe.Error) error {
	switch status := told.HTTPStatusCode; {
	case status >= http.StatusInternalServerError, told.Type == stripe.ErrorTypeIdempotency:
		// A key that was used with other parameters, since a setting or a name has changed between two tries, answers nothing else for its day.
		return sales.ErrProviderFault
	case status == http.StatusConflict, status == http.StatusTooManyRequests:
		return sales.ErrProviderUnavailable
	case status == http.StatusNotFound:
		return sales.ErrNotFound
	case status == http.StatusBadRequest && told.Code == stripe.ErrorCodeResourceMissing && told.Param == "customer":
		return sales.ErrNoCustomer
	case status == http.StatusBadRequest, status == http.StatusPaymentRequired:
		return sales.ErrRefused
	}
	return nil
}

// withoutAddress keeps the cause of a failed connection: the address holds what was searched for.
func withoutAddress(err error) error {
	if failed := new(url.Error); errors.As(err, &failed) {
		return failed.Err
	}
	return errors.New("the answer is not the API's")
}
