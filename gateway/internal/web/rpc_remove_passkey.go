package web

import (
	"context"

	identityv1 "serein.app/proto/gen/serein/identity/v1"
	webv1 "serein.app/proto/gen/serein/web/v1"
)

// RemovePasskey takes one of the member's passkeys away.
func (s *Screens) RemovePasskey(ctx context.Context, req *webv1.RemovePasskeyRequest) (*webv1.RemovePasskeyResponse, error) {
	sid, err := s.sid(ctx)
	if err != nil {
		return nil, err
	}
	res, err := s.Clients.Passkeys.RemovePasskey(ctx, &identityv1.RemovePasskeyRequest{
		Id: req.GetId(), PresentPassword: req.GetPresentPassword(), Sid: sid,
	})
	if err != nil {
		return nil, err
	}
	return &webv1.RemovePasskeyResponse{Passkeys: each(res.GetPasskeys(), passkey)}, nil
}
