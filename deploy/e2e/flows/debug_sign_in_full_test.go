//go:build full

package flows

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/deploy/e2e/browser"
	"serein.app/deploy/e2e/suite"
)

// fact is what the debug screen says beside a word.
func fact(label string) string {
	return fmt.Sprintf(`[...document.querySelectorAll("dt")].find((dt) => dt.textContent === %q)?.nextElementSibling.textContent`, label)
}

// A person who debugs the sign-in sees what the gateway made of it, and no token: the browser's canaries read every byte of the page.
func TestTheDebugScreenShowsASignInFromTheInside(t *testing.T) {
	t.Parallel()
	m, err := product.NewMember(t.Context())
	require.NoError(t, err)
	tab := product.Visitor(t, browser.Desk)
	tab.Go("/debug-sign-in")
	tab.See("heading", debugHeading)
	tab.Expect("nobody is signed in", fact("State")+` === "unauthenticated"`)

	popup := tab.Popup(func() { tab.Click("button", "Sign in (popup)") })
	suite.SignIn(popup, m)
	popup.Closed()
	tab.Expect("a member is", fact("State")+` === "authenticated"`)
	tab.Expect("with the address", fact("Email")+` === `+fmt.Sprintf("%q", m.Email))
	tab.Expect("and the names", fact("Given name")+` === "Amara" && `+fact("Family name")+`.length > 0`)
	tab.Expect("the subject is the uid", fact("Subject")+` === `+fmt.Sprintf("%q", m.UID))
	tab.Expect("the access token has its time", fact("Access token")+`.endsWith(" left")`)
	tab.Expect("and is renewed before its end", fact("Next renewal")+`.startsWith("in ")`)
	tab.Expect("the session too", fact("Session")+`.endsWith(" left")`)
	tab.Expect("no token stands anywhere", `!/eyJ[\w-]{8,}|[\w-]{40,}/.test(document.querySelector("main").innerText)`)
	suite.EachLook(tab, "debug-sign-in-member")

	tab.Click("button", "Sign out")
	tab.See("link", "Sign in")
	tab.Go("/debug-sign-in")
	tab.Expect("nobody is signed in any more", fact("State")+` === "unauthenticated"`)
}
