package browser

import (
	"github.com/chromedp/cdproto/webauthn"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
)

// Authenticator gives the tab's person a device that keeps passkeys, and says to each question that they were there and are the one.
func (tab *Tab) Authenticator() {
	tab.t.Helper()
	_, err := chromedp.Call(tab.ctx, webauthn.Enable, webauthn.EnableParams{})
	require.NoError(tab.t, err)
	_, err = chromedp.Call(tab.ctx, webauthn.AddVirtualAuthenticator, webauthn.AddVirtualAuthenticatorParams{Options: &webauthn.VirtualAuthenticatorOptions{
		Protocol: webauthn.AuthenticatorProtocolCtap2, Transport: webauthn.AuthenticatorTransportInternal, HasResidentKey: true, HasUserVerification: true,
		IsUserVerified: true, AutomaticPresenceSimulation: true,
	}})
	require.NoError(tab.t, err)
}
