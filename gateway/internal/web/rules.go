package web

import (
	"context"
	"time"

	"serein.app/gateway/internal/guard"
	"serein.app/gateway/internal/roles"
	"serein.app/gateway/internal/session"
	"serein.app/proto/gen/serein/web/v1/webv1connect"
)

// who may call.
type who int

const (
	// anybody: the session is not even looked at.
	anybody who = iota
	// visitors too: a session is used where there is one.
	visitors
	// members only.
	members
	// subscribers: members whose plan holds the rule's entitlement now.
	subscribers
	// admins, by identity's word.
	admins
)

type rule struct {
	who who
	// entitlement that subscribers need.
	entitlement string
	// limit counts calls that cost somebody something; nil where the cheap limits suffice.
	limit func(Limits) *guard.Limiter
}

// rules name every procedure a browser may call. What is missing is refused, and a test walks
// all methods of serein.web.v1.
var rules = map[string]rule{
	webv1connect.SessionServiceGetSessionProcedure: {who: visitors},
	webv1connect.SessionServiceSignOutProcedure:    {who: anybody},

	webv1connect.AccountServiceSignUpProcedure:                 {who: anybody, limit: func(l Limits) *guard.Limiter { return l.SignUp }},
	webv1connect.AccountServiceConfirmSignUpProcedure:          {who: anybody, limit: func(l Limits) *guard.Limiter { return l.Confirm }},
	webv1connect.AccountServiceResendConfirmationCodeProcedure: {who: anybody, limit: func(l Limits) *guard.Limiter { return l.Resend }},

	webv1connect.ConsentServiceGetConsentsProcedure:    {who: members},
	webv1connect.ConsentServiceUpdateConsentsProcedure: {who: members},

	webv1connect.PlansServiceListPlansProcedure: {who: anybody},

	webv1connect.GeneratorServiceGetGeneratorProcedure: {who: visitors},
	// Credits are what opens it, and billing asks for them: bought ones never expire, plan or no plan.
	webv1connect.GeneratorServiceGenerateProcedure:         {who: members, limit: func(l Limits) *guard.Limiter { return l.Generate }},
	webv1connect.GeneratorServiceGetMeditationProcedure:    {who: members},
	webv1connect.GeneratorServiceWatchMeditationProcedure:  {who: members},
	webv1connect.GeneratorServiceCancelMeditationProcedure: {who: members},
	webv1connect.GeneratorServiceGetGroundingProcedure:     {who: anybody},

	webv1connect.JourneyServiceListBespokeProcedure: {who: members},
}

// Limits are the rates of calls. Those counted in Redis hold for all replicas together.
type Limits struct {
	// By address.
	SignUp, Confirm, Resend *guard.Limiter
	// Generate by member, or by address before the member is known.
	Generate *guard.Limiter
	// Member limits everything a member asks for, in this process.
	Member *guard.Buckets
}

// The rates. A shared address (a school, an office) signs up a class; a member generates more
// in an hour than there are credits in a plan's day.
var (
	SignUpLimit   = guard.Limit{Name: "sign-up", Count: 30, Per: time.Hour, Burst: 10}
	ConfirmLimit  = guard.Limit{Name: "confirm", Count: 60, Per: time.Hour, Burst: 15}
	ResendLimit   = guard.Limit{Name: "resend", Count: 20, Per: time.Hour, Burst: 5}
	GenerateLimit = guard.Limit{Name: "generate", Count: 60, Per: time.Hour, Burst: 15}
	MemberLimit   = guard.Limit{Name: "member", Count: 20, Per: time.Second, Burst: 100}
)

// withRole refuses members without the rule's role.
func (s *Screens) withRole(ctx context.Context, r rule, m *session.Member) (context.Context, error) {
	if r.who != subscribers && r.who != admins {
		return ctx, nil
	}
	return s.Roles.As(ctx, m.UID, roles.Need{Admin: r.who == admins, Subscriber: r.who == subscribers, Entitlement: r.entitlement})
}

// allow counts the call.
func (s *Screens) allow(ctx context.Context, r rule, m *session.Member) error {
	key := guard.Address(ctx)
	if m != nil {
		key = m.UID
		if ok, after := s.Limits.Member.Allow(key, s.Now()); !ok {
			return guard.TooSoon(after)
		}
	}
	if r.limit == nil {
		return nil
	}
	return r.limit(s.Limits).Allow(ctx, key)
}
