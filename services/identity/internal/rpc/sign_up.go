package rpc

import (
	"context"

	identityv1 "serein.app/proto/gen/serein/identity/v1"
	"serein.app/services/identity/internal/account"
)

// SignUp creates an account. Ours wait for their code, so user_confirmed is an external pool's alone.
func (h *SignUpHandler) SignUp(ctx context.Context, req *identityv1.SignUpRequest) (*identityv1.SignUpResponse, error) {
	up, err := h.registry.SignUp(ctx, account.SignUp{
		Username: req.GetUsername(), Email: req.GetEmail(), GivenName: req.GetGivenName(), FamilyName: req.GetFamilyName(),
		Password: req.GetPassword(), AgeConfirmed: req.GetAgeConfirmed(), TermsVersion: req.GetTermsVersion(), Address: req.GetAddress(),
		Invite: req.GetInvite(),
	})
	if err != nil {
		return nil, err
	}
	return &identityv1.SignUpResponse{UserConfirmed: up.Confirmed, CodeHeldBack: up.HeldBack, Proof: up.Proof}, nil
}
