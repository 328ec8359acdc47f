package cognito

import (
	"context"
	"errors"
	"strings"
)

type delivery struct {
	CodeDeliveryDetails codeDelivery
}

type codeDelivery struct {
	AttributeName, DeliveryMedium, Destination string
}

// details hides most of the address. A resend knows none and says nothing about it.
func details(email string) codeDelivery {
	d := codeDelivery{AttributeName: "email", DeliveryMedium: "EMAIL", Destination: "***"}
	local, domain, ok := strings.Cut(email, "@")
	if ok && local != "" && domain != "" {
		d.Destination = local[:1] + "***@" + domain[:1] + "***"
	}
	return d
}

// confirmSignUp ends a sign-up with its code.
func (h *Handler) confirmSignUp(ctx context.Context, c *call) (any, error) {
	if err := errors.Join(need("Username", c.Username), need("ConfirmationCode", c.ConfirmationCode)); err != nil {
		return nil, err
	}
	return struct{}{}, h.cfg.Registry.Confirm(ctx, c.address, c.Username, c.ConfirmationCode)
}

// resendConfirmationCode mails another code for an account that waits for its confirmation.
func (h *Handler) resendConfirmationCode(ctx context.Context, c *call) (any, error) {
	if err := need("Username", c.Username); err != nil {
		return nil, err
	}
	return delivery{details("")}, h.cfg.Registry.Resend(ctx, c.address, c.Username)
}

// forgotPassword mails a code for another password; names and addresses that have no account answer alike.
func (h *Handler) forgotPassword(ctx context.Context, c *call) (any, error) {
	if err := need("Username", c.Username); err != nil {
		return nil, err
	}
	return delivery{details("")}, h.cfg.Registry.ForgotPassword(ctx, c.address, c.Username)
}

// confirmForgotPassword sets another password with its code.
func (h *Handler) confirmForgotPassword(ctx context.Context, c *call) (any, error) {
	err := errors.Join(need("Username", c.Username), need("ConfirmationCode", c.ConfirmationCode), need("Password", c.Password))
	if err != nil {
		return nil, err
	}
	return struct{}{}, h.cfg.Registry.ConfirmForgotPassword(ctx, c.address, c.Username, c.ConfirmationCode, c.Password)
}
