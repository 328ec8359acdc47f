package web

import (
	"context"

	"connectrpc.com/connect"

	"serein.app/gateway/internal/session"
	webv1 "serein.app/proto/gen/serein/web/v1"
)

// SignOut ends the session everywhere and says where to go, so that the provider forgets the
// browser too. Without a session there is nothing to end and the answer is the same. Where the
// session cannot be ended now it says so, rather than leaving it alive behind a friendly page.
func (s *Screens) SignOut(ctx context.Context, _ *webv1.SignOutRequest) (*webv1.SignOutResponse, error) {
	if id := sessionID(ctx); id != "" {
		if err := s.Sessions.End(ctx, id); err != nil {
			return nil, err
		}
	}
	if call, ok := connect.CallInfoForHandlerContext(ctx); ok {
		session.ClearCookie(call.ResponseHeader())
	}
	return &webv1.SignOutResponse{RedirectUrl: s.SignOutURL(ctx)}, nil
}
