package flows

import (
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/deploy/e2e/browser"
)

const sought = "One Pencil Mark at a Time"

// With the keyboard alone: a slash, a word with a typing error, Enter; and Back to what was found.
func TestAMemberFindsAnArticleByAWordAndOpensIt(t *testing.T) {
	t.Parallel()
	tab, _ := product.Member(t, browser.Desk)
	tab.Press("/")
	tab.See("searchbox", "Type to find content")
	tab.See("button", "Anger")
	tab.Accessible()
	tab.Press("pencel mark")
	first := `document.querySelector("dialog [role=tabpanel] a b")?.textContent === "` + sought + `"`
	tab.Expect("the article is the first that is found", first)
	tab.Accessible()
	tab.Picture("search")
	tab.Press(browser.Enter)
	tab.See("heading", sought)
	require.Equal(t, "/articles/one-pencil-mark-at-a-time", tab.Path())
	tab.Back()
	tab.Expect("the search is back with what it found", first)
	tab.Press(browser.Escape)
	tab.Gone("dialog", "Search")
}
