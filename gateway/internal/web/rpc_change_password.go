package web

import (
	"context"

	identityv1 "serein.app/proto/gen/serein/identity/v1"
	webv1 "serein.app/proto/gen/serein/web/v1"
)

// ChangePassword sets another password, and keeps this session alone.
func (s *Screens) ChangePassword(ctx context.Context, req *webv1.ChangePasswordRequest) (*webv1.ChangePasswordResponse, error) {
	sid, err := s.sid(ctx)
	if err != nil {
		return nil, err
	}
	_, err = s.Clients.Credentials.ChangePassword(ctx, &identityv1.ChangePasswordRequest{
		PresentPassword: req.GetPresentPassword(), Password: req.GetPassword(), Sid: sid,
	})
	if err != nil {
		return nil, err
	}
	return &webv1.ChangePasswordResponse{}, nil
}
