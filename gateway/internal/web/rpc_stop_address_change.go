package web

import (
	"context"

	identityv1 "serein.app/proto/gen/serein/identity/v1"
	webv1 "serein.app/proto/gen/serein/web/v1"
)

// StopAddressChange ends a change that waits.
func (s *Screens) StopAddressChange(ctx context.Context, _ *webv1.StopAddressChangeRequest) (*webv1.StopAddressChangeResponse, error) {
	res, err := s.Clients.Credentials.StopAddressChange(ctx, &identityv1.StopAddressChangeRequest{})
	if err != nil {
		return nil, err
	}
	return &webv1.StopAddressChangeResponse{Credentials: credentials(res.GetAccount())}, nil
}
