package web

import (
	"context"

	billingv1 "serein.app/proto/gen/serein/billing/v1"
	webv1 "serein.app/proto/gen/serein/web/v1"
)

// account reads plan and credits for a part of a screen: nil when billing does not answer soon.
func (s *Screens) account(ctx context.Context) *billingv1.GetAccountResponse {
	ctx, cancel := context.WithTimeout(ctx, partTime)
	defer cancel()
	res, err := s.Roles.Account(ctx, memberOf(ctx).UID)
	if err != nil {
		s.log.WarnContext(ctx, "shown without plan and credits", "error", err)
		return nil
	}
	return res
}

// creditsNow reads the credits alone.
func (s *Screens) creditsNow(ctx context.Context) *webv1.Credits {
	return credits(s.account(ctx).GetBalance())
}
