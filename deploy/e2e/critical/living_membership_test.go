package critical

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"serein.app/deploy/e2e/browser"
	"serein.app/deploy/e2e/harness"
	"serein.app/deploy/e2e/suite"
	webv1 "serein.app/proto/gen/serein/web/v1"
	"serein.app/services/testkit/paymentsandbox"
)

// What comes after the first payment: changed for the exact amount, set to end, kept, and renewed, each said on the page and by letter.
func TestAMembershipIsChangedCancelledKeptAndRenewed(t *testing.T) {
	t.Parallel()
	tab, m := product.Member(t, browser.Desk)
	product.Subscribe(t, m)
	tab.Go("/memberships")
	tab.Click("button", "Change Plan: Premium")
	tab.See("heading", "Change to Premium?")
	tab.Text("your plan credits become 60") // in the first hour all of them
	tab.Text("Core, not used")              // what the amount is made of
	suite.OnPhone(tab, "change-plan")
	tab.Click("button", "Pay £5.00 and change")
	tab.See("heading", "You’re on Premium now")
	tab.Click("button", "Done")
	requireCredits(t, m, suite.PremiumCredits, 0)
	product.RequireLetter(t, m, "Premium")

	tab.Go("/members")
	tab.Text("Premium, monthly")
	tab.Text("60 of 60") // which is what the change gave
	tab.Click("button", "Cancel at the period’s end")
	tab.See("heading", "Cancel at the period’s end?")
	tab.Click("radio", "I’m not using it enough")
	suite.OnPhone(tab, "cancel-membership")
	tab.Click("button", "Cancel Membership")
	tab.Text("Nothing changes until then, and one click keeps it.")
	tab.Gone("button", "Cancel at the period’s end")
	tab.Go("/members")
	tab.See("button", "Keep my membership")
	suite.OnPhone(tab, "members-cancelling")
	product.RequireLetter(t, m, "basic account")
	tab.Click("button", "Keep my membership")
	tab.Text("Premium carries on.")
	tab.See("button", "Cancel at the period’s end")

	passMonth(t, m)
	requireMembership(t, m, "it renews", func(s *webv1.Membership) bool {
		return s.GetStatus() == webv1.MembershipStatus_MEMBERSHIP_STATUS_ACTIVE && s.GetEndsAt().AsTime().After(time.Now().AddDate(0, 1, 2))
	})
	requireCredits(t, m, suite.PremiumCredits, 0)
	product.RequireLetter(t, m, "renewed")
	tab.Go("/members")
	tab.Text("Premium renewed")
	tab.Text("Premium membership, renewal")
	tab.Click("link", "See every entry")
	tab.See("heading", "Your credits")
	tab.Text("Changed to Premium")
	tab.Text("Free trial began")
	suite.OnPhone(tab, "ledger")
	require.Len(t, suite.PaidOrders(t, m), 3) // begun, changed, renewed
}

// A renewal that fails leaves everything open for a while and says so; the mended card pays it, once.
func TestARenewalThatFailsIsSaidAndMended(t *testing.T) {
	t.Parallel()
	tab, m := product.Member(t, browser.Desk)
	product.Subscribe(t, m)
	customer := customerOf(t, m)
	payments(t, "card", map[string]any{"customer": customer, "card": paymentsandbox.FailsAtRenewal})
	requireMembership(t, m, "it is charged to the card that was given", func(s *webv1.Membership) bool { return s.GetCardLast4() == "0341" })
	passMonth(t, m)
	requireMembership(t, m, "it is in its grace", func(s *webv1.Membership) bool {
		return s.GetStatus() == webv1.MembershipStatus_MEMBERSHIP_STATUS_GRACE
	})
	tab.Go("/members")
	tab.See("heading", "Your last payment didn’t go through")
	tab.Text("Card declined")
	tab.Text("with the card ending 0341")
	tab.Text("We won’t delete anything, whatever happens.")
	tab.Text("Core was not renewed")
	suite.OnPhone(tab, "members-grace")
	product.RequireLetter(t, m, "didn’t go through")
	requireCredits(t, m, suite.CoreCredits, 0) // what was left stays usable

	tab.Click("button", "Update your card")
	tab.Fill("Test card number", acceptedCard)
	tab.Click("button", "Use this card")
	tab.Text("Core is paid with the card ending 4242.")
	requireMembership(t, m, "it is mended", func(s *webv1.Membership) bool {
		return s.GetStatus() == webv1.MembershipStatus_MEMBERSHIP_STATUS_ACTIVE
	})
	tab.Gone("heading", "Your last payment didn’t go through")
	tab.Text("Core, monthly")
	requireCredits(t, m, suite.CoreCredits, 0)
	require.Len(t, suite.PaidOrders(t, m), 2)
}

// An invitation goes out as a letter, is kept through sign-up, gives the longer trial, and rewards both once the friend has paid.
func TestAFriendJoinsByAnInvitationAndBothAreRewarded(t *testing.T) {
	t.Parallel()
	tab, m := product.Member(t, browser.Desk)
	tab.Go("/members")
	tab.See("heading", "Pass it on")
	res, err := m.Memberships.GetMembership(t.Context(), &webv1.GetMembershipRequest{})
	require.NoError(t, err)
	invitation := res.GetInvitation()
	require.NotEmpty(t, invitation.GetCode())

	friend := suite.NewPerson()
	tab.Fill("Friend’s name", "Grace")
	tab.Fill("Their email", friend.Email)
	tab.Click("button", "Send the invitation")
	tab.See("button", "Sent")
	product.RequireLetter(t, friend, "Hello Grace,")
	product.RequireLetter(t, friend, "/signup?invite="+invitation.GetCode())
	suite.OnPhone(tab, "members-invite")
	other := product.Visitor(t, browser.Desk)
	other.Go("/signup?invite=" + invitation.GetCode())
	other.Text("A friend has invited you: fourteen days")
	suite.OnPhone(other, "signup-invited")
	suite.FillAccount(other, friend)
	product.ConfirmCode(t, other, friend)
	other.See("heading", "Before we begin") // the account is confirmed, and this browser signed in
	friend.Browser = product.NewBrowser()
	require.NoError(t, friend.SignIn(t.Context()))
	require.NoError(t, friend.AwaitTrial(t.Context()))
	requireMembership(t, friend, "the longer trial", func(s *webv1.Membership) bool {
		return s.GetEndsAt().AsTime().After(time.Now().AddDate(0, 0, 13))
	})
	product.Subscribe(t, friend)
	requireCredits(t, friend, suite.CoreCredits, 5)
	requireCredits(t, m, product.TrialCredits(t.Context(), t), 5)
	product.RequireLetter(t, m, "5 credits")
	tab.Go("/members")
	tab.Text("A friend joined with your code")
	requireUnnamed(t, m, friend)
}

// requireUnnamed says that what a referrer reads of it does not tell who the friend is.
func requireUnnamed(t *testing.T, m, friend *harness.Member) {
	t.Helper()
	require.NotEmpty(t, friend.UID)
	ledger, err := m.Memberships.ListLedger(t.Context(), &webv1.ListLedgerRequest{})
	require.NoError(t, err)
	membership, err := m.Memberships.GetMembership(t.Context(), &webv1.GetMembershipRequest{})
	require.NoError(t, err)
	user, err := m.Get(t.Context(), "/api/GetUser", "X-Serein", "1")
	require.NoError(t, err)
	require.Equal(t, http.StatusOK, user.StatusCode)
	for _, read := range []string{ledger.String(), membership.String(), user.Body} {
		require.NotEmpty(t, read)
		for _, told := range []string{friend.UID, friend.Username} { // the address begins with the name
			require.NotContains(t, read, told)
		}
	}
}
