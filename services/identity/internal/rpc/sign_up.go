package rpc

import (
	"context"

	identityv1 "serein.app/proto/gen/serein/identity/v1"
	"serein.app/services/identity/internal/account"
)

// SignUp creates an unconfirmed account. Every account needs its code, so user_confirmed is false.
func (h *SignUpHandler) SignUp(ctx context.Context, req *identityv1.SignUpRequest) (*identityv1.SignUpResponse, error) {
	_, err := h.accounts.SignUp(ctx, account.SignUp{
		Username: req.GetUsername(), Email: req.GetEmail(), GivenName: req.GetGivenName(), FamilyName: req.GetFamilyName(),
		Password: req.GetPassword(), AgeConfirmed: req.GetAgeConfirmed(), TermsVersion: req.GetTermsVersion(),
	})
	if err != nil {
		return nil, err
	}
	return &identityv1.SignUpResponse{}, nil
}

// ConfirmSignUp ends the sign-up with the mailed code.
func (h *SignUpHandler) ConfirmSignUp(ctx context.Context, req *identityv1.ConfirmSignUpRequest) (*identityv1.ConfirmSignUpResponse, error) {
	if err := h.accounts.Confirm(ctx, req.GetUsername(), req.GetCode()); err != nil {
		return nil, err
	}
	return &identityv1.ConfirmSignUpResponse{}, nil
}

// ResendConfirmationCode replaces the code; unknown usernames get the same answer.
func (h *SignUpHandler) ResendConfirmationCode(ctx context.Context, req *identityv1.ResendConfirmationCodeRequest) (*identityv1.ResendConfirmationCodeResponse, error) {
	if err := h.accounts.Resend(ctx, req.GetUsername()); err != nil {
		return nil, err
	}
	return &identityv1.ResendConfirmationCodeResponse{}, nil
}
