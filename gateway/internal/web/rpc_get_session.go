package web

import (
	"context"
	"net/http"
	"sync"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/types/known/timestamppb"

	"serein.app/gateway/internal/session"
	generationv1 "serein.app/proto/gen/serein/generation/v1"
	identityv1 "serein.app/proto/gen/serein/identity/v1"
	webv1 "serein.app/proto/gen/serein/web/v1"
)

// GetSession says who is signed in, with plan, credits, role and the number beside My Journey, and
// what new members are offered. Names come from the session; a service that is away leaves its part
// out.
func (s *Screens) GetSession(ctx context.Context, _ *webv1.GetSessionRequest) (*webv1.GetSessionResponse, error) {
	return s.session(ctx), nil
}

func (s *Screens) session(ctx context.Context) *webv1.GetSessionResponse {
	out := &webv1.GetSessionResponse{ServerTime: timestamppb.New(s.Now())}
	var parts sync.WaitGroup
	parts.Go(func() { out.TrialOffer = s.plans.trialOffer(ctx) })
	if m := memberOf(ctx); m != nil {
		out.Member = &webv1.Member{Uid: m.UID, GivenName: m.GivenName, FamilyName: m.FamilyName, Email: m.Email}
		parts.Go(func() {
			account := s.account(ctx)
			out.Member.Plan, out.Member.Credits = plan(account.GetSubscription()), credits(account.GetBalance())
		})
		parts.Go(func() { out.Member.JourneyCount = s.journeyCount(ctx) })
		// Mostly from memory, so not worth a goroutine of its own.
		out.Member.Admin, out.Member.ConsentsMissing = s.person(ctx)
	}
	parts.Wait()
	return out
}

// person says whether the member is an admin, and must be asked for consent: who has not given it
// yet, or to terms that have changed since. While nothing is missing identity's answer is used for
// some seconds, since every page asks. While identity is away neither is so.
func (s *Screens) person(ctx context.Context) (admin, consentsMissing bool) {
	ctx, cancel := context.WithTimeout(ctx, partTime)
	defer cancel()
	user, err := s.Roles.RecentUser(ctx, memberOf(ctx).UID, s.hasConsented)
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

func (s *Screens) journeyCount(ctx context.Context) int32 {
	ctx, cancel := context.WithTimeout(ctx, partTime)
	defer cancel()
	res, err := s.Clients.Meditations.ListMeditations(ctx, &generationv1.ListMeditationsRequest{PageSize: 1})
	if err != nil {
		s.log.WarnContext(ctx, "shown without the number beside My Journey", "error", err)
		return 0
	}
	return res.GetTotal()
}

// Boot is GetSession's answer for the page's boot block. Where the session cannot be checked
// now the page starts as a visitor's, and the app's first call corrects it.
func (s *Screens) Boot(ctx context.Context, header http.Header) []byte {
	if id := session.IDFrom(header); id != "" {
		if signedIn, err := s.Sessions.Check(ctx, id); err == nil {
			ctx = withMember(ctx, &signedIn.Member)
		}
	}
	boot, err := protojson.Marshal(s.session(ctx))
	if err != nil {
		s.log.ErrorContext(ctx, "no boot data", "error", err)
		return []byte("null")
	}
	return boot
}
