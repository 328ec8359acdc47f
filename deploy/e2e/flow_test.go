package e2e

import (
	"fmt"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/deploy/e2e/browser"
	"serein.app/deploy/e2e/harness"
)

const title = "A quiet morning by the lake"

// The product's main job, from the home page of a visitor to hearing a meditation that was
// made for her, and back out.
func TestAVisitorSignsUpAndHearsAMeditationMadeForHer(t *testing.T) {
	t.Parallel()
	person := newPerson()
	trial := trialCredits(t.Context(), t)
	tab := visitor(t, browser.MovingDesk)
	tab.Accessible()
	createAccount(tab, person)
	confirmAccount(t, tab, person)

	tab.Click("link", "Members Area")
	tab.Text("Everything is open until")
	tab.Text(strconv.FormatInt(trial, 10))
	tab.Accessible()

	generate(tab, trial)
	hearTheBeginning(tab)
	leaveAndComeBack(tab)
	hearTheWhole(tab)
	creditsLeft(tab, trial-immersive, trial)
	signOut(tab)
}

func createAccount(tab *browser.Tab, person *harness.Member) {
	tab.Click("button", "Start your free trial")
	fillAccount(tab, person)
}

// fillAccount answers the sign-up panel.
func fillAccount(tab *browser.Tab, person *harness.Member) {
	tab.See("heading", "Create Account")
	tab.Fill("First Name", "Amara")
	tab.Fill("Family Name", "Lindqvist")
	tab.Fill("Email", person.Email)
	tab.Fill("Username", person.Username)
	tab.Fill("Password", person.Password)
	tab.Click("checkbox", "I am 16 or over")
	tab.Picture("sign-up")
	tab.Accessible()
	tab.Click("button", "Create Account")
	tab.Text("Check your email for the confirmation code.")
}

func confirmAccount(t *testing.T, tab *browser.Tab, person *harness.Member) {
	t.Helper()
	confirmCode(t, tab, person)
	tab.See("heading", "Before we begin")
	tab.Click("switch", "Essentials needed") // the terms were accepted with the account
	tab.Picture("consents")
	tab.Accessible()
	tab.Click("button", "Update Consent and Preferences")
	tab.See("link", "Amara")
}

// confirmCode types the mail's code in, and signs in through the window that opens.
func confirmCode(t *testing.T, tab *browser.Tab, person *harness.Member) {
	t.Helper()
	code, err := product.Code(t.Context(), person.Email)
	require.NoError(t, err)
	tab.Fill("Confirmation Code", code)
	tab.Picture("confirm")
	popup := tab.Popup(func() { tab.Click("button", "Confirm Account") })
	popup.See("heading", "Sign in")
	popup.Picture("hosted")
	popup.Accessible()
	popup.Fill("Password", person.Password) // the username is there already
	popup.Click("button", "Sign in")
	popup.Closed()
}

// immersive is what a meditation with sound around the voice costs.
const immersive = 2

func generate(tab *browser.Tab, trial int64) {
	tab.Click("link", "Bespoke Meditation Generator")
	tab.Fill("Title", title)
	tab.Focus("slider", "Meditation Size")
	tab.Press(browser.ArrowLeft)
	tab.Choose("Meditation Type", "Gratitude")
	tab.Click("radio", "Rain")
	tab.Text(fmt.Sprintf("Uses %d of your %d plan credits", immersive, trial))
	tab.Picture("form")
	tab.Accessible()
	tab.Click("button", "Generate")
}

// The first words are heard while the rest is still being narrated.
func hearTheBeginning(tab *browser.Tab) {
	tab.See("heading", title)
	tab.See("button", "Pause "+title)
	tab.Expect("sound plays before all is narrated", playedSeconds+` >= 1 && document.body.innerText.includes("Cancel")`)
	tab.Text("passages")
	tab.Picture("making")
	tab.Accessible()
}

func leaveAndComeBack(tab *browser.Tab) {
	tab.Click("link", "My Journey")
	tab.See("heading", "My Journey")
	tab.Text(title)
	tab.Back()
	tab.See("heading", title)
	tab.Text("Your bespoke meditation")
	tab.Text(fmt.Sprintf("%d credits were used", immersive))
	tab.Picture("made")
	tab.Accessible()
	tab.Go("/journey")
	tab.See("link", title)
	tab.Accessible()
}

func hearTheWhole(tab *browser.Tab) {
	tab.Click("link", title)
	tab.See("heading", title)
	tab.See("button", "Pause") // whoever opens it wants to hear it
	tab.Expect("it plays", playedSeconds+" >= 1")
	tab.Picture("player")
	tab.Accessible()
	tab.Click("button", "Forward 15 seconds")
	tab.Expect("it seeks and goes on playing", playedSeconds+" >= 17")
	tab.Click("button", "Pause")
	tab.Click("button", "Reset")
	tab.Expect("it is back at the beginning", playedSeconds+" === 0")
	tab.Focus("slider", "Position")
	tab.Press(browser.End)
	tab.Click("button", "Play")
	tab.Text("That was all of it. Take your time.")
}

func creditsLeft(tab *browser.Tab, left, trial int64) {
	tab.Go("/members")
	tab.Expect("the credits went down", leftOf(left, trial))
	tab.Accessible()
}

// leftOf is true where the Members Area shows the credits that are left.
func leftOf(left, trial int64) string {
	return fmt.Sprintf(`document.querySelector("main").innerText.includes("%d\nof %d left")`, left, trial)
}

// signOut is seen in another window, which follows at once. The one that is pressed leaves for the provider's pages and comes back;
// where a browser on a busy machine loses an answer on that way, chromedp waits for it for ever.
func signOut(tab *browser.Tab) {
	other := tab.Sibling()
	other.Go("/")
	other.See("link", "Amara")
	tab.Click("button", "Logout")
	other.See("link", "Sign in")
	other.Go("/journey")
	other.Expect("My Journey is closed to visitors", `location.pathname === "/"`)
	other.Gone("link", "Amara")
}

// playedSeconds is what the player's slider says.
const playedSeconds = `document.querySelector("input[aria-label=Position]")?.valueAsNumber`
