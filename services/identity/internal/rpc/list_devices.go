package rpc

import (
	"context"

	identityv1 "serein.app/proto/gen/serein/identity/v1"
)

// ListDevices answers where the caller is signed in.
func (h *DeviceHandler) ListDevices(ctx context.Context, req *identityv1.ListDevicesRequest) (*identityv1.ListDevicesResponse, error) {
	uid, err := member(ctx)
	if err != nil {
		return nil, err
	}
	devices, err := h.list(ctx, uid, req.GetSid())
	if err != nil {
		return nil, err
	}
	return &identityv1.ListDevicesResponse{Devices: devices}, nil
}
