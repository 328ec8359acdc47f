package flows

import (
	"cmp"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"serein.app/deploy/e2e/browser"
	"serein.app/deploy/e2e/harness"
	"serein.app/deploy/e2e/suite"
	webv1 "serein.app/proto/gen/serein/web/v1"
)

// headings are what each page of the app is known by; ":id" stands for a meditation's.
func headings() map[string]string {
	return map[string]string{
		"/": "Quiet, made to measure", "/login": "Welcome back", "/signup": "Create Account", "/signup/confirm": "Confirm Account",
		"/bespoke-meditation-generator": "Make a meditation", "/bespoke-meditation-generator/:id": dayDown,
		"/bespoke-meditation-generator/script/:script": dayDown,
		"/journey": "My Journey", "/journey/:id": dayDown, "/journey/diary": "Your listening diary", "/members": anyGreeting, "/members/credits": "Your credits",
		"/kept": "Kept on this device", "/articles": "Articles", "/articles/:slug": suite.OpenTitle, "/meditation-library": "Meditation Library", "/sitemap": "Sitemap",
		"/courses": "Courses", "/courses/:course": suite.CourseTitle,
		"/memberships": "A place to come back to", "/apparel": "Soft things for slow hours", "/basket": "Basket",
		// An empty basket has nothing to pay for: its page comes instead.
		"/checkout": "Basket", "/order-success": "We can’t find this order", "/orders": "Orders", "/test-payment": "Test payment",
		"/timer": "Timer and breath", "/reminders": "Reminders",
		"/shared/:token": "This link doesn’t lead anywhere", // of a link that nobody has made
		"/debug-sign-in": debugHeading, "/admin": workroom, "/about": "About", "/contact": "Write to us", "/terms-and-conditions": "Terms and conditions", "/privacy-policy": "Privacy",
	}
}

const (
	// dayDown is the title of the meditation that is looked at.
	dayDown = "Setting the day down"
	// debugHeading is that of the page for those who debug a sign-in.
	debugHeading = "Sign-in, from the inside"
	workroom     = "Admin"
	// anyGreeting stands for what the Members Area says in the morning, in the afternoon and in the evening.
	anyGreeting = "Good morning, afternoon or evening"
)

type shownPage struct{ pattern, heading string }

// name is for its pictures.
func (p shownPage) name() string {
	return cmp.Or(strings.Trim(strings.NewReplacer("/", "-", ":", "", "?tab=", "-").Replace(p.pattern), "-"), "home")
}

// path of the page, of the meditation with that id or of the script with that one.
func (p shownPage) path(id, script string) string {
	return strings.NewReplacer(":id", id, ":script", script, ":slug", suite.OpenSlug, ":course", suite.CourseSlug).Replace(p.pattern)
}

// see waits for the page's heading.
func (p shownPage) see(tab *browser.Tab) {
	if p.heading == anyGreeting {
		tab.Expect("the member is greeted", `/^Good (morning|afternoon|evening), Amara$/.test(document.querySelector("main h1")?.textContent)`)
		return
	}
	tab.See("heading", p.heading)
}

// pagesShown are all pages of the app, from its own list: those of visitors, those that members alone have or
// that look different to them, and those of admins. A page without a known heading fails the test.
func pagesShown(t *testing.T) (visitors, members, admins []shownPage) {
	t.Helper()
	known := headings()
	add := func(to *[]shownPage, pattern string) {
		require.Contains(t, known, pattern, "no test looks at this page")
		*to = append(*to, shownPage{pattern, known[pattern]})
	}
	for _, page := range product.App.Pages {
		switch {
		case page.Access == "admin":
			add(&admins, page.Path)
			for _, tab := range []string{"article", "unverified", "editor", "trail"} {
				admins = append(admins, shownPage{page.Path + "?tab=" + tab, known[page.Path]})
			}
		case page.Access != "everyone":
			add(&members, page.Path)
		case strings.HasSuffix(page.Path, "/:id"):
			add(&members, page.Path)
		case page.Path == "/bespoke-meditation-generator":
			add(&visitors, page.Path)
			add(&members, page.Path)
		default:
			add(&visitors, page.Path)
		}
	}
	add(&members, "/")
	return append(visitors, shownPage{"/no-such-page", "Page Not Found"}), members, admins
}

// madeBy makes the meditation that is looked at, and gives its id.
func madeBy(t *testing.T, m *harness.Member) string {
	t.Helper()
	made, err := m.Generate(t.Context(), harness.SmallRequest(dayDown))
	require.NoError(t, err)
	_, err = m.AwaitEnd(t.Context(), made.GetId())
	require.NoError(t, err)
	return made.GetId()
}

// writtenFor has a script written that the member reads first, and gives its id.
func writtenFor(t *testing.T, m *harness.Member) string {
	t.Helper()
	asked := harness.SmallRequest(dayDown)
	written, err := m.Drafts.CreateDraft(t.Context(), &webv1.CreateDraftRequest{
		Title: asked.GetTitle(), TypeId: asked.GetTypeId(), PracticeId: asked.GetPracticeId(), SizeId: asked.GetSizeId(),
		IdempotencyKey: uuid.NewString(), LocalDate: asked.GetLocalDate(),
	})
	require.NoError(t, err)
	return written.GetDraft().GetId()
}
