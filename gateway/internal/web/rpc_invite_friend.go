package web

import (
	"context"

	mailv1 "serein.app/proto/gen/serein/mail/v1"
	webv1 "serein.app/proto/gen/serein/web/v1"
	"serein.app/services/platform/errs"
)

// InviteFriend sends a friend the invitation by letter. The code and what it gives are ours to say, not the request's; without either
// there is nothing to promise: UNAVAILABLE.
func (s *Screens) InviteFriend(ctx context.Context, req *webv1.InviteFriendRequest) (*webv1.InviteFriendResponse, error) {
	user, _ := part(ctx, s, s.View.Users, withoutCode)
	offer := s.plans.trialOffer(ctx)
	if user.GetReferralCode() == "" || offer == nil {
		return nil, errs.ErrUnavailable
	}
	if _, err := s.Clients.Letters.SendInvitation(ctx, &mailv1.SendInvitationRequest{
		IdempotencyKey: req.GetIdempotencyKey(), FriendName: req.GetName(), Email: req.GetEmail(),
		Code: user.GetReferralCode(), TrialDays: offer.GetInvitedDays(),
	}); err != nil {
		return nil, err
	}
	return &webv1.InviteFriendResponse{}, nil
}
