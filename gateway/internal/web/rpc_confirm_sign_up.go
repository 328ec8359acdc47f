package web

import (
	"context"

	identityv1 "serein.app/proto/gen/serein/identity/v1"
	webv1 "serein.app/proto/gen/serein/web/v1"
	"serein.app/services/platform/guard"
)

// ConfirmSignUp ends the sign-up with the mailed code.
func (s *Screens) ConfirmSignUp(ctx context.Context, req *webv1.ConfirmSignUpRequest) (*webv1.ConfirmSignUpResponse, error) {
	_, err := s.Clients.SignUp.ConfirmSignUp(ctx, &identityv1.ConfirmSignUpRequest{
		Username: req.GetUsername(), Code: req.GetCode(), Address: guard.Address(ctx),
	})
	if err != nil {
		return nil, err
	}
	return &webv1.ConfirmSignUpResponse{}, nil
}
