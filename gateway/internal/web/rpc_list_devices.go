package web

import (
	"context"

	identityv1 "serein.app/proto/gen/serein/identity/v1"
	webv1 "serein.app/proto/gen/serein/web/v1"
)

// ListDevices answers where the member is signed in.
func (s *Screens) ListDevices(ctx context.Context, _ *webv1.ListDevicesRequest) (*webv1.ListDevicesResponse, error) {
	sid, err := s.sid(ctx)
	if err != nil {
		return nil, err
	}
	res, err := s.Clients.Devices.ListDevices(ctx, &identityv1.ListDevicesRequest{Sid: sid})
	if err != nil {
		return nil, err
	}
	return &webv1.ListDevicesResponse{Devices: s.devices(res.GetDevices())}, nil
}
