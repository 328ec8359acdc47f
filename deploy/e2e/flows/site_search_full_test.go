//go:build full

package flows

import (
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/deploy/e2e/browser"
)

func TestVisitorsHaveNoSearch(t *testing.T) {
	t.Parallel()
	tab := product.Visitor(t, browser.Desk)
	tab.Go("/about?find=pencil")
	tab.See("heading", "About")
	tab.See("link", "Sign in")
	tab.Press("/")
	require.False(t, tab.Has("button", "Search"))
	require.False(t, tab.Has("dialog", "Search"))
}
