package flows

import (
	"fmt"
	"strconv"
	"testing"

	"serein.app/deploy/e2e/browser"
	"serein.app/deploy/e2e/harness"
	"serein.app/deploy/e2e/suite"
)

const title = "A quiet morning by the lake"

// The product's main job, from the home page of a visitor to hearing a meditation that was
// made for her, and back out.
func TestAVisitorSignsUpAndHearsAMeditationMadeForHer(t *testing.T) {
	t.Parallel()
	person := suite.NewPerson()
	trial := product.TrialCredits(t.Context(), t)
	tab := product.Newcomer(t, browser.MovingDesk)
	tab.Accessible()
	createAccount(tab, person)
	confirmAccount(t, tab, person)

	tab.Click("link", "Members Area")
	tab.Text("You can use everything until")
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
	suite.FillAccount(tab, person)
}

func confirmAccount(t *testing.T, tab *browser.Tab, person *harness.Member) {
	t.Helper()
	product.ConfirmCode(t, tab, person)
	tab.See("heading", "Before we begin")
	tab.Click("switch", "Essentials required") // the terms were accepted with the account
	tab.Picture("consents")
	tab.Accessible()
	tab.Click("button", "Update Consent and Preferences")
	tab.See("link", "Amara")
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
	tab.See("button", "Pause") // it plays at once: a member who opens it wants to hear it
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
	tab.Text("That’s the end. Take your time.")
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

// signOut is seen in another window, which follows at once. The one that is pressed leaves for the provider's pages and comes back.
func signOut(tab *browser.Tab) {
	other := tab.Sibling()
	other.Go("/")
	other.See("link", "Amara")
	suite.LogOut(tab)
	other.See("link", "Sign in")
	other.Go("/journey")
	other.Expect("My Journey is closed to visitors", `location.pathname === "/"`)
	other.Gone("link", "Amara")
}

// playedSeconds is what the player's slider says.
const playedSeconds = `document.querySelector("input[aria-label=Position]")?.valueAsNumber`
