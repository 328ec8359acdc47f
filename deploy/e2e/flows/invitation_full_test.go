//go:build full

package flows

import (
	"testing"

	"serein.app/deploy/e2e/browser"
)

// A code that nobody has is no obstacle, and is not passed over in silence.
func TestAnUnknownInvitationGivesTheUsualTrialAndSaysSo(t *testing.T) {
	t.Parallel()
	tab := product.Visitor(t, browser.Desk)
	tab.Go("/signup?invite=NOBODY-0000")
	tab.Text("You can’t use this invitation here")
}
