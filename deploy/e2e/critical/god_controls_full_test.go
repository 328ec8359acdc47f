//go:build full

package critical

import (
	"testing"

	"serein.app/deploy/e2e/browser"
	"serein.app/deploy/e2e/suite"
	webv1 "serein.app/proto/gen/serein/web/v1"
)

// An admin ends their own plan and begins another trial, each with a reason that the ledger keeps. Members do not see these controls.
func TestGodControlsAreAnAdminsAloneAndKeepTheReason(t *testing.T) {
	t.Parallel()
	tab, m := product.Member(t, browser.Desk)
	tab.Go("/members")
	tab.See("heading", "Pass it on")
	tab.Gone("heading", "God controls")
	product.BecomeAdmin(t, m)
	tab.Go("/members")
	tab.See("heading", "God controls")
	suite.OnPhone(tab, "members-god")
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
	requireCredits(t, m, product.TrialCredits(t.Context(), t), 0)
	tab.Go("/members")
	tab.Click("link", "See every entry")
	tab.Text("Looking at an ended plan")
	tab.Text("Looking at a new trial")
}
