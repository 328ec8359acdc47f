package web

import (
	"context"
	"net/http"

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
		forget(call.ResponseHeader())
	}
	return &webv1.SignOutResponse{RedirectUrl: s.SignOutURL(ctx)}, nil
}

// forget clears from the browser what it keeps of a session that is over: the cookie, and copies of the member's recordings and pages
// (OWASP ASVS 5.0, 14.3.1; https://www.w3.org/TR/clear-site-data/). It does not clear "storage", which holds the theme, a setting of the
// browser for all who use it: the app itself drops what members wrote there.
func forget(h http.Header) {
	session.ClearCookie(h)
	h.Set("Clear-Site-Data", `"cache"`)
}
