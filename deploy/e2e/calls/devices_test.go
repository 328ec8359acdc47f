package calls

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/deploy/e2e/harness"
	webv1 "serein.app/proto/gen/serein/web/v1"
)

// A member gets a letter about a sign-in on another device, and signs that device out from here. Every part of the product refuses the
// device at once.
func TestAMemberGetsALetterAboutANewDeviceAndSignsItOut(t *testing.T) {
	t.Parallel()
	m, err := product.NewMember(t.Context())
	require.NoError(t, err)
	elsewhere := &harness.Member{Browser: product.NewBrowser(), Username: m.Username, Email: m.Email, Password: m.Password}
	require.NoError(t, elsewhere.SignIn(t.Context()))
	product.RequireLetter(t, m, "A new device has signed in")

	listed, err := m.Devices.ListDevices(t.Context(), &webv1.ListDevicesRequest{})
	require.NoError(t, err)
	require.Len(t, listed.GetDevices(), 2)
	here, there := listed.GetDevices()[0], listed.GetDevices()[1]
	require.True(t, here.GetCurrent())
	require.False(t, there.GetCurrent())
	left, err := m.Devices.EndDevice(t.Context(), &webv1.EndDeviceRequest{Id: there.GetId()})
	require.NoError(t, err)
	require.Len(t, left.GetDevices(), 1)
	require.NoError(t, harness.Eventually(t.Context(), "the other device is a visitor", func(ctx context.Context) (bool, error) {
		session, err := elsewhere.Session.GetSession(ctx, &webv1.GetSessionRequest{})
		return session.GetMember() == nil, err
	}))
	page, err := elsewhere.Get(t.Context(), "/auth/sign-in?return_to=/journey")
	require.NoError(t, err)
	require.Equal(t, "/sign-in", page.Request.URL.Path, "nor does the provider know it any more")
	session, err := m.Session.GetSession(t.Context(), &webv1.GetSessionRequest{})
	require.NoError(t, err)
	require.Equal(t, m.UID, session.GetMember().GetUid(), "and this one stays")
}
