//go:build full

package flows

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/deploy/e2e/browser"
	"serein.app/deploy/e2e/suite"
)

// A device has the place that its browser tells with the sign-in: the city of its time zone.
func TestADeviceHasThePlaceThatItsBrowserTells(t *testing.T) {
	t.Parallel()
	m, err := product.NewMember(t.Context())
	require.NoError(t, err)
	tab := product.Newcomer(t, browser.Look{Width: 1440, Height: 900, Theme: "light", BlockPopups: true})
	tab.Click("link", "Sign in") // by hand, once the app has taken the page over: it adds the place
	suite.SignIn(tab, m)
	tab.See("link", "Amara")
	tab.Go("/members")
	_, city, _ := strings.Cut(browser.Zone, "/")
	tab.Text(strings.ReplaceAll(city, "_", " ") + ", now")
}
