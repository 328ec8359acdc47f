package e2e

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"serein.app/deploy/e2e/browser"
	"serein.app/deploy/e2e/harness"
	webv1 "serein.app/proto/gen/serein/web/v1"
	"serein.app/services/testkit/paymentsandbox"
)

// What comes after the first payment: changed for the exact amount, set to end, kept, and renewed, each said on the page and by letter.
func TestAMembershipIsChangedCancelledKeptAndRenewed(t *testing.T) {
	t.Parallel()
	tab, m := member(t, browser.Desk)
	subscribe(t, m)
	tab.Go("/memberships")
	tab.Click("button", "Change Plan: Premium")
	tab.See("heading", "Change to Premium?")
	tab.Text("your plan credits become 60") // in the first hour all of them
	tab.Text("Core, not used")              // what the amount is made of
	onPhone(tab, "change-plan")
	tab.Click("button", "Pay £5.00 and change")
	tab.See("heading", "You are on Premium now")
	tab.Click("button", "Done")
	requireCredits(t, m, premiumCredits, 0)
	requireLetter(t, m, "Premium")

	tab.Go("/members")
	tab.Text("Premium, monthly")
	tab.Text("60 of 60") // which is what the change gave
	tab.Click("button", "Cancel at the period’s end")
	tab.See("heading", "Cancel at the period’s end?")
	tab.Click("radio", "I am not using it enough")
	onPhone(tab, "cancel-membership")
	tab.Click("button", "Cancel Membership")
	tab.Text("Until then nothing changes, and one click keeps it.")
	tab.Gone("button", "Cancel at the period’s end")
	tab.Go("/members")
	tab.See("button", "Keep my membership")
	onPhone(tab, "members-cancelling")
	requireLetter(t, m, "basic account")
	tab.Click("button", "Keep my membership")
	tab.Text("Premium goes on.")
	tab.See("button", "Cancel at the period’s end")

	passMonth(t, m)
	requireMembership(t, m, "it renews", func(s *webv1.Membership) bool {
		return s.GetStatus() == webv1.MembershipStatus_MEMBERSHIP_STATUS_ACTIVE && s.GetEndsAt().AsTime().After(time.Now().AddDate(0, 1, 2))
	})
	requireCredits(t, m, premiumCredits, 0)
	requireLetter(t, m, "renewed")
	tab.Go("/members")
	tab.Text("Premium renewed")
	tab.Text("Premium membership, renewal")
	tab.Click("link", "See every entry")
	tab.See("heading", "Your credits")
	tab.Text("Changed to Premium")
	tab.Text("Free trial began")
	onPhone(tab, "ledger")
	require.Len(t, paidOrders(t, m), 3) // begun, changed, renewed
}

// A renewal that fails leaves everything open for a while and says so; the mended card pays it, once.
func TestARenewalThatFailsIsSaidAndMended(t *testing.T) {
	t.Parallel()
	tab, m := member(t, browser.Desk)
	subscribe(t, m)
	customer := customerOf(t, m)
	payments(t, "card", map[string]any{"customer": customer, "card": paymentsandbox.FailsAtRenewal})
	requireMembership(t, m, "it is charged to the card that was given", func(s *webv1.Membership) bool { return s.GetCardLast4() == "0341" })
	passMonth(t, m)
	requireMembership(t, m, "it is in its grace", func(s *webv1.Membership) bool {
		return s.GetStatus() == webv1.MembershipStatus_MEMBERSHIP_STATUS_GRACE
	})
	tab.Go("/members")
	tab.See("heading", "Your last payment did not go through")
	tab.Text("Card declined")
	tab.Text("by the card ending 0341")
	tab.Text("Nothing is deleted, whatever happens.")
	tab.Text("Core was not renewed")
	onPhone(tab, "members-grace")
	requireLetter(t, m, "did not go through")
	requireCredits(t, m, coreCredits, 0) // what was left stays usable

	tab.Click("button", "Update your card")
	tab.Fill("Test card number", acceptedCard)
	tab.Click("button", "Use this card")
	tab.Text("Core is paid by the card ending 4242.")
	requireMembership(t, m, "it is mended", func(s *webv1.Membership) bool {
		return s.GetStatus() == webv1.MembershipStatus_MEMBERSHIP_STATUS_ACTIVE
	})
	tab.Gone("heading", "Your last payment did not go through")
	tab.Text("Core, monthly")
	requireCredits(t, m, coreCredits, 0)
	require.Len(t, paidOrders(t, m), 2)
}

// An invitation goes out as a letter, is kept through sign-up, gives the longer trial, and rewards both once the friend has paid.
func TestAFriendJoinsByAnInvitationAndBothAreRewarded(t *testing.T) {
	t.Parallel()
	tab, m := member(t, browser.Desk)
	tab.Go("/members")
	tab.See("heading", "Pass it on")
	res, err := m.Memberships.GetMembership(t.Context(), &webv1.GetMembershipRequest{})
	require.NoError(t, err)
	invitation := res.GetInvitation()
	require.NotEmpty(t, invitation.GetCode())

	friend := newPerson()
	tab.Fill("Friend’s name", "Grace")
	tab.Fill("Their email", friend.Email)
	tab.Click("button", "Send the invitation")
	tab.See("button", "Sent")
	requireLetter(t, friend, "Hello Grace,")
	requireLetter(t, friend, "/signup?invite="+invitation.GetCode())
	onPhone(tab, "members-invite")
	other := visitor(t, browser.Desk)
	other.Go("/signup?invite=" + invitation.GetCode())
	other.Text("A friend has invited you: fourteen days")
	onPhone(other, "signup-invited")
	fillAccount(other, friend)
	confirmCode(t, other, friend)
	friend.Browser = product.NewBrowser()
	require.NoError(t, friend.SignIn(t.Context()))
	require.NoError(t, friend.AwaitTrial(t.Context()))
	requireMembership(t, friend, "the longer trial", func(s *webv1.Membership) bool {
		return s.GetEndsAt().AsTime().After(time.Now().AddDate(0, 0, 13))
	})
	subscribe(t, friend)
	requireCredits(t, friend, coreCredits, 5)
	requireCredits(t, m, trialCredits(t.Context(), t), 5)
	requireLetter(t, m, "5 credits")
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

// A code that nobody has is no obstacle, and is not passed over in silence.
func TestAnUnknownInvitationGivesTheUsualTrialAndSaysSo(t *testing.T) {
	t.Parallel()
	tab := visitor(t, browser.Desk)
	tab.Go("/signup?invite=NOBODY-0000")
	tab.Text("This invitation cannot be used here")
}

// An admin ends their own plan and begins a trial anew, each with a reason that the ledger keeps. Members see no such thing.
func TestGodControlsAreAnAdminsAloneAndKeepTheReason(t *testing.T) {
	t.Parallel()
	tab, m := member(t, browser.Desk)
	tab.Go("/members")
	tab.See("heading", "Pass it on")
	tab.Gone("heading", "God controls")
	becomeAdmin(t, m)
	tab.Go("/members")
	tab.See("heading", "God controls")
	onPhone(tab, "members-god")
	act := func(button, reason, done string) {
		tab.Click("button", button)
		tab.See("heading", button)
		tab.Fill("Reason", reason)
		tab.Click("button", button)
		tab.Text(done)
	}
	act("End subscription", "Looking at an ended plan", "Your plan has ended.")
	requireMembership(t, m, "it is over", func(s *webv1.Membership) bool {
		return s.GetStatus() == webv1.MembershipStatus_MEMBERSHIP_STATUS_ENDED
	})
	act("Reset to free trial", "Looking at a new trial", "A new trial has begun.")
	requireMembership(t, m, "a trial again", func(s *webv1.Membership) bool {
		return s.GetStatus() == webv1.MembershipStatus_MEMBERSHIP_STATUS_TRIAL
	})
	requireCredits(t, m, trialCredits(t.Context(), t), 0)
	tab.Go("/members")
	tab.Click("link", "See every entry")
	tab.Text("Looking at an ended plan")
	tab.Text("Looking at a new trial")
}

// payments has this machine's payment provider do something.
func payments(t *testing.T, control string, body any) {
	t.Helper()
	require.NoError(t, product.ControlPayments(t.Context(), control, body, nil))
}

func customerOf(t *testing.T, m *harness.Member) string {
	t.Helper()
	customer, err := harness.SQL[string](t.Context(), product, "billing", "select customer_id from customers where uid = $1", m.UID)
	require.NoError(t, err)
	return customer
}

// passMonth lets the provider's time pass for one member.
func passMonth(t *testing.T, m *harness.Member) {
	t.Helper()
	payments(t, "advance", map[string]any{"customer": customerOf(t, m), "milliseconds": (32 * 24 * time.Hour).Milliseconds()})
}

func requireMembership(t *testing.T, m *harness.Member, what string, is func(*webv1.Membership) bool) {
	t.Helper()
	require.NoError(t, harness.Eventually(t.Context(), what, func() (bool, error) {
		res, err := m.Memberships.GetMembership(t.Context(), &webv1.GetMembershipRequest{})
		return is(res.GetMembership()), err
	}))
}

func requireCredits(t *testing.T, m *harness.Member, plan, topUp int64) {
	t.Helper()
	require.NoError(t, harness.Eventually(t.Context(), "the credits", func() (bool, error) {
		credits, err := m.Credits(t.Context())
		return credits.GetPlan() == plan && credits.GetTopUp() == topUp, err
	}))
}

// requireLetter waits for a letter to the member with these words in its subject or text.
func requireLetter(t *testing.T, m *harness.Member, words string) {
	t.Helper()
	require.NoError(t, harness.Eventually(t.Context(), "the letter that says "+words, func() (bool, error) {
		mails, err := product.Mails(t.Context(), m.Email)
		for _, mail := range mails {
			if strings.Contains(mail.Subject+"\n"+mail.Text, words) {
				return true, nil
			}
		}
		return false, err
	}))
}
