package rpc

import (
	"context"

	identityv1 "serein.app/proto/gen/serein/identity/v1"
	"serein.app/services/identity/internal/oidcop"
)

// ConfirmSignUp ends the sign-up with the mailed code. Who gives it in the browser that signed up has tries of their own, and is
// signed in by it: password and code are proved in one browser.
func (h *SignUpHandler) ConfirmSignUp(ctx context.Context, req *identityv1.ConfirmSignUpRequest) (*identityv1.ConfirmSignUpResponse, error) {
	a, here, err := h.signedUpHere(ctx, req.GetUsername(), req.GetProof())
	if err != nil {
		return nil, err
	}
	if !here {
		if err := h.registry.Confirm(ctx, req.GetAddress(), req.GetUsername(), req.GetCode()); err != nil {
			return nil, err
		}
		return &identityv1.ConfirmSignUpResponse{}, nil
	}
	first, err := h.accounts.ConfirmProved(ctx, req.GetUsername(), req.GetCode())
	if err != nil {
		return nil, err
	}
	if !first || req.GetAuthorization() == "" { // once: an answer that was lost signs nobody in
		return &identityv1.ConfirmSignUpResponse{}, nil
	}
	return &identityv1.ConfirmSignUpResponse{AuthorizationCode: h.provider.SignInSignedUp(ctx, oidcop.SignedUp{
		UID: a.UID, PasswordChanges: a.PasswordChanges, Query: req.GetAuthorization(), UserAgent: req.GetUserAgent(), Address: req.GetAddress(),
	})}, nil
}
