package web

import (
	"context"

	identityv1 "serein.app/proto/gen/serein/identity/v1"
	webv1 "serein.app/proto/gen/serein/web/v1"
)

// termsVersion is the version of the terms that the sign-up panel links to. It changes with the
// page's text.
const termsVersion = "2026-11"

// SignUp creates an account. Errors: those of serein.identity.v1.SignUpService.SignUp.
func (s *Screens) SignUp(ctx context.Context, req *webv1.SignUpRequest) (*webv1.SignUpResponse, error) {
	res, err := s.Clients.SignUp.SignUp(ctx, &identityv1.SignUpRequest{
		Username: req.GetUsername(), Email: req.GetEmail(), GivenName: req.GetGivenName(),
		FamilyName: req.GetFamilyName(), Password: req.GetPassword(),
		AgeConfirmed: req.GetAgeConfirmed(), TermsVersion: termsVersion,
	})
	if err != nil {
		return nil, err
	}
	return &webv1.SignUpResponse{UserConfirmed: res.GetUserConfirmed()}, nil
}
