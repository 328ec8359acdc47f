package critical

import (
	"strings"
	"testing"
	"time"

	"github.com/pquerna/otp/totp"
	"github.com/stretchr/testify/require"

	"serein.app/deploy/e2e/browser"
	"serein.app/deploy/e2e/harness"
	"serein.app/deploy/e2e/suite"
)

// signInAgain signs out, and comes to the hosted page again.
func signInAgain(tab *browser.Tab) {
	suite.LogOut(tab)
	tab.Click("link", "Sign in")
}

// authenticatorApp is a member's app: it gives each code once, as somebody does who waits for the next.
type authenticatorApp struct {
	t      *testing.T
	secret string
	// last is the step of the code that it gave last.
	last int64
}

const codePeriod = 30 // seconds

// next is a code that was not given before, of now or at most one period ahead: two follow each other at once, not three.
func (a *authenticatorApp) next() string {
	a.t.Helper()
	a.last = max(a.last+1, time.Now().Unix()/codePeriod)
	code, err := totp.GenerateCode(a.secret, time.Unix(a.last*codePeriod, 0))
	require.NoError(a.t, err)
	return code
}

// toTheCode signs out, and in again up to the page of the code.
func toTheCode(tab *browser.Tab, m *harness.Member) {
	tab.Go("/members")
	signInAgain(tab)
	suite.SignIn(tab, m)
	tab.See("heading", "One more step")
}

// enter sends a code of the app.
func enter(tab *browser.Tab, code string) {
	tab.Fill("Code", code)
	tab.Click("button", "Sign in")
}

// recoverWith sends a recovery code from the page of the code.
func recoverWith(tab *browser.Tab, code string) {
	tab.Click("link", "Use a recovery code")
	tab.See("heading", "Your recovery code")
	tab.Fill("Recovery code", code)
	tab.Click("button", "Sign in")
}

// turnOnApp sets an app up in the Members Area, and answers it with the recovery codes that were shown.
func turnOnApp(t *testing.T, tab *browser.Tab, m *harness.Member) (*authenticatorApp, []string) {
	t.Helper()
	tab.Go("/members")
	tab.Click("button", "Set up an authenticator app")
	tab.Fill("Current password", m.Password)
	tab.Click("button", "Continue")
	tab.See("heading", "Add Serein to your app")
	suite.OnPhone(tab, "scan")
	app := &authenticatorApp{t: t, secret: tab.Read(`document.querySelector("dialog code").textContent.replaceAll(" ", "")`)}
	tab.Fill("Code from the app", app.next())
	tab.Click("button", "Turn it on")
	tab.See("heading", "Your recovery codes")
	suite.OnPhone(tab, "recovery-codes")
	codes := strings.Fields(tab.Read(`[...document.querySelectorAll("dialog ol li")].map((li) => li.textContent).join(" ")`))
	require.Len(t, codes, 10)
	tab.Click("button", "I’ve kept them")
	tab.Text("Your authenticator app is on.")
	tab.Text("10 recovery codes left")
	return app, codes
}

// Turned on, a code is asked for beside the password, each once; a recovery code stands in for it once; turned off, the password does alone.
func TestAMemberIsAskedForACodeBesideThePasswordUntilTheyTurnItOff(t *testing.T) {
	t.Parallel()
	tab, m := product.Member(t, browser.Desk)
	tab.ExpectErrors("422") // codes that are refused
	app, codes := turnOnApp(t, tab, m)
	suite.OnPhone(tab, "second-step-on")
	product.RequireLetter(t, m, "Your authenticator app is on")

	toTheCode(tab, m)
	suite.OnPhone(tab, "code")
	enter(tab, "no code")
	tab.Text("That code does not match.")
	right := app.next()
	enter(tab, right)
	tab.See("link", "Amara")
	toTheCode(tab, m)
	enter(tab, right)
	tab.Text("That code") // was used already, or is too old by now
	tab.See("heading", "One more step")
	recoverWith(tab, codes[0])
	tab.See("link", "Amara")
	product.RequireLetter(t, m, "A recovery code was used")
	toTheCode(tab, m)
	recoverWith(tab, codes[0])
	tab.Text("That code does not match.")
	tab.Fill("Recovery code", strings.ToUpper(codes[1]))
	tab.Click("button", "Sign in")
	tab.See("link", "Amara")

	tab.Go("/members")
	tab.Text("8 recovery codes left")
	tab.Click("button", "Turn off the authenticator app")
	tab.Fill("Current password", m.Password)
	tab.Click("button", "Turn it off")
	tab.Text("Your authenticator app is off.")
	product.RequireLetter(t, m, "Your authenticator app is off")
	tab.See("button", "Set up an authenticator app")
	signInAgain(tab)
	suite.SignIn(tab, m)
	tab.See("link", "Amara")
}
