//go:build full

package flows

import (
	"testing"

	"serein.app/deploy/e2e/browser"
	"serein.app/deploy/e2e/suite"
)

func TestThePageOfTheRESTCallsIsAccessibleAtEveryWidthAndInBothThemes(t *testing.T) {
	t.Parallel()
	tab := product.Visitor(t, browser.Desk)
	tab.Go("/api/docs")
	tab.See("heading", "Serein’s API")
	suite.EachLook(tab, "api-docs")
}
