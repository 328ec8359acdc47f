package e2e

import (
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"serein.app/deploy/e2e/browser"
	"serein.app/deploy/e2e/harness"
	webv1 "serein.app/proto/gen/serein/web/v1"
)

// newPassword is what the tests change a password to.
const newPassword = "Seven-quiet-herons-4"

func TestAChangedNameShowsAtOnceAndAChangedPasswordSignsEveryOtherBrowserOut(t *testing.T) {
	t.Parallel()
	tab, m := member(t, browser.Desk)
	other := visitor(t, browser.Look{Width: 1440, Height: 900, Theme: "light", BlockPopups: true})
	other.Click("link", "Sign in")
	signIn(other, m)
	other.See("link", "Amara")

	tab.Go("/members")
	changeName(tab)
	changePassword(tab, m)
	requireLetter(t, m, "Your password has changed")

	signedOutElsewhere(t, m)
	other.ExpectErrors("401") // of a session that has ended, and of the old password
	other.Go("/members")
	other.Click("button", "Sign in") // asked for by the page itself, or by its calls where it was sent a moment too early
	signIn(other, m)
	other.See("alert", "") // the old password is refused
	m.Password = newPassword
	signIn(other, m)
	other.See("link", "Ama")
	tab.Go("/journey")
	tab.See("link", "Ama") // who changed it is still signed in
}

func changeName(tab *browser.Tab) {
	tab.Click("button", "Change your name")
	tab.Fill("First Name", "Ama")
	tab.Accessible()
	tab.Picture("name")
	tab.Click("button", "Save the name")
	tab.Text("Your name is changed.")
	tab.Text("Ama Lindqvist")
	tab.See("link", "Ama")
}

func changePassword(tab *browser.Tab, m *harness.Member) {
	tab.Click("button", "Change your password")
	tab.Fill("Present password", "not the password")
	tab.Fill("New password", newPassword)
	tab.Picture("password")
	tab.Accessible()
	tab.Click("button", "Save the password")
	tab.Text("That is not your password.")
	tab.IgnoreErrors() // the refusal's status stands in the console
	tab.Fill("Present password", m.Password)
	tab.Click("button", "Save the password")
	tab.Text("Your password is changed. Every other device is signed out.")
}

// signedOutElsewhere waits until the member's session in the harness has ended with the others.
func signedOutElsewhere(t *testing.T, m *harness.Member) {
	t.Helper()
	require.NoError(t, harness.Eventually(t.Context(), "the other sessions end", func() (bool, error) {
		session, err := m.Session.GetSession(t.Context(), &webv1.GetSessionRequest{})
		return err == nil && session.GetMember() == nil, err
	}))
}

func TestAnotherAddressIsTheMembersOnceTheCodesOfBothMailboxesAreEntered(t *testing.T) {
	t.Parallel()
	tab, m := member(t, browser.Desk)
	fresh := "new" + uuid.NewString()[:8] + "@example.org"
	tab.Go("/members")
	tab.Click("button", "Change your email")
	tab.Fill("New email", fresh)
	tab.Fill("Present password", m.Password)
	tab.Picture("email")
	tab.Accessible()
	tab.Click("button", "Send the codes")
	present := letterCode(t, m.Email, "Another address for your account")
	other := letterCode(t, fresh, "Your code for this address")

	tab.Go("/members") // what waits is there when the page is opened anew
	tab.Fill("Code sent to "+m.Email, present)
	tab.Fill("Code sent to "+fresh, wrongCode(other))
	tab.Click("button", "Confirm the new email")
	tab.Text("That code does not match.")
	tab.IgnoreErrors() // the refusal's status stands in the console
	eachLook(tab, "codes")
	tab.Fill("Code sent to "+fresh, other)
	tab.Click("button", "Confirm the new email")
	tab.Text("Your email is " + fresh + " now.")
	tab.Text(fresh + ", confirmed")
	requireLetter(t, m, "Your address has changed")

	with := visitor(t, browser.Look{Width: 1440, Height: 900, Theme: "light", BlockPopups: true})
	with.Click("link", "Sign in")
	m.Username = fresh
	signIn(with, m)
	with.See("link", "Amara")
}

// letterCode waits for the letter with that subject, and gives the code in it.
func letterCode(t *testing.T, to, subject string) (code string) {
	t.Helper()
	require.NoError(t, harness.Eventually(t.Context(), "the letter "+subject, func() (bool, error) {
		mails, err := product.Mails(t.Context(), to)
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

func TestADeletedAccountIsToldUntilWhenAndSigningInUndoesIt(t *testing.T) {
	t.Parallel()
	tab, m := member(t, browser.Desk)
	tab.Go("/members")
	tab.Click("button", "Delete my account")
	tab.Text("You have 14 days to change your mind")
	tab.Fill("To be sure, enter your password", "not the password")
	eachLook(tab, "delete")
	tab.Click("button", "Delete my account")
	tab.Text("That is not your password.")
	tab.IgnoreErrors() // the refusal's status stands in the console
	tab.Fill("To be sure, enter your password", m.Password)
	tab.Click("button", "Delete my account")

	tab.See("heading", "Your account will be deleted")
	tab.Expect("the page is a visitor's", `location.pathname === "/"`)
	tab.Text("Until then you can sign in")
	eachLook(tab, "left")
	requireLetter(t, m, "Your account will be deleted, as you wished")
	signedOutElsewhere(t, m)

	tab.Click("button", "Sign in to keep it")
	signIn(tab, m)
	tab.See("heading", "You asked us to delete this account")
	tab.Click("button", "Keep my account")
	tab.See("link", "Amara")
	tab.Expect("it leads to the Members Area", `location.pathname === "/members"`)
	tab.See("button", "Delete my account")
	tab.Gone("heading", "Your account will be deleted")
}
