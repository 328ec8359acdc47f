package flows

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/deploy/e2e/browser"
	"serein.app/deploy/e2e/harness"
)

// promise is what a text says can be done on a page, and what is there to do it.
type promise struct {
	// says is a part of the text, page the address that it names.
	says, page string
	// role and name of what is there for it.
	role, name string
}

// promises of the questions and answers, of About and of the Memberships page to a member of Core.
var promises = []promise{
	{"under Cancel Membership", "/members", "button", "Cancel at the period’s end"},
	{"The Members Area still leads to everything you’ve made", "/members", "link", "Everything you’ve made"},
	{"the Members Area still leads to it", "/members", "link", "Everything you’ve made"},
	{"Choose Change Plan on Memberships", "/memberships", "button", "Change Plan: Premium"},
	{"You can change at any time on Memberships", "/memberships", "button", "Change Plan: Premium"},
	{"Choose Yearly above the plans", "/memberships", "radio", "Yearly"},
	{"You can change your card in the Members Area", "/members", "button", "Update your card"},
	{"shows how long is left", "/members", "heading", "My Subscription"},
	{"you can see every change to your credits", "/members/credits", "heading", "Your credits"},
	{"under Leaving", "/members", "button", "Delete my account"},
	{"download a copy of everything", "/members", "button", "Make my copy"},
	{"You can download everything in one go", "/members", "button", "Make my copy"},
	{"invite them from the Members Area", "/members", "button", "Send the invitation"},
	{"Analytics and marketing emails are off until you switch them on", "/members", "button", "Review"},
	{"cancel a membership in the Members Area", "/members", "button", "Cancel at the period’s end"},
	{"You can change or cancel any time, in the Members Area", "/members", "button", "Cancel at the period’s end"},
	{"You can search them", "/journey", "searchbox", "Search Journey Items"},
	{"You can search it and play it again", "/journey", "searchbox", "Search Journey Items"},
	{"you’ll find it in My Journey", "/journey", "heading", "My Journey"},
	{"everything you’ve made is in My Journey", "/journey", "heading", "My Journey"},
	{"which is on Orders", "/orders", "heading", "Orders"},
}

var (
	markdownLink = regexp.MustCompile(`\[([^\]]+)\]\((/[^)]*)\)`)
	// personal are the pages on which something is done with what is one's own.
	personal = regexp.MustCompile(`\]\(/(members|journey|orders)\b`)
)

// editorialTexts are the texts by editors that say where something is done, in Markdown.
func editorialTexts(t *testing.T) (texts []string) {
	t.Helper()
	texts, err := harness.SQL[[]string](t.Context(), product.Harness, "content", `SELECT array_agg(text) FROM (
		SELECT fields -> 'answer' ->> 'en-GB' AS text FROM published WHERE environment = 'master' AND content_type = 'faq'
		UNION ALL SELECT fields -> 'subtitle' ->> 'en-GB' FROM published WHERE environment = 'master' AND content_type = 'membershipPage'
		UNION ALL SELECT part FROM published, regexp_split_to_table(fields -> 'body' ->> 'en-GB', E'\n\n+') AS part
			WHERE environment = 'master' AND content_type = 'page' AND id = 'about') AS texts`)
	require.NoError(t, err)
	require.NotEmpty(t, texts)
	return texts
}

// TestEachTextThatSaysWhereSomethingIsDoneLeadsThere holds promises and screens together: what names a page of one's own must
// have a row above, each row must be said somewhere, and what it names must be there.
func TestEachTextThatSaysWhereSomethingIsDoneLeadsThere(t *testing.T) {
	t.Parallel()
	texts, said := editorialTexts(t), map[string]bool{}
	for _, text := range texts {
		plain, known := markdownLink.ReplaceAllString(text, "$1"), false
		for _, p := range promises {
			if strings.Contains(plain, p.says) {
				known, said[p.says] = true, true
			}
		}
		require.True(t, known || !personal.MatchString(text), "no row says where this leads: %s", text)
	}
	tab, m := product.Member(t, browser.Desk)
	product.Subscribe(t, m)
	for _, p := range promises {
		require.True(t, said[p.says], "nobody says %q any more", p.says)
		if tab.Path() != p.page {
			tab.Go(p.page)
		}
		tab.See(p.role, p.name)
	}
	seen := map[string]bool{"/login": true} // a member is signed in
	for _, link := range markdownLink.FindAllStringSubmatch(strings.Join(texts, "\n"), -1) {
		if to := link[2]; !seen[to] {
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
