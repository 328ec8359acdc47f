package web

import (
	"context"

	identityv1 "serein.app/proto/gen/serein/identity/v1"
	webv1 "serein.app/proto/gen/serein/web/v1"
)

// GetInvite says whether an invitation's code is good. Who asks while signed in is named, since their own code is not.
func (s *Screens) GetInvite(ctx context.Context, req *webv1.GetInviteRequest) (*webv1.GetInviteResponse, error) {
	if req.GetCode() == "" {
		return &webv1.GetInviteResponse{}, nil
	}
	res, err := s.Clients.Invites.GetInvite(ctx, &identityv1.GetInviteRequest{Code: req.GetCode()})
	if err != nil {
		return nil, err
	}
	return &webv1.GetInviteResponse{Known: res.GetKnown()}, nil
}
