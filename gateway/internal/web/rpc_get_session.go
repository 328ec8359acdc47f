package web

import (
	"context"
	"net/http"
	"sync"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/types/known/timestamppb"

	"serein.app/gateway/internal/session"
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
		out.Member.Admin, out.Member.ConsentsMissing = s.person(ctx)
	}
	parts.Wait()
	return out
}

// Boot is GetSession's answer for the page's boot block. Where the session cannot be checked
// now the page starts as a visitor's, and the app's first call corrects it.
func (s *Screens) Boot(ctx context.Context, header http.Header) []byte {
	ctx = context.WithValue(ctx, headerKey{}, header)
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
