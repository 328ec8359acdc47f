package web

import (
	"context"

	"serein.app/gateway/internal/view"
	billingv1 "serein.app/proto/gen/serein/billing/v1"
	identityv1 "serein.app/proto/gen/serein/identity/v1"
	webv1 "serein.app/proto/gen/serein/web/v1"
)

// part reads a part of a screen from the member's view: anew where the member has just acted. It is
// given up after partTime, for the rest does not wait for it.
func part[T any](ctx context.Context, s *Screens, p *view.Part[T], without string) (value T, ok bool) {
	uid := memberOf(ctx).UID
	acted := view.HasActed(headerOf(ctx))
	if !acted {
		if value, ok := p.Current(uid); ok {
			return value, true
		}
	}
	ctx, cancel := context.WithTimeout(ctx, partTime)
	defer cancel()
	read := p.Get
	if acted {
		read = p.Ask
	}
	value, err := read(ctx, uid)
	if err != nil {
		s.log.WarnContext(ctx, "shown without "+without, "error", err)
	}
	return value, err == nil
}

// account is plan and credits; nil when billing does not answer soon.
func (s *Screens) account(ctx context.Context) *billingv1.GetAccountResponse {
	account, _ := part(ctx, s, s.View.Accounts, "plan and credits")
	return account
}

// journeyCount is the number beside My Journey; 0 when generation does not answer soon.
func (s *Screens) journeyCount(ctx context.Context) int32 {
	count, _ := part(ctx, s, s.View.Journeys, "the number beside My Journey")
	return count
}

// person says whether the member is an admin, and must be asked for consent: who has not given it
// yet, or to terms that have changed since. Before a member is asked for it identity is, anew. While it
// is away neither is so.
func (s *Screens) person(ctx context.Context) (admin, consentsMissing bool) {
	if user, ok := s.View.Users.Current(memberOf(ctx).UID); ok && s.hasConsented(user) && !view.HasActed(headerOf(ctx)) {
		return user.GetAdmin(), false
	}
	ctx, cancel := context.WithTimeout(ctx, partTime)
	defer cancel()
	user, err := s.View.Users.Ask(ctx, memberOf(ctx).UID)
	if err != nil {
		s.log.WarnContext(ctx, "shown without what identity knows", "error", err)
		return false, false
	}
	return user.GetAdmin(), !s.hasConsented(user)
}

// hasConsented says whether a member has agreed to what Serein cannot do without, and to the terms
// as they are now.
func (s *Screens) hasConsented(u *identityv1.User) bool {
	given := consents(u.GetConsents())
	return given.GetTermsVersion() == s.termsVersion() && given.GetEssentials()
}

// creditsAfter are the credits as they stand after something that may have changed them.
func (s *Screens) creditsAfter(ctx context.Context) *webv1.Credits {
	s.View.Acted(memberOf(ctx).UID)
	return credits(s.account(ctx).GetBalance())
}
