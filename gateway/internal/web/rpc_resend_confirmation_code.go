package web

import (
	"context"

	identityv1 "serein.app/proto/gen/serein/identity/v1"
	webv1 "serein.app/proto/gen/serein/web/v1"
	"serein.app/services/platform/guard"
)

// ResendConfirmationCode replaces the code; the answer says nothing about who has an account.
func (s *Screens) ResendConfirmationCode(ctx context.Context, req *webv1.ResendConfirmationCodeRequest) (*webv1.ResendConfirmationCodeResponse, error) {
	_, err := s.Clients.SignUp.ResendConfirmationCode(ctx, &identityv1.ResendConfirmationCodeRequest{
		Username: req.GetUsername(), Address: guard.Address(ctx), Proof: proofOf(ctx, req.GetUsername()),
	})
	if err != nil {
		return nil, err
	}
	return &webv1.ResendConfirmationCodeResponse{}, nil
}
