package rpc

import (
	"context"

	identityv1 "serein.app/proto/gen/serein/identity/v1"
)

// EndDevice signs the caller out with one device, if it is theirs.
func (h *DeviceHandler) EndDevice(ctx context.Context, req *identityv1.EndDeviceRequest) (*identityv1.EndDeviceResponse, error) {
	uid, err := member(ctx)
	if err != nil {
		return nil, err
	}
	if err := h.devices.EndDevice(ctx, uid, sessionNamed(req.GetId())); err != nil {
		return nil, err
	}
	devices, err := h.list(ctx, uid, req.GetSid())
	if err != nil {
		return nil, err
	}
	return &identityv1.EndDeviceResponse{Devices: devices}, nil
}
