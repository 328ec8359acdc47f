package web

import (
	"context"
	"net/http"
	"sync"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/types/known/timestamppb"

	"serein.app/gateway/internal/session"
	billingv1 "serein.app/proto/gen/serein/billing/v1"
	generationv1 "serein.app/proto/gen/serein/generation/v1"
	webv1 "serein.app/proto/gen/serein/web/v1"
)

// GetSession says who is signed in, with plan, credits and the number beside My Journey. Names
// come from the session; a service that is away leaves its part out.
func (s *Screens) GetSession(ctx context.Context, _ *webv1.GetSessionRequest) (*webv1.GetSessionResponse, error) {
	return s.session(ctx), nil
}

func (s *Screens) session(ctx context.Context) *webv1.GetSessionResponse {
	out := &webv1.GetSessionResponse{ServerTime: timestamppb.New(s.Now())}
	m := memberOf(ctx)
	if m == nil {
		return out
	}
	out.Member = &webv1.Member{
		Uid: m.UID, GivenName: m.GivenName, FamilyName: m.FamilyName, Email: m.Email, Admin: m.Admin,
	}
	var account *billingv1.GetAccountResponse
	var both sync.WaitGroup
	both.Go(func() { account = s.account(ctx) })
	both.Go(func() { out.Member.JourneyCount = s.journeyCount(ctx) })
	both.Wait()
	out.Member.Plan, out.Member.Credits = plan(account.GetSubscription()), credits(account.GetBalance())
	return out
}

func (s *Screens) journeyCount(ctx context.Context) int32 {
	ctx, cancel := context.WithTimeout(ctx, partTime)
	defer cancel()
	res, err := s.Clients.Meditations.ListMeditations(ctx, &generationv1.ListMeditationsRequest{PageSize: 1})
	if err != nil {
		s.log.WarnContext(ctx, "shown without the number beside My Journey", "err", err)
		return 0
	}
	return res.GetTotal()
}

// Boot is GetSession's answer for the page's boot block. Where the session cannot be checked
// now the page starts as a visitor's, and the app's first call tells.
func (s *Screens) Boot(ctx context.Context, header http.Header) []byte {
	if id := session.IDFrom(header); id != "" {
		if signedIn, err := s.Sessions.Check(ctx, id); err == nil {
			ctx = withMember(ctx, &signedIn.Member)
		}
	}
	boot, err := protojson.Marshal(s.session(ctx))
	if err != nil {
		s.log.ErrorContext(ctx, "no boot data", "err", err)
		return []byte("null")
	}
	return boot
}
