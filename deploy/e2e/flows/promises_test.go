package flows

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/deploy/e2e/browser"
	"serein.app/deploy/e2e/promises"
)

// TestWhatTheTextsPromiseIsOnTheScreens tries, as a member of Core, each row that such a member can be shown, and each link of the
// texts that editors write. That every promise has a row is held without a browser, in promises.
func TestWhatTheTextsPromiseIsOnTheScreens(t *testing.T) {
	t.Parallel()
	texts, err := promises.Read(filepath.Join("..", "..", ".."))
	require.NoError(t, err)
	tab, m := product.Member(t, browser.Desk)
	product.Subscribe(t, m)
	seen := map[string]bool{"/login": true} // a member is signed in
	for _, row := range promises.Rows {
		if row.Page == "" {
			continue
		}
		if tab.Path() != row.Page {
			tab.Go(row.Page)
		}
		tab.See(row.Role, row.Name)
		seen[row.Page] = true
	}
	for _, to := range promises.Links(texts) {
		if !seen[to] {
			seen[to] = true
			tab.Go(to)
			shownPage{to, headings()[to]}.see(tab)
		}
	}
}

func TestWhoHasForgottenTheirPasswordFindsTheWayWhereTheySignIn(t *testing.T) {
	t.Parallel()
	look := browser.Desk
	look.BlockPopups = true
	tab := product.Visitor(t, look)
	tab.Click("link", "Sign in")
	tab.See("link", "Forgot your password?")
}
