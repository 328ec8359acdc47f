package flows

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"serein.app/deploy/e2e/browser"
	"serein.app/deploy/e2e/harness"
)

func TestOtherTermsAreShownAndAgreedToOnceByMembersAndByWhoeverJoins(t *testing.T) { // not parallel: everybody who is signed in is asked again
	reader, m := product.Member(t, browser.Desk)
	before, err := m.TermsVersion(t.Context())
	require.NoError(t, err)
	sofar := agreedTo(t, m)
	day := time.Now().AddDate(0, 0, 1).Format(time.DateOnly)
	words := "What changed is said here, once: " + uuid.NewString()
	publishTerms(t, words, day)

	var version string
	require.NoError(t, harness.Eventually(t.Context(), "the new version", func(ctx context.Context) (bool, error) {
		version, err = m.TermsVersion(ctx)
		return version != before, err
	}))
	require.Contains(t, version, "terms "+day)
	agreeAgain(t, reader, version, words)
	require.Equal(t, []string{before, version}, slices.Compact(agreedTo(t, m)))
	require.Len(t, agreedTo(t, m), len(sofar)+1, "agreed to once")

	late := product.NewBrowser()
	stale := &harness.Member{Browser: late, Username: "late" + uuid.NewString()[:8], Email: uuid.NewString() + "@example.org", Password: harness.Password}
	_, err = late.Account.SignUp(t.Context(), stale.Answers(before))
	require.Equal(t, "terms_version", harness.RefusalOf(err).Field, "nobody can agree to the words of before any more")
	joined, err := product.SignUp(t.Context())
	require.NoError(t, err)
	require.Equal(t, []string{version}, agreedTo(t, joined))
}

// publishTerms changes the terms in the workroom: first without a new version, which is refused at its field.
func publishTerms(t *testing.T, words, day string) {
	t.Helper()
	tab, m := product.Member(t, browser.Desk)
	product.BecomeAdmin(t, m)
	tab.Go("/admin?tab=editor&type=termsAndConditions&id=terms-and-conditions")
	tab.Fill("Description", words)
	tab.ExpectErrors("EditorService/ChangeItem")
	saveAndPublish(tab)
	tab.Text("Members have agreed to different words under this version.")
	tab.Expect("the focus is on the version", `document.activeElement.type === "date"`)
	tab.Accessible()
	tab.Picture("legal-version")
	// The order in which a date's parts are typed is the browser's own.
	tab.Eval(fmt.Sprintf(`(() => {
		const field = document.activeElement;
		Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value").set.call(field, %q);
		field.dispatchEvent(new Event("input", { bubbles: true }));
	})()`, day))
	saveAndPublish(tab)
	tab.Said("It’s published.")
	tab.Gone("dialog", "Publish")
}

func saveAndPublish(tab *browser.Tab) {
	tab.Click("button", "Save")
	tab.Text("Everything is saved.")
	tab.Click("button", "Publish")
	tab.Expect("it asks first", `document.querySelector("dialog[open]") !== null`)
	tab.Click("button", "Publish")
}

// visit opens Home until the page names that version: each visit may reach another gateway, which keeps the version of before for seconds.
func visit(t *testing.T, tab *browser.Tab, version string) {
	t.Helper()
	require.NoError(t, harness.Eventually(t.Context(), "a page with "+version, func(context.Context) (bool, error) {
		tab.Go("/")
		return tab.Read(`JSON.parse(document.querySelector("#boot").textContent).termsVersion`) == version, nil
	}))
}

// agreeAgain is the next visit of somebody who has agreed to the words of before, and the one after it.
func agreeAgain(t *testing.T, tab *browser.Tab, version, words string) {
	t.Helper()
	visit(t, tab, version)
	tab.See("heading", "Our terms have changed")
	tab.Click("link", "terms and conditions")
	tab.See("heading", "Terms and conditions")
	tab.Text(words)
	visit(t, tab, version)
	tab.See("heading", "Our terms have changed")
	tab.Picture("terms-again")
	tab.Accessible()
	tab.Click("switch", "Terms and privacy required")
	tab.Click("button", "Update Consent and Preferences")
	tab.Gone("heading", "Our terms have changed")
	tab.Go("/about")
	tab.See("link", "Amara")
	tab.Gone("heading", "Our terms have changed")
}

// agreedTo are the versions of the texts that the member has agreed to, in their order, each as often as it was agreed to.
func agreedTo(t *testing.T, m *harness.Member) []string {
	t.Helper()
	versions, err := harness.SQL[[]string](t.Context(), product.Harness, "identity", `SELECT array_agg(c.version ORDER BY c.given_at)
		FROM consents c JOIN accounts a USING (uid) WHERE a.username = $1 AND c.kind = 'terms' AND c.given`, m.Username)
	require.NoError(t, err)
	return versions
}
