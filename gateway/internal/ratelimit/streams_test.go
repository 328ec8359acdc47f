package ratelimit

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/services/platform/guard"
)

func from(t *testing.T, address string) context.Context {
	t.Helper()
	return guard.WithAddress(t.Context(), address)
}

func TestStreamsAreCountedByMemberByAddressAndInAll(t *testing.T) {
	t.Parallel()
	s := NewStreams(2, 3, 4)
	var leaves []func()
	enter := func(address, member string) error {
		leave, err := s.Enter(from(t, address), member)
		if err == nil {
			leaves = append(leaves, leave)
		}
		return err
	}
	require.NoError(t, enter("192.0.2.1", "ada"))
	require.NoError(t, enter("192.0.2.1", "ada"))
	require.ErrorIs(t, enter("192.0.2.2", "ada"), guard.ErrTooMany, "a member's, wherever they are")
	require.NoError(t, enter("192.0.2.1", "bea"))
	refused := enter("192.0.2.1", "cleo")
	require.ErrorIs(t, refused, guard.ErrTooMany, "the address's limit, for all its members")
	require.Equal(t, "15", guard.RetryAfter(refused))
	require.NoError(t, enter("192.0.2.2", "cleo"))
	require.ErrorIs(t, enter("192.0.2.3", "dora"), guard.ErrTooMany, "all together")

	leaves[0]()
	require.NoError(t, enter("192.0.2.3", "dora"), "what has ended makes room")
	for _, leave := range leaves[1:] {
		leave()
	}
	require.Zero(t, s.open)
	require.Empty(t, s.members, "members without streams are forgotten")
	require.Empty(t, s.addresses)
}
