package web

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/otel/metric/noop"

	"serein.app/gateway/internal/roles"
	"serein.app/gateway/internal/session"
	"serein.app/gateway/internal/upstream"
	"serein.app/gateway/internal/view"
	billingv1 "serein.app/proto/gen/serein/billing/v1"
	"serein.app/proto/gen/serein/billing/v1/billingv1connect"
	identityv1 "serein.app/proto/gen/serein/identity/v1"
	"serein.app/proto/gen/serein/identity/v1/identityv1connect"
	"serein.app/services/platform/auth"
	"serein.app/services/platform/config"
	"serein.app/services/platform/errs"
	"serein.app/services/platform/guard"
	"serein.app/services/testkit"
	"serein.app/services/testkit/redistest"
)

const uid = "0192f0c1-0000-7000-8000-00000000000a"

func fixed() time.Time { return time.Unix(1_763_000_000, 0) }

// answers of identity and billing.
type answers struct {
	identityv1connect.UserServiceClient
	billingv1connect.AccountServiceClient
	admin        bool
	entitlements []string
	err          error
}

func (a answers) GetUser(context.Context, *identityv1.GetUserRequest) (*identityv1.GetUserResponse, error) {
	return &identityv1.GetUserResponse{User: &identityv1.User{Uid: uid, Admin: a.admin}}, a.err
}

func (a answers) GetAccount(context.Context, *billingv1.GetAccountRequest) (*billingv1.GetAccountResponse, error) {
	return &billingv1.GetAccountResponse{Subscription: &billingv1.Subscription{Entitlements: a.entitlements}}, a.err
}

// admitting is an interceptor with these rules, and the headers of a signed-in member's call.
func admitting(t *testing.T, a answers, table map[string]rule) (*interceptor, http.Header) {
	t.Helper()
	rdb := redis.NewClient(&redis.Options{Addr: redistest.New(t).Addr(), DisableIdentity: true})
	t.Cleanup(func() { _ = rdb.Close() })
	cfg := session.Config{Secret: config.Secret(strings.Repeat("s", 32)), Idle: time.Hour, MaxAge: 24 * time.Hour}
	sessions, err := session.New(cfg, rdb, nil, testkit.Logger(t), fixed)
	require.NoError(t, err)
	id, _, err := sessions.Create(t.Context(), session.Grant{Member: session.Member{UID: uid}, RefreshToken: "r", AccessEnds: fixed().Add(time.Hour)})
	require.NoError(t, err)
	seen, err := view.New(&upstream.Clients{Users: a, Accounts: a}, noop.Meter{}, fixed)
	require.NoError(t, err)
	screens := &Screens{Config: Config{Sessions: sessions, Roles: roles.New(seen), View: seen, Now: fixed, Limits: Limits{Member: guard.NewBuckets(MemberLimit)}}}
	header := http.Header{}
	header.Set("Cookie", "__Host-serein="+id)
	return &interceptor{screens: screens, rules: table}, header
}

func TestAScreensCallIsSignedForInItsRulesRoleOrRefused(t *testing.T) {
	t.Parallel()
	const members, subscribers, admins = "/members", "/subscribers", "/admins"
	table := map[string]rule{
		members: {role: roles.Members}, subscribers: {role: roles.Subscribers, entitlement: "library"}, admins: {role: roles.Admins},
	}
	library := []string{"library"}
	for name, c := range map[string]struct {
		procedure string
		answers   answers
		subject   auth.Subject
		err       error
	}{
		"a member is nothing more, whatever they are": {members, answers{admin: true, entitlements: library}, auth.Subject{UID: uid}, nil},
		"a member needs neither service":              {members, answers{err: errors.New("away")}, auth.Subject{UID: uid}, nil},
		"a subscriber":                                {subscribers, answers{entitlements: library}, auth.Subject{UID: uid, Entitlements: library}, nil},
		"another entitlement":                         {subscribers, answers{entitlements: []string{"generator"}}, auth.Subject{}, auth.ErrNotEntitled},
		"an admin":                                    {admins, answers{admin: true}, auth.Subject{UID: uid, Admin: true}, nil},
		"no admin":                                    {admins, answers{}, auth.Subject{}, auth.ErrAdminRequired},
		"billing is away":                             {subscribers, answers{err: errors.New("away")}, auth.Subject{}, errs.ErrUnavailable},
		"identity is away":                            {admins, answers{err: errors.New("away")}, auth.Subject{}, errs.ErrUnavailable},
		"no rule":                                     {"/unheard-of", answers{admin: true}, auth.Subject{}, errNoRule},
	} {
		i, header := admitting(t, c.answers, table)
		ctx, err := i.admit(t.Context(), c.procedure, header)
		if c.err != nil {
			require.ErrorIs(t, err, c.err, name)
			continue
		}
		require.NoError(t, err, name)
		require.Equal(t, c.subject, auth.SubjectFrom(ctx), name)
	}
}
