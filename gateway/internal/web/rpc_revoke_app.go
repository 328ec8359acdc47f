package web

import (
	"context"

	identityv1 "serein.app/proto/gen/serein/identity/v1"
	webv1 "serein.app/proto/gen/serein/web/v1"
)

// RevokeApp takes back what an app may do for the member.
func (s *Screens) RevokeApp(ctx context.Context, req *webv1.RevokeAppRequest) (*webv1.RevokeAppResponse, error) {
	res, err := s.Clients.Apps.RevokeAppConsents(ctx, &identityv1.RevokeAppConsentsRequest{ClientId: req.GetClientId()})
	if err != nil {
		return nil, err
	}
	return &webv1.RevokeAppResponse{Apps: apps(res.GetConsents())}, nil
}
