package web

import (
	"context"

	identityv1 "serein.app/proto/gen/serein/identity/v1"
	webv1 "serein.app/proto/gen/serein/web/v1"
)

// NewRecoveryCodes replaces the member's recovery codes.
func (s *Screens) NewRecoveryCodes(ctx context.Context, req *webv1.NewRecoveryCodesRequest) (*webv1.NewRecoveryCodesResponse, error) {
	sid, err := s.sid(ctx)
	if err != nil {
		return nil, err
	}
	res, err := s.Clients.SecondStep.NewRecoveryCodes(ctx, &identityv1.NewRecoveryCodesRequest{PresentPassword: req.GetPresentPassword(), Sid: sid})
	if err != nil {
		return nil, err
	}
	return &webv1.NewRecoveryCodesResponse{RecoveryCodes: res.GetRecoveryCodes(), SecondStep: secondStep(res.GetSecondStep())}, nil
}
