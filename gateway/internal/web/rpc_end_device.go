package web

import (
	"context"

	identityv1 "serein.app/proto/gen/serein/identity/v1"
	webv1 "serein.app/proto/gen/serein/web/v1"
	"serein.app/services/platform/rpc"
)

// errThisDevice: this device's session ends with SignOut, which takes the cookies from the browser as well.
var errThisDevice = func() error {
	e := rpc.ErrInvalid.On("id")
	e.Public = "That’s the device you’re using. To sign out here, choose Sign out."
	return e
}()

// EndDevice signs the member out with another device: its session at the provider ends, and what came of it here as the provider tells of
// that. Errors: INVALID_ARGUMENT for this device.
func (s *Screens) EndDevice(ctx context.Context, req *webv1.EndDeviceRequest) (*webv1.EndDeviceResponse, error) {
	sid, err := s.sid(ctx)
	if err != nil {
		return nil, err
	}
	if req.GetId() == sid {
		return nil, errThisDevice
	}
	res, err := s.Clients.Devices.EndDevice(ctx, &identityv1.EndDeviceRequest{Id: req.GetId(), Sid: sid})
	if err != nil {
		return nil, err
	}
	return &webv1.EndDeviceResponse{Devices: s.devices(res.GetDevices())}, nil
}
