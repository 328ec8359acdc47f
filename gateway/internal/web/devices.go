package web

import (
	"slices"

	"google.golang.org/protobuf/types/known/timestamppb"

	identityv1 "serein.app/proto/gen/serein/identity/v1"
	webv1 "serein.app/proto/gen/serein/web/v1"
)

var deviceKinds = map[identityv1.DeviceKind]webv1.DeviceKind{
	identityv1.DeviceKind_DEVICE_KIND_COMPUTER: webv1.DeviceKind_DEVICE_KIND_COMPUTER,
	identityv1.DeviceKind_DEVICE_KIND_PHONE:    webv1.DeviceKind_DEVICE_KIND_PHONE,
	identityv1.DeviceKind_DEVICE_KIND_TABLET:   webv1.DeviceKind_DEVICE_KIND_TABLET,
	identityv1.DeviceKind_DEVICE_KIND_OTHER:    webv1.DeviceKind_DEVICE_KIND_OTHER,
}

// devices are shown with this one first, which is used now; a kind of a later release is shown as another one.
func (s *Screens) devices(from []*identityv1.Device) []*webv1.Device {
	out := make([]*webv1.Device, 0, len(from))
	for _, d := range from {
		shown := &webv1.Device{
			Id: d.GetId(), Kind: deviceKinds[d.GetKind()], Name: d.GetName(), Place: d.GetPlace(),
			BeganAt: d.GetBeganAt(), UsedAt: d.GetUsedAt(), Current: d.GetCurrent(),
		}
		if shown.GetKind() == webv1.DeviceKind_DEVICE_KIND_UNSPECIFIED {
			shown.Kind = webv1.DeviceKind_DEVICE_KIND_OTHER
		}
		if !shown.GetCurrent() {
			out = append(out, shown)
			continue
		}
		shown.UsedAt = timestamppb.New(s.Now())
		out = slices.Insert(out, 0, shown)
	}
	return out
}
