//go:build full

package flows

import (
	"context"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"serein.app/deploy/e2e/harness"
)

func TestWhatAnEditorPublishesStandsOnItsPage(t *testing.T) { // not parallel: it changes what all are shown
	words := "Ten quiet minutes, and a place to leave your shoes: " + uuid.NewString()[:8]
	tab := admin(t)
	tab.Go("/admin?tab=editor&type=homepage")
	tab.Click("link", "Ten quiet minutes should be easy to find, in words that fit, on an ordinary day.")
	tab.Fill("Description", words)
	saveAndPublish(tab)
	tab.Said("It’s published.")

	reader := product.NewBrowser()
	require.NoError(t, harness.Eventually(t.Context(), "the new words on Home", func(ctx context.Context) (bool, error) {
		home, err := reader.Get(ctx, "/")
		return strings.Contains(home.Body, words), err
	}))
	tab.Go("/")
	tab.Text(words)
}
