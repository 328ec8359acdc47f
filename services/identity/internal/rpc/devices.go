package rpc

import (
	"context"

	"github.com/google/uuid"
	"google.golang.org/protobuf/types/known/timestamppb"

	identityv1 "serein.app/proto/gen/serein/identity/v1"
	"serein.app/proto/gen/serein/identity/v1/identityv1connect"
	"serein.app/services/identity/internal/account"
	"serein.app/services/identity/internal/device"
	"serein.app/services/identity/internal/oidcop"
	"serein.app/services/platform/auth"
)

// Devices knows where members are signed in; the provider does.
type Devices interface {
	Devices(ctx context.Context, uid, current uuid.UUID) ([]oidcop.Session, error)
	EndDevice(ctx context.Context, uid, sid uuid.UUID) error
	EndOtherDevices(ctx context.Context, uid, keep uuid.UUID) error
}

// DeviceHandler implements serein.identity.v1.DeviceService.
type DeviceHandler struct{ devices Devices }

var _ identityv1connect.DeviceServiceHandler = (*DeviceHandler)(nil)

// NewDevice is the handler of signed-in devices.
func NewDevice(devices Devices) *DeviceHandler { return &DeviceHandler{devices: devices} }

// member is the caller. Errors: account.ErrUserNotFound.
func member(ctx context.Context) (uuid.UUID, error) {
	uid, err := uuid.Parse(auth.Member(ctx))
	if err != nil {
		return uuid.Nil, account.ErrUserNotFound.Because(err)
	}
	return uid, nil
}

// sessionNamed is the session of that name; nobody's where it is none.
func sessionNamed(sid string) uuid.UUID {
	id, _ := uuid.Parse(sid)
	return id
}

// list answers the caller's devices as they stand.
func (h *DeviceHandler) list(ctx context.Context, uid uuid.UUID, sid string) ([]*identityv1.Device, error) {
	current := sessionNamed(sid)
	found, err := h.devices.Devices(ctx, uid, current)
	if err != nil {
		return nil, err
	}
	out := make([]*identityv1.Device, len(found))
	for i, s := range found {
		out[i] = &identityv1.Device{
			Id: s.SID.String(), Kind: kinds[s.Device.Kind], Name: s.Device.Name, Place: s.Place,
			BeganAt: timestamppb.New(s.BeganAt), UsedAt: timestamppb.New(s.UsedAt), Current: s.SID == current,
		}
	}
	return out, nil
}

var kinds = map[device.Kind]identityv1.DeviceKind{
	device.Computer: identityv1.DeviceKind_DEVICE_KIND_COMPUTER, device.Phone: identityv1.DeviceKind_DEVICE_KIND_PHONE,
	device.Tablet: identityv1.DeviceKind_DEVICE_KIND_TABLET, device.Other: identityv1.DeviceKind_DEVICE_KIND_OTHER,
}
