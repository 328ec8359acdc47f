//go:build full

package flows

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/deploy/e2e/browser"
	"serein.app/deploy/e2e/harness"
	"serein.app/deploy/e2e/suite"
	webv1 "serein.app/proto/gen/serein/web/v1"
)

// A member listens on a phone and goes on at a desk: the desk opens where the phone has stopped, the phone cannot move that place back, and
// the desk asks before it plays while the phone does.
func TestAMemberGoesOnListeningAtAnotherDevice(t *testing.T) {
	t.Parallel()
	phone, m := product.Member(t, browser.Desk)
	phone.Resize(browser.Look{Width: 360, Height: 800, Theme: "light"})
	phone.Early(watchRing)
	id := madeBy(t, m)
	phone.Go("/journey/" + id)
	left := listensAndStops(t, phone, m, id)

	desk := atDesk(t, m)
	desk.Go("/journey/" + id)
	opensAt(t, desk, left)
	left = listensAndStops(t, desk, m, id)

	writesLate(phone)
	require.Equal(t, left, kept(t, m, id), "the phone’s turn is over")
	phone.Go("/journey/" + id)
	opensAt(t, phone, left)

	asksAndTakesOver(phone, desk, left)
}

// atDesk is the member at another device, which signs in by itself.
func atDesk(t *testing.T, m *harness.Member) *browser.Tab {
	t.Helper()
	tab := product.Visitor(t, browser.Look{Width: 1440, Height: 900, Theme: "light", BlockPopups: true})
	tab.Early(watchRing)
	tab.Go("/auth/sign-in?return_to=/journey")
	suite.SignIn(tab, m)
	tab.See("link", "Amara")
	return tab
}

// listensAndStops plays, seeks and pauses, and gives the second at which the ring then stands, once the gateway keeps it too.
func listensAndStops(t *testing.T, tab *browser.Tab, m *harness.Member, id string) int64 {
	t.Helper()
	before := kept(t, m, id)
	tab.Click("button", "Play")
	tab.Click("button", "Forward 15 seconds")
	tab.Expect("it plays on from there", fmt.Sprintf("%s >= %d", playedSeconds, before+17))
	tab.Click("button", "Pause")
	tab.See("button", "Reset")
	second, err := strconv.ParseInt(tab.Read(`String(`+playedSeconds+`)`), 10, 64)
	require.NoError(t, err)
	require.NoError(t, harness.Eventually(t.Context(), "the gateway keeps the place", func(context.Context) (bool, error) {
		return kept(t, m, id) == second, nil
	}))
	return second
}

// kept is the place that the gateway keeps, in whole seconds.
func kept(t *testing.T, m *harness.Member, id string) (second int64) {
	t.Helper()
	place, err := m.Player.GetPlace(t.Context(), &webv1.GetPlaceRequest{Item: &webv1.ItemRef{Kind: webv1.ItemKind_ITEM_KIND_BESPOKE, Id: id}})
	require.NoError(t, err)
	return place.GetPositionMs() / 1000
}

// watchRing notes each position that the player's ring shows, and when, in milliseconds since the page was asked for.
const watchRing = `
	const shown = (window.shown = []);
	new MutationObserver(() => {
		const second = document.querySelector("input[aria-label=Position]")?.valueAsNumber;
		if (second !== undefined && second !== shown.at(-1)?.second) shown.push({ second, at: performance.now() });
	}).observe(document, { attributes: true, childList: true, subtree: true });`

// mostLate is how long after its ring a page shows the place that another device has written, in milliseconds.
const mostLate = 1000

// opensAt waits until the page that was opened shows the place, which must be soon.
func opensAt(t *testing.T, tab *browser.Tab, second int64) {
	t.Helper()
	tab.Expect("it stands where the other device has stopped", fmt.Sprintf("%s === %d", playedSeconds, second))
	var shown []struct {
		Second int64
		At     float64
	}
	require.NoError(t, json.Unmarshal([]byte(tab.Read(`JSON.stringify(shown)`)), &shown))
	t.Logf("the ring showed %v", shown)
	require.LessOrEqual(t, shown[len(shown)-1].At-shown[0].At, float64(mostLate))
}

// saved counts the writes of the page that were answered.
const saved = `performance.getEntriesByType("resource").filter((e) => e.name.endsWith("/SavePlace")).length`

// writesLate goes back to the beginning, where the device has paused, while another one has listened on: it writes that, and is answered.
func writesLate(tab *browser.Tab) {
	before := tab.Read(`String(` + saved + `)`)
	tab.Focus("slider", "Position")
	tab.Press(browser.Home)
	tab.Expect("it is back at the beginning", playedSeconds+" === 0")
	tab.Expect("it has written that", saved+" > "+before)
}

// asksAndTakesOver plays on one device and presses play on the other: that asks, leaves the first one alone, and takes over once it may.
func asksAndTakesOver(phone, desk *browser.Tab, left int64) {
	later := func(seconds int64) string { return fmt.Sprintf("%s >= %d", playedSeconds, left+seconds) }
	phone.Click("button", "Play")
	phone.Expect("the phone plays", later(2))
	phone.Answered()
	desk.Click("button", "Play")
	desk.See("heading", "Carry on here?")
	desk.Text("is playing on another device. It will pause there if you carry on here.")
	desk.Accessible()
	desk.Click("button", "Leave it there")
	desk.See("button", "Play")
	phone.Expect("the phone plays on", later(4))
	phone.See("button", "Pause")

	desk.Click("button", "Play")
	desk.Click("button", "Carry on here")
	desk.See("button", "Pause")
	desk.Expect("the desk plays", later(2))
	phone.Said("You’ve carried on somewhere else, so it’s paused here.")
	phone.See("button", "Play")
	desk.See("button", "Pause")
}
