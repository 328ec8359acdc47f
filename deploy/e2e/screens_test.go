package e2e

import (
	"cmp"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"serein.app/deploy/e2e/browser"
	"serein.app/deploy/e2e/harness"
	webv1 "serein.app/proto/gen/serein/web/v1"
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
		shownAs(tab, look)
		tab.Picture(fmt.Sprintf("%s-%d-%s", name, look.Width, look.Theme))
	}
	tab.Resize(browser.Desk)
}

// shownAs shows a page on a screen; it must be accessible and fit. It has been shown in light colours before it is in dark ones.
func shownAs(tab *browser.Tab, look browser.Look) {
	tab.Resize(look)
	if look.Theme == "dark" {
		tab.Legible()
	} else {
		tab.Accessible()
	}
}

// styled waits until the app's layers of styles stand in their order. In another one a button loses its
// looks, and axe says nothing: it takes words in the colour of their ground for hidden.
func styled(tab *browser.Tab) {
	tab.Expect("the styles' layers stand in their order", `[...new Set([...document.styleSheets].flatMap(({ cssRules }) =>
		[...cssRules].flatMap((rule) => rule instanceof CSSLayerBlockRule ? [rule.name]
			: rule instanceof CSSLayerStatementRule ? [...rule.nameList] : [])))].join() === "tokens,base,components,screens"`)
}

// headings are what each page of the app is known by; ":id" stands for a meditation's.
func headings(t *testing.T) map[string]string {
	t.Helper()
	return map[string]string{
		"/": "Quiet, made to measure", "/login": "Welcome back", "/signup": "Create Account", "/signup/confirm": "Confirm Account",
		"/bespoke-meditation-generator": "Make one for now", "/bespoke-meditation-generator/:id": dayDown,
		"/journey": "My Journey", "/journey/:id": dayDown, "/members": greeting(t), "/members/credits": "Your credits",
		"/articles": "Articles", "/articles/:slug": openTitle, "/meditation-library": "Meditation Library", "/sitemap": "Sitemap",
		"/memberships": "A place to come back to", "/apparel": "Soft things for slow hours", "/basket": "Basket",
		// An empty basket has nothing to pay for: its page comes instead.
		"/checkout": "Basket", "/order-success": "We do not know this order", "/orders": "Orders", "/test-payment": "Test payment",
		"/debug-sign-in": debugHeading, "/admin": workroom, "/about": "About", "/contact": "Write to us", "/terms-and-conditions": "Terms and conditions", "/privacy-policy": "Privacy",
	}
}

const (
	// dayDown is the title of the meditation that is looked at.
	dayDown = "Setting the day down"
	// openSlug and openTitle are an article's that everybody may read.
	openSlug, openTitle = "before-you-press-send", "Before You Press Send"
	workroom            = "The workroom"
)

type shownPage struct{ pattern, heading string }

// name is for its pictures.
func (p shownPage) name() string {
	return cmp.Or(strings.Trim(strings.NewReplacer("/", "-", ":", "", "?tab=", "-").Replace(p.pattern), "-"), "home")
}

// path of the page, of the meditation with that id.
func (p shownPage) path(id string) string {
	return strings.NewReplacer(":id", id, ":slug", openSlug).Replace(p.pattern)
}

// pagesShown are all pages of the app, from its own list: those of visitors, those that members alone have or
// that look different to them, and those of admins. A page without a known heading fails the test.
func pagesShown(t *testing.T) (visitors, members, admins []shownPage) {
	t.Helper()
	known := headings(t)
	add := func(to *[]shownPage, pattern string) {
		require.Contains(t, known, pattern, "no test looks at this page")
		*to = append(*to, shownPage{pattern, known[pattern]})
	}
	for _, page := range product.App.Pages {
		switch {
		case page.Access == "admin":
			add(&admins, page.Path)
			for _, tab := range []string{"article", "unverified", "editor", "trail"} {
				admins = append(admins, shownPage{page.Path + "?tab=" + tab, known[page.Path]})
			}
		case page.Access != "everyone":
			add(&members, page.Path)
		case strings.HasSuffix(page.Path, "/:id"):
			add(&members, page.Path)
		case page.Path == "/bespoke-meditation-generator":
			add(&visitors, page.Path)
			add(&members, page.Path)
		default:
			add(&visitors, page.Path)
		}
	}
	add(&members, "/")
	return append(visitors, shownPage{"/no-such-page", "Page Not Found"}), members, admins
}

// becomeAdmin has the member's next page be an admin's.
func becomeAdmin(t *testing.T, m *harness.Member) {
	t.Helper()
	require.NoError(t, product.Do(t.Context(), "identity", "grant-admin", m.Username))
	require.NoError(t, harness.Eventually(t.Context(), "an admin", func() (bool, error) {
		session, err := m.Session.GetSession(t.Context(), &webv1.GetSessionRequest{})
		return session.GetMember().GetAdmin(), err
	}))
}

func TestEveryPageForVisitorsIsAccessibleAtEveryWidthAndInBothThemes(t *testing.T) {
	t.Parallel()
	tab := visitor(t, browser.Desk)
	visitors, _, _ := pagesShown(t)
	for _, page := range visitors {
		tab.Go(page.path(""))
		tab.See("heading", page.heading)
		styled(tab)
		eachLook(tab, page.name())
	}
	tab.IgnoreErrors() // the page that is not there is a 404 in the console too
}

func TestEveryPageForMembersIsAccessibleAtEveryWidthAndInBothThemes(t *testing.T) {
	t.Parallel()
	tab, m := member(t, browser.Desk)
	id := madeBy(t, m)
	_, members, admins := pagesShown(t)
	look := func(pages []shownPage) {
		for _, page := range pages {
			tab.Go(page.path(id))
			tab.See("heading", page.heading)
			styled(tab)
			eachLook(tab, page.name())
		}
	}
	look(members)
	becomeAdmin(t, m)
	look(admins)
}

// madeBy makes the meditation that is looked at, and gives its id.
func madeBy(t *testing.T, m *harness.Member) string {
	t.Helper()
	made, err := m.Generate(t.Context(), harness.SmallRequest(dayDown))
	require.NoError(t, err)
	_, err = m.AwaitEnd(t.Context(), made.GetId())
	require.NoError(t, err)
	return made.GetId()
}

// maxShift is the most that a page may move by itself while it loads; "good" is below 0.1.
const maxShift = 0.02

// still loads a page on a desk and, its markup in pieces, on a phone; nothing in it may move.
func still(t *testing.T, tab *browser.Tab, path, heading string) {
	t.Helper()
	for _, look := range []browser.Look{browser.MovingDesk, {Width: 412, Height: 823, Theme: "light", Moving: true}} {
		if look != browser.MovingDesk {
			tab.InPieces(path)
		}
		tab.Resize(look)
		tab.Go(path)
		tab.See("heading", heading)
		sum, moved := tab.Shifted()
		require.Less(t, sum, maxShift, "%s at %d: %s", path, look.Width, moved)
	}
}

func TestNothingMovesWhileAPageLoads(t *testing.T) {
	t.Parallel()
	tab, m := member(t, browser.Desk)
	id := madeBy(t, m)
	guest := visitor(t, browser.Desk)
	visitors, members, admins := pagesShown(t)
	for _, page := range visitors {
		still(t, guest, page.path(""), page.heading)
	}
	guest.IgnoreErrors() // the page that is not there is a 404 in the console too
	for _, page := range members {
		still(t, tab, page.path(id), page.heading)
	}
	becomeAdmin(t, m)
	for _, page := range admins {
		still(t, tab, page.path(id), page.heading)
	}
	guest.Eval(`document.body.prepend(Object.assign(document.createElement("div"), { style: "height: 300px" }))`)
	sum, moved := guest.Shifted()
	require.Greater(t, sum, maxShift, "what does move is noticed")
	require.Contains(t, moved, "ms: ", "and named")
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
