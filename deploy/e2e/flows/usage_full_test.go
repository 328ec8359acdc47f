//go:build full

package flows

import (
	"encoding/json"
	"fmt"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/deploy/e2e/browser"
)

// reports are how many pages this tab has reported since it was loaded.
const reports = `performance.getEntriesByType("resource").filter(({ name }) => name.endsWith("/ReportPage")).length`

// usedCode is whether the chunk that reports pages came, whose name the build's manifest knows.
func usedCode(t *testing.T) string {
	t.Helper()
	raw, err := os.ReadFile("../../../frontend/dist/.vite/manifest.json")
	require.NoError(t, err)
	var manifest map[string]struct{ File string }
	require.NoError(t, json.Unmarshal(raw, &manifest))
	file := manifest["src/app/usage.ts"].File
	require.NotEmpty(t, file)
	return fmt.Sprintf(`performance.getEntriesByType("resource").some(({ name }) => name.endsWith(%q))`, file)
}

// Only who agrees to analytics is counted, from then on, and not a page longer than that.
func TestPagesAreCountedWhileAMemberAgreesToItAndNoLonger(t *testing.T) {
	t.Parallel()
	usedCode := usedCode(t)
	tab, _ := product.Member(t, browser.Desk)
	walk := func() {
		for _, page := range [][2]string{{"Memberships", "A place to come back to"}, {"Bespoke Meditation Generator", "Make a meditation"}} {
			tab.Click("link", page[0])
			tab.See("heading", page[1])
		}
	}
	walk()
	tab.Expect("nothing was reported, and nothing came that could", reports+` === 0 && !`+usedCode)

	answer := func() {
		tab.Go("/members")
		tab.Click("button", "Review")
		tab.Click("switch", "Analytics")
		tab.Click("button", "Update Consent and Preferences")
		tab.Gone("button", "Update Consent and Preferences")
	}
	answer()
	tab.Expect("the page that one is on is reported", reports+` === 1`)
	tab.Go("/")
	tab.Expect("and every other", reports+` === 1`)
	walk()
	tab.Expect("as it is opened", reports+` === 3`)
	require.Equal(t, "true", tab.Read(`String(`+usedCode+`)`))

	answer()
	before := tab.Read(`String(` + reports + `)`)
	walk()
	require.Equal(t, before, tab.Read(`String(`+reports+`)`), "nothing more once it was taken back")
	tab.Go("/")
	walk()
	tab.Expect("nor later, without the code", reports+` === 0 && !`+usedCode)
}
