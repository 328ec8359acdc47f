package calls

import (
	"context"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/deploy/e2e/harness"
	webv1 "serein.app/proto/gen/serein/web/v1"
)

var unsubscribeLink = regexp.MustCompile(`https?://\S+/unsubscribe/[\w-]+`)

// A trial that ends soon is said once. Scanners of mail may look at the letter's link; a mail program's one click (RFC 8058) ends
// such letters and no others, without a session and without a header of ours.
func TestALetterIsSentOnceAndItsLinkEndsSuchLettersAtOneClickAlone(t *testing.T) {
	t.Parallel()
	m, err := product.NewMember(t.Context())
	require.NoError(t, err)
	agreeToMarketing(t, m)
	lookAtTrial(t, m, "ends_at = now() + interval '47 hours', ")
	product.RequireLetter(t, m, "Your trial ends soon")
	lookAtTrial(t, m, "")
	said, link := "", ""
	mails, err := product.Mails(t.Context(), m.Email)
	require.NoError(t, err)
	for _, mail := range mails {
		if mail.Subject == "Your trial ends soon" {
			require.Empty(t, said, "it is said once")
			said, link = mail.Text, unsubscribeLink.FindString(mail.Text)
		}
	}
	require.NotEmpty(t, link, said)

	scanner := product.NewBrowser()
	for range 2 {
		page, err := scanner.Get(t.Context(), link)
		require.NoError(t, err)
		require.Equal(t, http.StatusOK, page.StatusCode)
		require.Contains(t, page.Body, "you won’t get any more emails that remind you about your trial and your credits.")
	}
	require.True(t, lettersOf(t, m).GetReminders(), "looking changes nothing")

	page := oneClick(t, link)
	require.Equal(t, http.StatusOK, page.StatusCode)
	wishes := lettersOf(t, m)
	require.False(t, wishes.GetReminders())
	require.True(t, wishes.GetRewards(), "the others are wished as before")
	done, err := scanner.Get(t.Context(), link)
	require.NoError(t, err)
	require.Contains(t, done.Body, "You won’t get any more emails that remind you about your trial and your credits.")
}

// agreeToMarketing gives the consent as the dialog does, and waits until mail has been told.
func agreeToMarketing(t *testing.T, m *harness.Member) {
	t.Helper()
	version, err := m.TermsVersion(t.Context())
	require.NoError(t, err)
	_, err = m.Consents.UpdateConsents(t.Context(), &webv1.UpdateConsentsRequest{
		Consents: &webv1.Consents{Terms: true, Essentials: true, Marketing: true, TermsVersion: version},
	})
	require.NoError(t, err)
	require.NoError(t, harness.Eventually(t.Context(), "mail knows the consent", func(ctx context.Context) (bool, error) {
		return harness.SQL[bool](ctx, product.Harness, "mail", "SELECT coalesce(bool_or(given), false) FROM marketing WHERE uid = $1", m.UID)
	}))
}

// lookAtTrial has billing look at the member's trial now, and waits until it has.
func lookAtTrial(t *testing.T, m *harness.Member, set string) {
	t.Helper()
	_, err := harness.SQL[string](t.Context(), product.Harness, "billing", "UPDATE subscriptions SET "+set+"due_at = now() WHERE uid = $1 RETURNING plan_id", m.UID)
	require.NoError(t, err)
	require.NoError(t, harness.Eventually(t.Context(), "billing has looked at the trial", func(ctx context.Context) (bool, error) {
		return harness.SQL[bool](ctx, product.Harness, "billing", "SELECT due_at = ends_at AND notices = 1 FROM subscriptions WHERE uid = $1", m.UID)
	}))
}

func lettersOf(t *testing.T, m *harness.Member) *webv1.Letters {
	t.Helper()
	res, err := m.Memberships.GetMembership(t.Context(), &webv1.GetMembershipRequest{})
	require.NoError(t, err)
	require.NotNil(t, res.GetLetters())
	return res.GetLetters()
}

// oneClick is what a mail program sends.
func oneClick(t *testing.T, link string) *http.Response {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, link, strings.NewReader("List-Unsubscribe=One-Click"))
	require.NoError(t, err)
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	res, err := product.NewBrowser().Do(req)
	require.NoError(t, err)
	require.NoError(t, res.Body.Close())
	return res
}
