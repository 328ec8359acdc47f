package flows

import (
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/deploy/e2e/browser"
	"serein.app/deploy/e2e/suite"
)

const (
	careHead = "We’re glad you wrote that down"
	// quietLine stands under every title.
	quietLine = "Having a hard time? Talk to someone."
	// care is the panel that has the focus.
	care = `document.activeElement?.innerText?.includes("` + careHead + `")`
)

func TestATitleOfCrisisIsAnsweredWithCareAndCostsNothing(t *testing.T) {
	t.Parallel()
	tab, m := product.Member(t, browser.Desk)
	tab.Go("/bespoke-meditation-generator")
	tab.Fill("Title", suite.Crisis)
	tab.Click("button", "Generate")
	tab.See("heading", careHead)
	tab.Expect("the words of care have the focus", care)
	tab.Expect("they are in view", `(() => { const { top } = document.activeElement.getBoundingClientRect(); return top >= 0 && top < innerHeight / 2 })()`)
	tab.Text("Nothing was made and nothing was charged.")
	tab.IgnoreErrors() // the refusal is an error in the console

	tab.Choose("Where are you?", "United Kingdom")
	tab.See("link", "Call 116 123")
	tab.See("link", "Text SHOUT to 85258")
	tab.See("link", "In danger now? Call 999.")
	tab.See("link", "Leave this page now")
	tab.Expect("the tab keeps nothing of the title", `!JSON.stringify({...sessionStorage}).includes(`+"`"+suite.Crisis+"`"+`)`)

	tab.Expect("the grounding is there, which a first start makes behind the scenes", `document.querySelector("audio")`)
	tab.Click("button", "Play a short grounding")
	tab.Expect("the grounding plays, with its line marked",
		`document.querySelector("audio").currentTime >= 1 && document.querySelector("audio ~ ol [aria-current=true]")`)
	tab.Click("button", "Pause")
	if suite.Full {
		suite.EachLook(tab, "care")
	} else {
		tab.Accessible() // its pages are among those that are shown on every screen
	}

	tab.Click("button", "Back to the title")
	tab.Expect("the title is kept", `document.activeElement.value === `+"`"+suite.Crisis+"`")
	tab.Fill("Title", "A quiet evening")
	tab.Gone("heading", careHead)
	product.RequireUntouched(t.Context(), t, m)
	require.Equal(t, []int64{0, 0}, product.Holds(t.Context(), t, m))
}
