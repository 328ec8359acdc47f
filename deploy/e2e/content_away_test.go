package e2e

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"serein.app/deploy/e2e/browser"
)

const (
	// read is an article that the member has opened before content goes away, unread one of which only the card was seen.
	read, unread = "Pack for a Bad Day on a Good One", "A Map of the Argument You Keep Having"
	// outOfReach and nextStep are said of what cannot be brought just now.
	outOfReach, nextStep = "Serein is out of reach", "Nothing is lost; please try again in a moment."
)

func TestContentKilledUnderAnOpenAppLeavesWhatIsKnownAndEveryErrorNamesTheNextStep(t *testing.T) { // not parallel: it kills content
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	guest := visitor(t, browser.Desk)
	guest.Go("/articles/" + openSlug)
	guest.See("heading", openTitle)
	tab, _ := member(t, browser.Desk)
	tab.Go("/articles")
	tab.Expect("the app has started", browser.Started("main h1"))
	tab.Click("link", read)
	tab.Text("View all articles")
	tab.Back()
	tab.See("link", unread)

	tab.ExpectErrors("Failed to load resource")
	kill(t, "content")
	guest.Go("/articles/" + openSlug) // the whole document anew, from the gateway's copy
	guest.See("heading", openTitle)
	guest.Accessible()
	tab.Click("link", read)
	tab.Text("View all articles")
	likeIsTakenBack(tab)
	tab.Back()
	opensNothingUnread(tab)
	tab.Back()
	searchesInVain(tab)

	revive(ctx, t, "content")
	require.NoError(t, product.AwaitReady(ctx))
	tab.Click("button", "Try again")
	tab.See("link", unread)
	tab.Click("link", unread)
	tab.Text("View all articles")
	tab.Expect("the heart can be pressed again", notLiked)
	tab.Eval(`document.querySelector("` + heart + `").click()`)
	tab.Expect("the like is kept", liked)
	tab.Go(tab.Path())
	tab.Expect("the like is there after a reload", liked)
}

const (
	// heart is the like button of an article's own page; its name has the count, which other members change.
	heart           = "article header button[aria-pressed]"
	liked, notLiked = `document.querySelector("` + heart + `[aria-pressed=true]:not([aria-busy])")`,
		`document.querySelector("` + heart + `[aria-pressed=false]:not([aria-busy])")`
)

// likeIsTakenBack likes the article that is open, and nobody keeps it.
func likeIsTakenBack(tab *browser.Tab) {
	tab.Eval(`document.querySelector("` + heart + `").click()`)
	tab.Text(nextStep)
	tab.Expect("the heart is as it was", notLiked)
	tab.Picture("like")
}

// opensNothingUnread opens an article from its card; trying again while content is away says the same again.
func opensNothingUnread(tab *browser.Tab) {
	tab.Click("link", unread)
	tab.See("heading", outOfReach)
	tab.Text(nextStep)
	tab.Accessible()
	tab.Picture("article")
	tab.Click("button", "Try again")
	tab.See("heading", outOfReach)
	tab.See("button", "Try again")
}

// searchesInVain asks the list for what it does not have yet.
func searchesInVain(tab *browser.Tab) {
	tab.See("link", read)
	tab.Focus("searchbox", "Search articles")
	tab.Press("argument")
	tab.See("heading", outOfReach)
	tab.Text(nextStep)
	tab.Accessible()
	tab.Picture("list")
}
