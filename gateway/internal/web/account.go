package web

import (
	"context"
	"errors"
	"sync"

	"serein.app/gateway/internal/view"
	billingv1 "serein.app/proto/gen/serein/billing/v1"
	identityv1 "serein.app/proto/gen/serein/identity/v1"
	webv1 "serein.app/proto/gen/serein/web/v1"
)

// known is a part of the member's view that needs no question. Who has just acted is asked about.
func known[T any](ctx context.Context, p *view.Part[T]) (value T, ok bool) {
	if view.HasActed(headerOf(ctx)) {
		return value, false
	}
	return p.Current(memberOf(ctx).UID)
}

// part reads a part of a screen from the member's view. It is given up after partTime, for the rest
// does not wait for it.
func part[T any](ctx context.Context, s *Screens, p *view.Part[T], without string) (value T, ok bool) {
	if value, ok := known(ctx, p); ok {
		return value, true
	}
	ctx, cancel := context.WithTimeout(ctx, partTime)
	defer cancel()
	read := p.Get
	if view.HasActed(headerOf(ctx)) {
		read = p.Ask
	}
	value, err := read(ctx, memberOf(ctx).UID)
	if err != nil {
		s.without(ctx, without, err)
	}
	return value, err == nil
}

// without notes a part that a screen is shown without. Once the context is cancelled nothing is noted: another part has failed the screen, or
// its caller has gone.
func (s *Screens) without(ctx context.Context, part string, err error) {
	if !errors.Is(ctx.Err(), context.Canceled) {
		s.log.WarnContext(ctx, "shown without a part", "part", part, "error", err)
	}
}

// fill shows a part at once where it is known, and asks for it beside the others where it is not.
func fill[T any](ctx context.Context, s *Screens, others *sync.WaitGroup, p *view.Part[T], without string, show func(T)) {
	if value, ok := known(ctx, p); ok {
		show(value)
		return
	}
	others.Go(func() {
		if value, ok := part(ctx, s, p, without); ok {
			show(value)
		}
	})
}

// withoutAccount and withoutJourney say in the log what a page lacks.
const (
	withoutAccount = "plan and credits"
	withoutJourney = "the number beside My Journey"
)

// account is plan and credits; nil when billing does not answer soon.
func (s *Screens) account(ctx context.Context) *billingv1.GetAccountResponse {
	account, _ := part(ctx, s, s.View.Accounts, withoutAccount)
	return account
}

// facts are what identity says of a member that pages show.
type facts struct{ admin, consentsMissing, analytics bool }

// person says whether the member is an admin, has agreed to be counted, and must be asked for consent: the member who has given none yet,
// or one to another version of the terms. Before it has a member asked it asks identity again. While identity does not answer, all three
// are false. Without a known version (empty) no member is asked: an earlier consent may hold, and a new one could not be recorded.
func (s *Screens) person(ctx context.Context, termsVersion string) facts {
	missing := func(u *identityv1.User) bool { return termsVersion != "" && !hasConsented(u, termsVersion) }
	if user, ok := known(ctx, s.View.Users); ok && !missing(user) {
		return facts{admin: user.GetAdmin(), analytics: agreedToAnalytics(user, termsVersion)}
	}
	ctx, cancel := context.WithTimeout(ctx, partTime)
	defer cancel()
	user, err := s.View.Users.Ask(ctx, memberOf(ctx).UID)
	if err != nil {
		s.without(ctx, "what identity knows", err)
		return facts{}
	}
	return facts{user.GetAdmin(), missing(user), agreedToAnalytics(user, termsVersion)}
}

// hasConsented says whether a member has agreed to what Serein cannot do without, and to that version
// of the terms.
func hasConsented(u *identityv1.User, termsVersion string) bool {
	given := consents(u.GetConsents())
	return given.GetTermsVersion() == termsVersion && given.GetEssentials()
}

// creditsAfter are the credits as they stand after something that may have changed them: those that billing told
// with it, or else asked for.
func (s *Screens) creditsAfter(ctx context.Context, told *billingv1.Balance) *webv1.Credits {
	s.View.Acted(memberOf(ctx).UID)
	if told == nil {
		told = s.account(ctx).GetBalance()
	}
	return credits(told)
}
