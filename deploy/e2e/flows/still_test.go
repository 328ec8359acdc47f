package flows

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/deploy/e2e/browser"
	"serein.app/deploy/e2e/suite"
)

// maxShift is the most that a page may move by itself while it loads; "good" is below 0.1.
const maxShift = 0.02

// answers are those of the gateway to the app.
const answers = "*/serein.web.v1.*"

// still loads a page on a desk and, its markup in pieces, on a phone; nothing in it may move. The app gets no answer before it has drawn
// what it shows while it waits, as on a slow network.
func still(t *testing.T, tab *browser.Tab, page shownPage, path string) {
	t.Helper()
	for _, look := range []browser.Look{browser.MovingDesk, {Width: 412, Height: 823, Theme: "light", Moving: true}} {
		if look != browser.MovingDesk {
			tab.InPieces(path)
		}
		tab.Resize(look)
		answer := tab.HoldBack(answers)
		tab.Go(path)
		tab.Expect("the app has started", browser.Started("main"))
		answer()
		page.see(tab)
		tab.Expect("the app has taken the page over", browser.Started("main h1")) // later than the frame around it
		sum, moved := tab.Shifted()
		require.Less(t, sum, maxShift, "%s at %d: %s", path, look.Width, moved)
	}
}

// The pages that every change is measured on; a run with all there is has every page.
var (
	stillForVisitors = []string{"/", "/articles", "/articles/:slug", "/memberships", "/apparel"}
	stillForMembers  = []string{"/", "/members", "/journey", "/meditation-library"}
)

// only picks pages by their patterns, all of which there must be.
func only(t *testing.T, pages []shownPage, patterns []string) []shownPage {
	t.Helper()
	pages = slices.DeleteFunc(pages, func(page shownPage) bool { return !slices.Contains(patterns, page.pattern) })
	require.Len(t, pages, len(patterns))
	return pages
}

func TestNothingMovesWhileAPageLoads(t *testing.T) {
	t.Parallel()
	tab, m := product.Member(t, browser.Desk)
	id := madeBy(t, m)
	guest := product.Visitor(t, browser.Desk)
	visitors, members, admins := pagesShown(t)
	if !suite.Full {
		visitors, members, admins = only(t, visitors, stillForVisitors), only(t, members, stillForMembers), nil
	}
	for _, page := range visitors {
		still(t, guest, page, page.path("", ""))
	}
	guest.IgnoreErrors() // the page that is not there is a 404 in the console too
	for _, page := range members {
		still(t, tab, page, page.path(id, ""))
	}
	if len(admins) > 0 {
		product.BecomeAdmin(t, m)
	}
	for _, page := range admins {
		still(t, tab, page, page.path(id, ""))
	}
	guest.Eval(`document.body.prepend(Object.assign(document.createElement("div"), { style: "height: 300px" }))`)
	sum, moved := guest.Shifted()
	require.Greater(t, sum, maxShift, "what does move is noticed")
	require.Contains(t, moved, "ms: ", "and named")
}
