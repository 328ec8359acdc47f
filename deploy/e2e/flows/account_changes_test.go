package flows

import (
	"context"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"serein.app/deploy/e2e/browser"
	"serein.app/deploy/e2e/harness"
	"serein.app/deploy/e2e/suite"
)

func TestAnotherAddressIsTheMembersOnceTheCodesOfBothMailboxesAreEntered(t *testing.T) {
	t.Parallel()
	tab, m := product.Member(t, browser.Desk)
	fresh := "new" + uuid.NewString()[:8] + "@example.org"
	tab.Go("/members")
	tab.Click("button", "Change your email")
	tab.Fill("New email", fresh)
	tab.Fill("Current password", m.Password)
	tab.Picture("email")
	tab.Accessible()
	tab.Click("button", "Send the codes")
	present := letterCode(t, m.Email, "A new address for your account")
	other := letterCode(t, fresh, "Your code for this address")

	tab.Go("/members") // a change that waits for its codes is still shown after the page is opened again
	tab.Fill("Code sent to "+m.Email, present)
	tab.Fill("Code sent to "+fresh, wrongCode(other))
	tab.Click("button", "Confirm the new email")
	tab.Text("That code does not match.")
	tab.IgnoreErrors() // the refusal's status stands in the console
	suite.EachLook(tab, "codes")
	tab.Fill("Code sent to "+fresh, other)
	tab.Click("button", "Confirm the new email")
	tab.Text("Your email is now " + fresh + ".")
	tab.Text(fresh + ", confirmed")
	product.RequireLetter(t, m, "Your address has changed")

	with := product.Visitor(t, browser.Look{Width: 1440, Height: 900, Theme: "light", BlockPopups: true})
	with.Click("link", "Sign in")
	m.Username = fresh
	suite.SignIn(with, m)
	with.See("link", "Amara")
}

// letterCode waits for the letter with that subject, and gives the code in it.
func letterCode(t *testing.T, to, subject string) (code string) {
	t.Helper()
	require.NoError(t, harness.Eventually(t.Context(), "the letter "+subject, func(ctx context.Context) (bool, error) {
		mails, err := product.Mails(ctx, to)
		for _, mail := range mails {
			if mail.Subject == subject {
				code = harness.CodeIn(mail.Text)
				return code != "", err
			}
		}
		return false, err
	}))
	return code
}

// wrongCode is another code of six digits.
func wrongCode(code string) string {
	return strings.Map(func(r rune) rune { return '0' + (r-'0'+1)%10 }, code)
}
