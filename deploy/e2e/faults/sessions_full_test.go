//go:build full

package faults

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/deploy/e2e/harness"
	webv1 "serein.app/proto/gen/serein/web/v1"
)

// A crash of Redis with everything in it costs a sign-in and nothing else.
func TestSessionsThatAreLostAreSignedInAgain(t *testing.T) { // not parallel: it ends everybody's session
	ctx := t.Context()
	member, err := product.NewMember(ctx)
	require.NoError(t, err)
	kill(t, "redis")
	require.NoError(t, product.Forget("redis.json"))
	revive(ctx, t, "redis")

	require.NoError(t, harness.Eventually(ctx, "the end of the session", func(ctx context.Context) (bool, error) {
		session, err := member.Session.GetSession(ctx, &webv1.GetSessionRequest{})
		return err == nil && session.GetMember() == nil, err
	}))
	require.NoError(t, member.SignIn(ctx))
	requireUsable(ctx, t, member)
}
