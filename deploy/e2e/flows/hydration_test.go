package flows

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/deploy/e2e/browser"
	"serein.app/deploy/e2e/suite"
)

// slowdown of the visitor's processor, on which many frames are drawn before the app takes over. Chromium makes it slow by keeping it busy.
const slowdown = 3

// takenOver are the pages that every change is tried with; a run with all there is has every page that the build has written.
var takenOver = []string{"/", "/articles/:slug", "/memberships"}

// The build has written the markup of these pages, and the app takes it over: nobody ever sees it go.
func TestTheMarkupOfAPageIsTakenOverAndNeverSwapped(t *testing.T) {
	t.Parallel()
	signedIn, _ := product.Member(t, browser.Desk)
	guest := product.Chromium.Person(t, product.URL(), browser.Desk)
	guest.Slow(slowdown)
	for _, tab := range []*browser.Tab{guest, signedIn} {
		tab.WatchHeading()
	}
	var written, looked int
	for _, page := range product.App.Pages {
		if !page.Written {
			continue
		}
		written++
		if page.Path == "/checkout" {
			continue // the app leads a visitor with nothing to pay for to the basket
		}
		if !suite.Full && !slices.Contains(takenOver, page.Path) {
			continue
		}
		looked++
		path := strings.NewReplacer(":slug", suite.OpenSlug, ":course", suite.CourseSlug).Replace(page.Path)
		if page.Access == "everyone" {
			requireTakenOver(t, guest, path)
		}
		// Signed-in members are led on from what is for visitors.
		if page.Path != "/login" && page.Path != "/signup" && page.Path != "/signup/confirm" {
			requireTakenOver(t, signedIn, path)
		}
	}
	require.GreaterOrEqual(t, written, 6)
	require.GreaterOrEqual(t, looked, len(takenOver))
}

func requireTakenOver(t *testing.T, tab *browser.Tab, path string) {
	t.Helper()
	tab.Go(path)
	heading := tab.Heading()
	require.True(t, heading.Seen, "%s has no heading before the app starts", path)
	require.Zero(t, heading.FramesWithout, "%s was shown without its heading (of %d frames)", path, heading.Frames)
	require.True(t, heading.Same, "%s has another heading than the one that was written", path)
}
