package web

import (
	"context"

	identityv1 "serein.app/proto/gen/serein/identity/v1"
	webv1 "serein.app/proto/gen/serein/web/v1"
	"serein.app/services/platform/guard"
)

// SignUp creates an account. Errors: those of serein.identity.v1.SignUpService.SignUp;
// INVALID_ARGUMENT for a version of the terms that is not the current one; UNAVAILABLE while none is known.
func (s *Screens) SignUp(ctx context.Context, req *webv1.SignUpRequest) (*webv1.SignUpResponse, error) {
	texts, err := s.texts.agreedTo(ctx, req.GetTermsVersion(), "terms_version")
	if err != nil {
		return nil, err
	}
	res, err := s.Clients.SignUp.SignUp(ctx, &identityv1.SignUpRequest{
		Username: req.GetUsername(), Email: req.GetEmail(), GivenName: req.GetGivenName(),
		FamilyName: req.GetFamilyName(), Password: req.GetPassword(),
		AgeConfirmed: req.GetAgeConfirmed(), TermsVersion: texts.String(), Address: guard.Address(ctx), Invite: req.GetInvite(),
	})
	if err != nil {
		return nil, err
	}
	keepProof(ctx, req.GetUsername(), res.GetProof())
	return &webv1.SignUpResponse{UserConfirmed: res.GetUserConfirmed(), CodeHeldBack: res.GetCodeHeldBack()}, nil
}
