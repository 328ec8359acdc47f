package flows

import (
	"testing"

	"serein.app/deploy/e2e/browser"
	"serein.app/deploy/e2e/suite"
)

// styled waits until the app's layers of styles stand in their order. In another one a button loses its
// looks, and axe says nothing: it takes words in the colour of their ground for hidden.
func styled(tab *browser.Tab) {
	tab.Expect("the styles' layers stand in their order", `[...new Set([...document.styleSheets].flatMap(({ cssRules }) =>
		[...cssRules].flatMap((rule) => rule instanceof CSSLayerBlockRule ? [rule.name]
			: rule instanceof CSSLayerStatementRule ? [...rule.nameList] : [])))].join() === "tokens,base,components,screens"`)
}

func TestEveryPageForVisitorsIsAccessibleAtEveryWidthAndInBothThemes(t *testing.T) {
	t.Parallel()
	tab := product.Visitor(t, browser.Desk)
	visitors, _, _ := pagesShown(t)
	for _, page := range visitors {
		tab.Go(page.path("", ""))
		page.see(tab)
		styled(tab)
		suite.EachLook(tab, page.name())
	}
	tab.IgnoreErrors() // the page that is not there is a 404 in the console too
}

func TestEveryPageForMembersIsAccessibleAtEveryWidthAndInBothThemes(t *testing.T) {
	t.Parallel()
	tab, m := product.Member(t, browser.Desk)
	id, script := madeBy(t, m), writtenFor(t, m)
	_, members, admins := pagesShown(t)
	look := func(pages []shownPage) {
		for _, page := range pages {
			tab.Go(page.path(id, script))
			page.see(tab)
			styled(tab)
			suite.EachLook(tab, page.name())
		}
	}
	look(members)
	product.BecomeAdmin(t, m)
	look(admins)
}
