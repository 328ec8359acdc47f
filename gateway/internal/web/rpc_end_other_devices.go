package web

import (
	"context"

	identityv1 "serein.app/proto/gen/serein/identity/v1"
	webv1 "serein.app/proto/gen/serein/web/v1"
)

// EndOtherDevices signs the member out everywhere but here.
func (s *Screens) EndOtherDevices(ctx context.Context, _ *webv1.EndOtherDevicesRequest) (*webv1.EndOtherDevicesResponse, error) {
	sid, err := s.sid(ctx)
	if err != nil {
		return nil, err
	}
	res, err := s.Clients.Devices.EndOtherDevices(ctx, &identityv1.EndOtherDevicesRequest{Sid: sid})
	if err != nil {
		return nil, err
	}
	return &webv1.EndOtherDevicesResponse{Devices: s.devices(res.GetDevices())}, nil
}
