package web

import (
	"context"

	identityv1 "serein.app/proto/gen/serein/identity/v1"
	webv1 "serein.app/proto/gen/serein/web/v1"
)

// ConfirmAddressChange gives the member the address whose codes they have.
func (s *Screens) ConfirmAddressChange(ctx context.Context, req *webv1.ConfirmAddressChangeRequest) (*webv1.ConfirmAddressChangeResponse, error) {
	res, err := s.Clients.Credentials.ConfirmAddressChange(ctx, &identityv1.ConfirmAddressChangeRequest{
		PresentCode: req.GetPresentCode(), NewCode: req.GetNewCode(),
	})
	if err != nil {
		return nil, err
	}
	s.follow(ctx)
	return &webv1.ConfirmAddressChangeResponse{Credentials: credentials(res.GetAccount())}, nil
}
