package web

import (
	"context"
	"unicode/utf8"

	"serein.app/gateway/internal/login"
	identityv1 "serein.app/proto/gen/serein/identity/v1"
	webv1 "serein.app/proto/gen/serein/web/v1"
	"serein.app/services/platform/guard"
)

// ConfirmSignUp ends the sign-up with the mailed code. The browser that signed up has a session by it: it has given the password
// before. Where that fails the account is confirmed all the same, and its person signs in.
func (s *Screens) ConfirmSignUp(ctx context.Context, req *webv1.ConfirmSignUpRequest) (*webv1.ConfirmSignUpResponse, error) {
	asked, answer := headers(ctx)
	confirm := &identityv1.ConfirmSignUpRequest{
		Username: req.GetUsername(), Code: req.GetCode(), Address: guard.Address(ctx), Proof: proofOf(ctx, req.GetUsername()),
	}
	var direct login.Direct
	if confirm.GetProof() != "" {
		var err error
		if direct, err = s.SignIn.BeginDirect(ctx, req.GetTimeZone()); err != nil {
			s.log.WarnContext(ctx, "a confirmation goes on without signing in", "error", err)
		}
		confirm.Authorization, confirm.UserAgent = direct.Query, agent(asked.Get("User-Agent"))
	}
	res, err := s.Clients.SignUp.ConfirmSignUp(ctx, confirm)
	if err != nil {
		return nil, err
	}
	forgetProof(ctx, req.GetUsername())
	if res.GetAuthorizationCode() == "" {
		return &webv1.ConfirmSignUpResponse{}, nil
	}
	if err := s.SignIn.FinishDirect(ctx, answer, asked, res.GetAuthorizationCode(), direct); err != nil {
		s.log.WarnContext(ctx, "a confirmed account was not signed in", "error", err)
		return &webv1.ConfirmSignUpResponse{}, nil
	}
	return &webv1.ConfirmSignUpResponse{SignedIn: true}, nil
}

// agentMax bounds what is passed on of a User-Agent, in bytes: the names of device and browser stand at its beginning and its end, and
// none that is known is half as long.
const agentMax = 1024

// agent is what a browser calls itself, as far as it can be passed on.
func agent(userAgent string) string {
	if len(userAgent) > agentMax || !utf8.ValidString(userAgent) {
		return ""
	}
	return userAgent
}
