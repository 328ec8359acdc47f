package e2e

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"serein.app/deploy/e2e/browser"
	"serein.app/deploy/e2e/harness"
)

// looks are the screens that every page is shown on.
func looks() []browser.Look {
	var all []browser.Look
	for _, width := range []int64{360, 900, 1440} {
		for _, theme := range []string{"light", "dark"} {
			all = append(all, browser.Look{Width: width, Height: 800, Theme: theme})
		}
	}
	return all
}

// eachLook shows a page on every screen; it must be accessible and fit.
func eachLook(tab *browser.Tab, name string) {
	for _, look := range looks() {
		tab.Resize(look)
		tab.Accessible()
		tab.Picture(fmt.Sprintf("%s-%d-%s", name, look.Width, look.Theme))
	}
	tab.Resize(browser.Desk)
}

func TestEveryPageForVisitorsIsAccessibleAtEveryWidthAndInBothThemes(t *testing.T) {
	tab := visitor(t, browser.Desk)
	eachLook(tab, "home")
	for _, page := range []struct{ path, heading string }{
		{"/bespoke-meditation-generator", "Make one for now"},
		{"/login", "Welcome back"},
		{"/about", "About"},
		{"/terms-and-conditions", "Terms and conditions"},
		{"/privacy-policy", "Privacy"},
		{"/no-such-page", "Page Not Found"},
	} {
		tab.Go(page.path)
		tab.See("heading", page.heading)
		eachLook(tab, page.path[1:])
	}
	tab.IgnoreErrors() // the page that is not there is a 404 in the console too
}

func TestEveryPageForMembersIsAccessibleAtEveryWidthAndInBothThemes(t *testing.T) {
	tab, m := member(t, browser.Desk)
	made, err := m.Generate(t.Context(), harness.SmallRequest("Setting the day down"))
	require.NoError(t, err)
	_, err = m.AwaitEnd(t.Context(), made.GetId())
	require.NoError(t, err)
	for _, page := range []struct{ name, path, heading string }{
		{"generator", "/bespoke-meditation-generator", "Make one for now"},
		{"journey", "/journey", "My Journey"},
		{"made", "/bespoke-meditation-generator/" + made.GetId(), "Setting the day down"},
		{"player", "/journey/" + made.GetId(), "Setting the day down"},
		{"members", "/members", greeting(t)},
	} {
		tab.Go(page.path)
		tab.See("heading", page.heading)
		eachLook(tab, page.name)
	}
}

// maxShift is the most that a page may move by itself while it loads; "good" is below 0.1.
const maxShift = 0.02

// still loads a page on a phone and on a desk; nothing in it may move.
func still(t *testing.T, tab *browser.Tab, path, heading string) {
	t.Helper()
	for _, look := range []browser.Look{{Width: 412, Height: 823, Theme: "light"}, browser.Desk} {
		tab.Resize(look)
		tab.Go(path)
		tab.See("heading", heading)
		require.Less(t, tab.Shifted(), maxShift, "%s at %d", path, look.Width)
	}
}

func TestNothingMovesWhileAPageLoads(t *testing.T) {
	tab, m := member(t, browser.Desk)
	made, err := m.Generate(t.Context(), harness.SmallRequest("Setting the day down"))
	require.NoError(t, err)
	_, err = m.AwaitEnd(t.Context(), made.GetId())
	require.NoError(t, err)
	guest := visitor(t, browser.Desk)
	for _, page := range []struct {
		tab           *browser.Tab
		path, heading string
	}{
		{guest, "/", "Quiet, made to measure"},
		{guest, "/bespoke-meditation-generator", "Make one for now"},
		{guest, "/login", "Welcome back"},
		{guest, "/about", "About"},
		{guest, "/terms-and-conditions", "Terms and conditions"},
		{guest, "/privacy-policy", "Privacy"},
		{tab, "/bespoke-meditation-generator", "Make one for now"},
		{tab, "/journey", "My Journey"},
		{tab, "/bespoke-meditation-generator/" + made.GetId(), "Setting the day down"},
		{tab, "/journey/" + made.GetId(), "Setting the day down"},
		{tab, "/members", greeting(t)},
	} {
		still(t, page.tab, page.path, page.heading)
	}
	guest.Eval(`document.body.prepend(Object.assign(document.createElement("div"), { style: "height: 300px" }))`)
	require.Greater(t, guest.Shifted(), maxShift, "what does move is noticed")
}

// greeting is what the Members Area says at this hour.
func greeting(t *testing.T) string {
	t.Helper()
	zone, err := time.LoadLocation(browser.Zone)
	require.NoError(t, err)
	switch hour := time.Now().In(zone).Hour(); {
	case hour >= 5 && hour < 12:
		return "Good morning, Amara"
	case hour >= 12 && hour < 18:
		return "Good afternoon, Amara"
	}
	return "Good evening, Amara"
}
