//go:build full

package flows

import (
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/deploy/e2e/browser"
	"serein.app/deploy/e2e/harness"
	webv1 "serein.app/proto/gen/serein/web/v1"
)

func TestAMeditationIsDeletedFoundRecoveredAndRenamedInMyJourney(t *testing.T) {
	t.Parallel()
	tab, m := product.Member(t, browser.Desk)
	made, err := m.Generate(t.Context(), harness.SmallRequest("The long way home"))
	require.NoError(t, err)
	require.NoError(t, m.AwaitStage(t.Context(), made.GetId(), webv1.Stage_STAGE_READY))

	tab.Go("/journey")
	tab.See("tab", "Bespoke Meditations 1")
	tab.Click("button", "More for The long way home")
	tab.Click("menuitem", "Delete")
	tab.Text("“The long way home” is in Recently Deleted for two weeks.")
	tab.See("tab", "Recently Deleted 1")

	tab.Go("/journey?tab=deleted")
	tab.Expect("the days that are left", `document.querySelector('[role=timer]')?.getAttribute("aria-label")?.includes("13 days")`)
	tab.Focus("searchbox", "Search Journey Items")
	tab.Press("the long wya")
	tab.See("link", "The long way home")
	tab.Click("button", "Recover The long way home")
	tab.Text("“The long way home” is back among your Bespoke Meditations.")

	tab.Go("/journey")
	tab.Click("button", "More for The long way home")
	tab.Click("menuitem", "Rename")
	tab.Fill("Title", "The short way home")
	tab.Click("button", "Save")
	tab.See("link", "The short way home")
	tab.Gone("link", "The long way home")
}
