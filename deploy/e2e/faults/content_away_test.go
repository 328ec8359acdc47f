package faults

import (
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/deploy/e2e/browser"
	"serein.app/deploy/e2e/suite"
)

const (
	// read is an article that the member has opened before content goes away, unread one of which only the card was seen.
	read, unread = "Pack for a Bad Day on a Good One", "A Map of the Argument You Keep Having"
	// outOfReach and nextStep are said of what cannot be brought just now.
	outOfReach, nextStep = "We can’t reach Serein", "Nothing is lost; please try again in a moment."
)

func TestContentKilledUnderAnOpenAppLeavesWhatIsKnownAndEveryErrorNamesTheNextStep(t *testing.T) { // not parallel: it kills content
	ctx := t.Context()
	guest := product.Visitor(t, browser.Desk)
	guest.Go("/articles/" + suite.OpenSlug)
	guest.See("heading", suite.OpenTitle)
	tab, _ := product.Member(t, browser.Desk)
	tab.Go("/articles")
	tab.Expect("the app has started", browser.Started("main h1"))
	tab.Click("link", read)
	tab.Text("View all articles")
	tab.Back()
	tab.See("link", unread)

	tab.ExpectErrors("Failed to load resource")
	kill(t, "content")
	guest.Go("/articles/" + suite.OpenSlug) // loads the whole document again, from the gateway's copy
	guest.See("heading", suite.OpenTitle)
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
	likeIsBusyUntilItIsAnswered(tab)
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

// likeIsBusyUntilItIsAnswered likes the article that is open while the page is not told the answer.
func likeIsBusyUntilItIsAnswered(tab *browser.Tab) {
	const likes = "*/serein.web.v1.ItemService/SetLike"
	answer := tab.HoldBack(likes)
	tab.Eval(`document.querySelector("` + heart + `").click()`)
	tab.Held(likes)
	tab.Expect("the heart waits for the answer", `document.querySelector("`+heart+`[aria-busy=true]")`)
	answer()
}

// likeIsTakenBack likes the article that is open, and nobody keeps it.
func likeIsTakenBack(tab *browser.Tab) {
	tab.Eval(`document.querySelector("` + heart + `").click()`)
	tab.Said(nextStep)
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
