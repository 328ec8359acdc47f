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
		Password: req.GetPassword(), AgeConfirmed: req.GetAgeConfirmed(), TermsVersion: req.GetTermsVersion(), Address: req.GetAddress(),
	})
	if err != nil {
		return nil, err
	}
	return &identityv1.SignUpResponse{}, nil
}
