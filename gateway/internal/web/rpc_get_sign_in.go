package web

import (
	"context"
	"errors"
	"time"

	"google.golang.org/protobuf/types/known/timestamppb"

	"serein.app/gateway/internal/session"
	webv1 "serein.app/proto/gen/serein/web/v1"
)

// Debug is what the debug sign-in screen may show.
type Debug struct {
	// On where the operator has switched it on.
	On bool
	// Issuer is the provider's.
	Issuer string
}

// GetSignIn says what the gateway knows of the caller's sign-in, where the operator has switched that on.
func (s *Screens) GetSignIn(ctx context.Context, _ *webv1.GetSignInRequest) (*webv1.GetSignInResponse, error) {
	if !s.Debug.On {
		return nil, errNoRule.Because(errors.New("DEBUG_SIGNIN is off"))
	}
	m := memberOf(ctx)
	if m == nil {
		return &webv1.GetSignInResponse{}, nil
	}
	tokens, err := s.Sessions.Tokens(ctx, sessionID(ctx))
	if errors.Is(err, session.ErrNone) { // ended between the check and now
		return &webv1.GetSignInResponse{}, nil
	}
	if err != nil {
		return nil, err
	}
	return &webv1.GetSignInResponse{SignIn: &webv1.SignIn{
		Issuer: s.Debug.Issuer, Claims: claims(m), IssuedAt: stamp(tokens.IssuedAt), AccessTokenEndsAt: stamp(tokens.AccessEnds),
		RenewsAt: stamp(tokens.RenewsAt), EndsAt: stamp(tokens.EndsAt),
	}}, nil
}

// claims are those that the session keeps, by the names that OpenID Connect gives them.
func claims(m *session.Member) []*webv1.Claim {
	var out []*webv1.Claim
	for _, c := range []*webv1.Claim{
		{Name: "sub", Value: m.UID},
		{Name: "preferred_username", Value: m.Username},
		{Name: "email", Value: m.Email},
		{Name: "given_name", Value: m.GivenName},
		{Name: "family_name", Value: m.FamilyName},
	} {
		if c.GetValue() != "" {
			out = append(out, c)
		}
	}
	return out
}

// stamp is nil for a time that is not known.
func stamp(t time.Time) *timestamppb.Timestamp {
	if t.IsZero() {
		return nil
	}
	return timestamppb.New(t)
}
