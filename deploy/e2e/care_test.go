package e2e

import (
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/deploy/e2e/browser"
	"serein.app/deploy/e2e/harness"
	webv1 "serein.app/proto/gen/serein/web/v1"
)

const (
	crisis   = "I don’t want to live any more"
	careHead = "We are glad you wrote that down"
	// quietLine stands under every title.
	quietLine = "A hard moment? There are people who answer."
	// care is the panel that has the focus.
	care = `document.activeElement?.innerText?.includes("` + careHead + `")`
)

func TestATitleOfCrisisIsAnsweredWithCareAndCostsNothing(t *testing.T) {
	t.Parallel()
	tab, m := member(t, browser.Desk)
	tab.Go("/bespoke-meditation-generator")
	tab.Fill("Title", crisis)
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

	tab.Expect("the grounding is there, which a first start makes behind the scenes", `document.querySelector("audio")`)
	tab.Click("button", "Play a short grounding")
	tab.Expect("the grounding plays, with its line marked",
		`document.querySelector("audio").currentTime >= 1 && document.querySelector("audio ~ ol [aria-current=true]")`)
	tab.Click("button", "Pause")
	eachLook(tab, "care")

	tab.Click("button", "Back to the title")
	tab.Expect("the title is kept", `document.activeElement.value === `+"`"+crisis+"`")
	tab.Fill("Title", "A quiet evening")
	tab.Gone("heading", careHead)
	requireUntouched(t.Context(), t, m)
	require.Equal(t, []int64{0, 0}, holds(t.Context(), t, m))
}

func TestAVisitorsTitleOfCrisisIsMetWithCareBeforeTheSignUp(t *testing.T) {
	t.Parallel()
	tab := visitor(t, browser.Look{Width: 360, Height: 800, Theme: "light"})
	tab.ExpectErrors("CheckTitle") // the refusals are errors in the console: one when asked, one when the page is opened again
	tab.Go("/bespoke-meditation-generator")
	tab.Fill("Title", crisis)
	tab.Click("button", "Create your account")
	tab.See("heading", careHead)
	tab.Expect("the words of care have the focus", care)
	require.Equal(t, "/bespoke-meditation-generator", tab.Path())
	tab.Expect("nothing lies over the helplines", `!document.querySelector("aside > a").checkVisibility()`)
	tab.Go("/bespoke-meditation-generator")
	tab.See("heading", careHead)
	tab.Text(quietLine)

	tab.Fill("Title", "A quiet evening")
	tab.Gone("heading", careHead)
	tab.Click("button", "Create your account")
	tab.Expect("the sign-up opens", `location.pathname === "/signup"`)
	tab.Go("/bespoke-meditation-generator")
	tab.Click("button", quietLine)
	tab.See("heading", "There are people who answer")
	eachLook(tab, "care-by-hand")
}

func TestAMemberWithoutCreditsIsMetWithCareToo(t *testing.T) {
	t.Parallel()
	tab, m := member(t, browser.Desk)
	require.NoError(t, product.Spend(t.Context(), m.UID, trialCredits(t.Context(), t)))
	before := holds(t.Context(), t, m)
	tab.Go("/bespoke-meditation-generator")
	tab.Text(outOfCredits)
	tab.Fill("Title", crisis)
	tab.Click("button", "Generate")
	tab.See("heading", careHead)
	tab.Expect("the words of care have the focus", care)
	tab.IgnoreErrors() // the refusal is an error in the console
	require.Equal(t, before, holds(t.Context(), t, m))
	list, err := m.Journey.ListBespoke(t.Context(), &webv1.ListBespokeRequest{})
	require.NoError(t, err)
	require.Empty(t, list.GetMeditations())
}

func TestTheGroundingIsForVisitorsToo(t *testing.T) {
	t.Parallel()
	visitor := product.NewBrowser()
	grounding, err := visitor.Generator.GetGrounding(t.Context(), &webv1.GetGroundingRequest{})
	require.NoError(t, err)
	require.NotEmpty(t, grounding.GetLines())
	page, err := visitor.Get(t.Context(), grounding.GetAudioUrl())
	require.NoError(t, err)
	// 64 kbit/s are 8 bytes a millisecond.
	require.InDelta(t, grounding.GetDurationMs()*8, len(page.Body), 400)
}

func TestNoFormOfACrisisTitleIsHeldOrKept(t *testing.T) {
	t.Parallel()
	m, err := product.NewMember(t.Context())
	require.NoError(t, err)
	for _, title := range []string{crisis, "i hate my self", "I was assaulted last year", "My brother killed himself", "sucidal", "k.m.s"} {
		_, err := m.Generate(t.Context(), harness.SmallRequest(title))
		refused := harness.RefusalOf(err)
		require.Equal(t, []string{"failed_precondition", "TITLE_NEEDS_CARE", "title"},
			[]string{refused.Code, refused.Reason, refused.Field}, title)
	}
	requireUntouched(t.Context(), t, m)
	require.Equal(t, []int64{0, 0}, holds(t.Context(), t, m))
}
