package gateway

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/types/known/timestamppb"

	identityv1 "serein.app/proto/gen/serein/identity/v1"
	"serein.app/proto/gen/serein/identity/v1/identityv1connect"
	webv1 "serein.app/proto/gen/serein/web/v1"
	"serein.app/services/platform/auth"
	"serein.app/services/platform/rpc"
	"serein.app/services/testkit/issuer"
)

const (
	deviceCall = "/serein.web.v1.DeviceService/"
	appCall    = "/serein.web.v1.AppService/"
	thisDevice = "0193d0a4-0000-7000-8000-000000000001"
	lostDevice = "0193d0a4-0000-7000-8000-000000000002"
)

// deviceFake is identity's part that knows where members are signed in: everybody with a phone, which was lost, and with the session that asks;
// and what they have let apps do.
type deviceFake struct{ *services }

// devicePolicy is what identity lets the gateway ask beside the rest.
func devicePolicy(policy auth.Policy) auth.Policy {
	return forMembers(policy,
		identityv1connect.AppServiceListAppConsentsProcedure, identityv1connect.AppServiceRevokeAppConsentsProcedure, identityv1connect.DeviceServiceListDevicesProcedure, identityv1connect.DeviceServiceEndDeviceProcedure, identityv1connect.DeviceServiceEndOtherDevicesProcedure,
	)
}

func (f deviceFake) mount(mux *http.ServeMux, r *rpc.Server) {
	mux.Handle(identityv1connect.NewDeviceServiceHandler(f, r.Options()...))
	mux.Handle(identityv1connect.NewAppServiceHandler(f, r.Options()...))
}

func devicesBut(ended, sid string) []*identityv1.Device {
	all := []*identityv1.Device{
		{Id: lostDevice, Kind: identityv1.DeviceKind_DEVICE_KIND_PHONE, Name: "iPhone, Safari", Place: "London"},
		{Id: thisDevice, Name: "Something of a later release", Current: sid == thisDevice},
	}
	return slices.DeleteFunc(all, func(d *identityv1.Device) bool { return d.GetId() == ended })
}

func (f deviceFake) ListDevices(ctx context.Context, req *identityv1.ListDevicesRequest) (*identityv1.ListDevicesResponse, error) {
	return &identityv1.ListDevicesResponse{Devices: devicesBut("", req.GetSid())}, f.fault(ctx)
}

func (f deviceFake) ListAppConsents(ctx context.Context, _ *identityv1.ListAppConsentsRequest) (*identityv1.ListAppConsentsResponse, error) {
	return &identityv1.ListAppConsentsResponse{Consents: appConsents()}, f.fault(ctx)
}

func (f deviceFake) RevokeAppConsents(ctx context.Context, req *identityv1.RevokeAppConsentsRequest) (*identityv1.RevokeAppConsentsResponse, error) {
	revoked := &identityv1.AppConsent{ClientId: req.GetClientId(), Revoked: true}
	return &identityv1.RevokeAppConsentsResponse{Consents: append([]*identityv1.AppConsent{revoked}, appConsents()...)}, f.fault(ctx)
}

// appConsents are everybody's: an app that was let in twice, and one that was let in, shut out, and let in again to do less.
func appConsents() []*identityv1.AppConsent {
	return []*identityv1.AppConsent{
		{ClientId: "diary", Name: "Diary", Permissions: []string{"See your email address"}, GivenAt: &timestamppb.Timestamp{Seconds: 1764000500}},
		{ClientId: "diary", Name: "Diary", Revoked: true, GivenAt: &timestamppb.Timestamp{Seconds: 1764000400}},
		{ClientId: "companion", Name: "The <Companion>", Permissions: []string{"See your email address", "Read your profile"}, GivenAt: &timestamppb.Timestamp{Seconds: 1764000300}},
		{ClientId: "diary", Name: "Diary", Permissions: []string{"Change your profile"}, GivenAt: &timestamppb.Timestamp{Seconds: 1764000200}},
		{ClientId: "companion", Name: "The <Companion>", Scopes: []string{"openid", "serein.user.read"}, Permissions: []string{"Read your profile"}, GivenAt: &timestamppb.Timestamp{Seconds: 1764000000}},
	}
}

func (f deviceFake) EndDevice(ctx context.Context, req *identityv1.EndDeviceRequest) (*identityv1.EndDeviceResponse, error) {
	return &identityv1.EndDeviceResponse{Devices: devicesBut(req.GetId(), req.GetSid())}, f.fault(ctx)
}

func (f deviceFake) EndOtherDevices(ctx context.Context, req *identityv1.EndOtherDevicesRequest) (*identityv1.EndOtherDevicesResponse, error) {
	return &identityv1.EndOtherDevicesResponse{Devices: devicesBut(lostDevice, req.GetSid())}, f.fault(ctx)
}

func TestAMemberSeesTheirDevicesThisOneFirstAndSignsTheOthersOut(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	s.op.With(func(b *issuer.Behaviour) { b.Claims = map[string]any{"sid": thisDevice} })
	b := s.member(t)
	listed := new(webv1.ListDevicesResponse)
	require.NoError(t, protojson.Unmarshal([]byte(b.call(t, deviceCall+"ListDevices", "{}").body), listed))
	require.Len(t, listed.GetDevices(), 2)
	this, lost := listed.GetDevices()[0], listed.GetDevices()[1]
	require.Equal(t, []any{thisDevice, true, webv1.DeviceKind_DEVICE_KIND_OTHER}, []any{this.GetId(), this.GetCurrent(), this.GetKind()}, "a kind that is not known yet has a picture too")
	require.Equal(t, s.clock.Now().Unix(), this.GetUsedAt().AsTime().Unix())
	require.Equal(t, []any{lostDevice, false, webv1.DeviceKind_DEVICE_KIND_PHONE, "London"}, []any{lost.GetId(), lost.GetCurrent(), lost.GetKind(), lost.GetPlace()})

	require.Equal(t, "INVALID_ARGUMENT", b.call(t, deviceCall+"EndDevice", `{"id":"`+thisDevice+`"}`).reason(t), "here one signs out")
	require.Equal(t, "INVALID_ARGUMENT", b.call(t, deviceCall+"EndDevice", `{"id":"junk"}`).reason(t))
	for call, body := range map[string]string{"EndDevice": `{"id":"` + lostDevice + `"}`, "EndOtherDevices": "{}"} {
		left := b.call(t, deviceCall+call, body)
		require.Equal(t, http.StatusOK, left.StatusCode, left.body)
		require.Contains(t, left.body, thisDevice, call)
		require.NotContains(t, left.body, lostDevice, call)
	}
	require.Equal(t, http.StatusUnauthorized, s.gateways[0].browser(t).call(t, deviceCall+"ListDevices", "{}").StatusCode)
}

func TestAMemberSeesTheAppsThatMayActForThemAndTakesItBack(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	b := s.member(t)
	listed := new(webv1.ListAppsResponse)
	require.NoError(t, protojson.Unmarshal([]byte(b.call(t, appCall+"ListApps", "{}").body), listed))
	require.Len(t, listed.GetApps(), 2)
	diary, companion := listed.GetApps()[0], listed.GetApps()[1]
	require.Equal(t, []string{"See your email address"}, diary.GetPermissions(), "what was taken back is gone")
	require.EqualValues(t, 1764000500, diary.GetSince().GetSeconds())
	require.Equal(t, []string{"See your email address", "Read your profile"}, companion.GetPermissions(), "each once")
	require.EqualValues(t, 1764000000, companion.GetSince().GetSeconds())

	left := new(webv1.RevokeAppResponse)
	require.NoError(t, protojson.Unmarshal([]byte(b.call(t, appCall+"RevokeApp", `{"clientId":"companion"}`).body), left))
	require.Len(t, left.GetApps(), 1)
	require.Equal(t, "diary", left.GetApps()[0].GetClientId())
	require.Equal(t, "INVALID_ARGUMENT", b.call(t, appCall+"RevokeApp", "{}").reason(t))
	require.Equal(t, http.StatusUnauthorized, s.gateways[0].browser(t).call(t, appCall+"ListApps", "{}").StatusCode)
}

func TestTheProviderIsToldTheTimeZoneThatTheBrowserTold(t *testing.T) {
	t.Parallel()
	g := start(t, 1).gateways[0]
	for given, told := range map[string]string{
		"Europe/London": "Europe/London", "America/Port-au-Prince": "America/Port-au-Prince", "": "", "<script>": "", "Europe/London&state=x": "",
	} {
		begun := g.browser(t).get(t, "/auth/sign-in?"+url.Values{"time_zone": {given}}.Encode())
		at, err := url.Parse(begun.Header.Get("Location"))
		require.NoError(t, err)
		require.Equal(t, told, at.Query().Get("time_zone"), given)
	}
}
