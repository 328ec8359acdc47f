package flows

import (
	"context"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"serein.app/deploy/e2e/browser"
	"serein.app/deploy/e2e/harness"
)

// script of a meditation that is narrated within seconds, and not at once.
var script = strings.Repeat(`Find the banister with one hand and let the other hang loose. The stairs have been climbed for tonight. [pause 4]

Somebody has left a lamp on for you. Notice how far its light comes along the floor, and where it stops. [pause 6]

Breathe out as if you were cooling a cup of tea. There is nothing to carry up now, and nothing to fetch. [pause 5]

`, 4)

// admin is signed in, in a browser of their own.
func admin(t *testing.T) *browser.Tab {
	t.Helper()
	tab, m := product.Member(t, browser.Desk)
	product.BecomeAdmin(t, m)
	return tab
}

// An admin fills an empty form, and a member hears the meditation. The admin may leave the page while it is made, and may undo a deletion.
func TestAnAdminMakesAMeditationThatAMemberFindsAndHears(t *testing.T) {
	t.Parallel()
	title := "A lamp on the landing " + uuid.NewString()[:8]
	tab := admin(t)
	listener, _ := product.Member(t, browser.Desk)
	listener.Go("/meditation-library?kind=voice&search=" + url.QueryEscape(title))
	listener.See("heading", "No results")

	tab.Go("/admin")
	tab.Text("Needs a title, a meditation type, a practice type and a script.")
	write(tab, "Script", title, script)
	previewIsHeard(tab)
	tab.Click("button", "Generate")
	leaveWhileItIsNarrated(tab, title)

	tab.Click("link", "Go to Unverified")
	tab.Click("button", "Delete "+title)
	tab.Text("“" + title + "” is deleted.")
	tab.Accessible()
	tab.Click("button", "Undo: bring "+title+" back")
	tab.Click("button", "Listen to "+title)
	tab.Expect("it is heard", heardAs("Sound of "+title))
	tab.Picture("unverified")
	tab.Accessible()
	tab.Click("button", "Verify "+title)
	tab.Text("“" + title + "” is verified, and in the library.")
	narrated := regexp.MustCompile(`have their narration: [1-9]\d* of [1-9]\d*\.`)
	require.NoError(t, harness.Eventually(t.Context(), "the status page says how many have their narration", func(ctx context.Context) (bool, error) {
		status, err := product.NewBrowser().Get(ctx, product.StatusURL()) // without the figure while the database is slow to give it
		return narrated.MatchString(status.Body), err
	}))

	listener.Go("/meditation-library?kind=voice&search=" + url.QueryEscape(title))
	listener.Click("button", "Play "+title)
	listener.See("button", "Pause "+title)
	listener.Expect("it is heard", `/\b0:(0[1-9]|[1-5]\d) of /.test(document.body.innerText)`) // what the small player says
}

func TestAnAdminPublishesAnArticleThatVisitorsReadToItsEnd(t *testing.T) {
	t.Parallel()
	title := "The Kettle and the Weather " + uuid.NewString()[:8]
	tab := admin(t)
	tab.Go("/admin?tab=article")
	write(tab, "Text", title, "Put the kettle on before you look at the forecast.\n\n## What comes after\n\nThe rain will be there either way.\n")
	tab.Click("switch", "Open to everybody Visitors can read all of it")
	tab.Accessible()
	tab.Click("button", "Generate")
	tab.Click("link", "Read the article")
	tab.See("heading", title)

	reader := product.Visitor(t, browser.Desk)
	reader.Go(tab.Path())
	reader.See("heading", title)
	reader.See("heading", "What comes after")
	reader.Text("The rain will be there either way.")
	reader.Accessible()
}

// write fills one of the two forms.
func write(tab *browser.Tab, field, title, text string) {
	tab.Fill("Title", title)
	tab.Choose("Meditation type", "Gratitude")
	tab.Choose("Practice type", "Zen (Zazen)")
	tab.Fill(field, text)
}

func previewIsHeard(tab *browser.Tab) {
	tab.Click("button", "Hear the first passage")
	tab.Expect("the first passage is heard", heardAs("The first passage, by Wren"))
	tab.Picture("form")
	tab.Accessible()
}

func leaveWhileItIsNarrated(tab *browser.Tab, title string) {
	tab.Text("You can leave this page; it will be under Unverified.")
	tab.Picture("narrating")
	tab.Click("link", "Articles")
	tab.See("heading", "Articles")
	tab.Back()
	tab.See("heading", workroom)
	tab.Text("“" + title + "” is narrated.")
	tab.Accessible()
}

// heardAs is true where the browser's own player of that name has played some of its sound.
func heardAs(name string) string {
	return `[...document.querySelectorAll("audio")].find((a) => a.getAttribute("aria-label") === "` + name + `")?.currentTime > 0.5`
}
