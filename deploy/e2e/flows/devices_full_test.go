//go:build full

package flows

import (
	"strings"
	"testing"

	"serein.app/deploy/e2e/browser"
)

// A device has the place that its browser tells with the sign-in: the city of its time zone.
func TestADeviceHasThePlaceThatItsBrowserTells(t *testing.T) {
	t.Parallel()
	tab, _ := product.SignedIn(t, browser.Desk)
	tab.Go("/members")
	_, city, _ := strings.Cut(browser.Zone, "/")
	tab.Text(strings.ReplaceAll(city, "_", " ") + ", now")
}
