package web

import (
	"context"
	"net/url"
	"sync"

	billingv1 "serein.app/proto/gen/serein/billing/v1"
	webv1 "serein.app/proto/gen/serein/web/v1"
)

// withoutCode says in the log what a page lacks.
const withoutCode = "the invitation's code"

// invitation is what the member passes on: their code, what it gives and what it came to. nil where one of these is not known
// soon; a member of another provider has no code.
func (s *Screens) invitation(ctx context.Context) *webv1.Invitation {
	ctx, cancel := context.WithTimeout(ctx, partTime)
	defer cancel()
	var (
		parts sync.WaitGroup
		came  *billingv1.GetReferralsResponse
		err   error
		offer *webv1.TrialOffer
	)
	parts.Go(func() { came, err = s.Clients.Referrals.GetReferrals(ctx, &billingv1.GetReferralsRequest{}) })
	parts.Go(func() { offer = s.plans.trialOffer(ctx) })
	user, _ := part(ctx, s, s.View.Users, withoutCode)
	parts.Wait()
	if err != nil {
		s.without(ctx, "what invitations came to", err)
	}
	code := user.GetReferralCode()
	if err != nil || offer == nil || code == "" {
		return nil
	}
	return &webv1.Invitation{
		Code: code, Url: s.inviteURL(code), TrialDays: offer.GetInvitedDays(), Reward: came.GetReward(),
		Invited: came.GetInvited(), Rewarded: came.GetRewarded(), Credits: came.GetCredits(),
	}
}

// inviteURL is the address that friends open.
func (s *Screens) inviteURL(code string) string {
	return string(s.Site) + "/signup?" + url.Values{"invite": {code}}.Encode()
}
