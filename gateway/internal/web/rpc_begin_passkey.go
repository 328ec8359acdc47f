package web

import (
	"context"

	identityv1 "serein.app/proto/gen/serein/identity/v1"
	webv1 "serein.app/proto/gen/serein/web/v1"
)

// BeginPasskey answers what the browser needs to make a passkey.
func (s *Screens) BeginPasskey(ctx context.Context, req *webv1.BeginPasskeyRequest) (*webv1.BeginPasskeyResponse, error) {
	sid, err := s.sid(ctx)
	if err != nil {
		return nil, err
	}
	res, err := s.Clients.Passkeys.BeginPasskey(ctx, &identityv1.BeginPasskeyRequest{PresentPassword: req.GetPresentPassword(), Sid: sid})
	if err != nil {
		return nil, err
	}
	return &webv1.BeginPasskeyResponse{Ceremony: res.GetCeremony(), Options: res.GetOptions()}, nil
}
