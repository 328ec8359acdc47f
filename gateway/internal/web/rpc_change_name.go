package web

import (
	"context"

	identityv1 "serein.app/proto/gen/serein/identity/v1"
	webv1 "serein.app/proto/gen/serein/web/v1"
)

// ChangeName changes what the member is called.
func (s *Screens) ChangeName(ctx context.Context, req *webv1.ChangeNameRequest) (*webv1.ChangeNameResponse, error) {
	res, err := s.Clients.Credentials.ChangeName(ctx, &identityv1.ChangeNameRequest{GivenName: req.GetGivenName(), FamilyName: req.GetFamilyName()})
	if err != nil {
		return nil, err
	}
	s.follow(ctx)
	return &webv1.ChangeNameResponse{Credentials: credentials(res.GetAccount())}, nil
}
