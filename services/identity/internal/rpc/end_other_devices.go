package rpc

import (
	"context"

	identityv1 "serein.app/proto/gen/serein/identity/v1"
)

// EndOtherDevices signs the caller out with all devices but theirs.
func (h *DeviceHandler) EndOtherDevices(ctx context.Context, req *identityv1.EndOtherDevicesRequest) (*identityv1.EndOtherDevicesResponse, error) {
	uid, err := member(ctx)
	if err != nil {
		return nil, err
	}
	if err := h.devices.EndOtherDevices(ctx, uid, sessionNamed(req.GetSid())); err != nil {
		return nil, err
	}
	devices, err := h.list(ctx, uid, req.GetSid())
	if err != nil {
		return nil, err
	}
	return &identityv1.EndOtherDevicesResponse{Devices: devices}, nil
}
