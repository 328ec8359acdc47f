package roles

import (
	"context"
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/otel/metric/noop"

	"serein.app/gateway/internal/upstream"
	"serein.app/gateway/internal/view"
	billingv1 "serein.app/proto/gen/serein/billing/v1"
	"serein.app/proto/gen/serein/billing/v1/billingv1connect"
	identityv1 "serein.app/proto/gen/serein/identity/v1"
	"serein.app/proto/gen/serein/identity/v1/identityv1connect"
	"serein.app/services/platform/auth"
	"serein.app/services/platform/deadline"
	"serein.app/services/platform/errs"
)

const uid = "0192f0c1-0000-7000-8000-00000000000a"

// answers of identity and billing, and how long they were given to answer.
type answers struct {
	identityv1connect.UserServiceClient
	billingv1connect.AccountServiceClient
	admin        bool
	entitlements []string
	limits       []time.Duration
}

func (a *answers) noteLimit(ctx context.Context) {
	limit := time.Duration(math.MaxInt64)
	if deadline, ok := ctx.Deadline(); ok {
		limit = time.Until(deadline)
	}
	a.limits = append(a.limits, limit)
}

func (a *answers) GetUser(ctx context.Context, _ *identityv1.GetUserRequest) (*identityv1.GetUserResponse, error) {
	a.noteLimit(ctx)
	return &identityv1.GetUserResponse{User: &identityv1.User{Uid: uid, Admin: a.admin}}, nil
}

func (a *answers) GetAccount(ctx context.Context, _ *billingv1.GetAccountRequest) (*billingv1.GetAccountResponse, error) {
	a.noteLimit(ctx)
	return &billingv1.GetAccountResponse{Subscription: &billingv1.Subscription{Entitlements: a.entitlements}}, nil
}

func (a *answers) roles(t *testing.T) *Roles {
	t.Helper()
	v, err := view.New(&upstream.Clients{Users: a, Accounts: a}, noop.Meter{}, fixed)
	require.NoError(t, err)
	return New(v)
}

func TestTheProofCarriesWhatTheRoleNeedsAndNoMore(t *testing.T) {
	t.Parallel()
	held := []string{"generator", "library"}
	r := (&answers{admin: true, entitlements: held}).roles(t)
	for role, want := range map[Role]auth.Subject{
		Members:     {UID: uid},
		Subscribers: {UID: uid, Entitlements: held},
		Admins:      {UID: uid, Admin: true},
	} {
		ctx, err := r.As(t.Context(), uid, role, "")
		require.NoError(t, err)
		require.Equal(t, want, auth.SubjectFrom(ctx), role)
	}
}

func TestWhoIsRefusedIsSignedForAsNothing(t *testing.T) {
	t.Parallel()
	r := (&answers{entitlements: []string{"generator"}}).roles(t)
	ctx, err := r.As(t.Context(), uid, Admins, "")
	require.ErrorIs(t, err, auth.ErrAdminRequired)
	require.Equal(t, auth.Subject{}, auth.SubjectFrom(ctx))
	ctx, err = r.As(t.Context(), uid, Subscribers, "library")
	require.ErrorIs(t, err, auth.ErrNotEntitled)
	require.Equal(t, auth.Subject{}, auth.SubjectFrom(ctx))
}

func TestAQuestionAboutARoleIsBounded(t *testing.T) {
	t.Parallel()
	a := &answers{admin: true, entitlements: []string{"library"}}
	r := a.roles(t)
	require.NoError(t, r.Admin(t.Context(), uid))
	_, err := r.Entitled(t.Context(), uid, "library")
	require.NoError(t, err)
	require.Len(t, a.limits, 2)
	for _, limit := range a.limits {
		require.LessOrEqual(t, limit, deadline.Of(2*time.Second))
	}
}

func fixed() time.Time { return time.Unix(1_763_000_000, 0) }

func TestARuleThatNamesNoRoleLetsNobodyIn(t *testing.T) {
	t.Parallel()
	r := New(nil)
	_, err := r.As(t.Context(), uid, 0, "")
	require.ErrorIs(t, err, errs.ErrInternal)
	_, err = r.As(t.Context(), uid, Members, "")
	require.NoError(t, err)
}
