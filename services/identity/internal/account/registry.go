package account

import "context"

// Registry is where people sign up: with us, or with an external pool that members sign in at.
type Registry interface {
	// SignUp, Confirm, Resend, ForgotPassword and ConfirmForgotPassword are as Service describes them. Further errors of a pool:
	// ErrAliasExists, ErrUserNotFound, ErrNotConfirmed, ErrPasswordReset, and that it is away.
	SignUp(ctx context.Context, in SignUp) (SignedUp, error)
	Confirm(ctx context.Context, address, username, code string) error
	Resend(ctx context.Context, address, username string) error
	ForgotPassword(ctx context.Context, address, login string) error
	ConfirmForgotPassword(ctx context.Context, address, login, code, password string) error
}

// SignedUp is an account that was just made.
type SignedUp struct {
	// Subject is what the account will be known by.
	Subject string
	// Confirmed: it waits for no code. Ours always do.
	Confirmed bool
	// HeldBack: no letter is on its way, since the mailbox has had its letters for now.
	HeldBack bool
	// Proof is for the browser that signed up; see SignedUpHere. Empty for an external pool's.
	Proof string
}

// Own is the registry of our own accounts.
type Own struct{ *Service }

var _ Registry = Own{}
