package web

import (
	"context"

	identityv1 "serein.app/proto/gen/serein/identity/v1"
	webv1 "serein.app/proto/gen/serein/web/v1"
)

// BeginAddressChange sends the codes of another address.
func (s *Screens) BeginAddressChange(ctx context.Context, req *webv1.BeginAddressChangeRequest) (*webv1.BeginAddressChangeResponse, error) {
	sid, err := s.sid(ctx)
	if err != nil {
		return nil, err
	}
	res, err := s.Clients.Credentials.BeginAddressChange(ctx, &identityv1.BeginAddressChangeRequest{
		PresentPassword: req.GetPresentPassword(), Email: req.GetEmail(), Sid: sid,
	})
	if err != nil {
		return nil, err
	}
	return &webv1.BeginAddressChangeResponse{Credentials: credentials(res.GetAccount())}, nil
}
