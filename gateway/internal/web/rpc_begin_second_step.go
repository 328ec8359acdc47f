package web

import (
	"context"

	identityv1 "serein.app/proto/gen/serein/identity/v1"
	webv1 "serein.app/proto/gen/serein/web/v1"
)

// BeginSecondStep answers a fresh secret for the member's app.
func (s *Screens) BeginSecondStep(ctx context.Context, req *webv1.BeginSecondStepRequest) (*webv1.BeginSecondStepResponse, error) {
	sid, err := s.sid(ctx)
	if err != nil {
		return nil, err
	}
	res, err := s.Clients.SecondStep.BeginSecondStep(ctx, &identityv1.BeginSecondStepRequest{PresentPassword: req.GetPresentPassword(), Sid: sid})
	if err != nil {
		return nil, err
	}
	return &webv1.BeginSecondStepResponse{Ceremony: res.GetCeremony(), Secret: res.GetSecret(), Address: res.GetAddress()}, nil
}
