package faults

import (
	"context"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// kill crashes parts, which run again at the test's end whatever happens.
func kill(t *testing.T, parts ...string) {
	t.Helper()
	t.Cleanup(func() { revive(context.WithoutCancel(t.Context()), t, parts...) })
	for _, part := range parts {
		require.NoError(t, product.KillPart(part))
	}
}

// revive starts those of the parts that do not run.
func revive(ctx context.Context, t *testing.T, parts ...string) {
	t.Helper()
	for _, part := range slices.Backward(parts) {
		if !product.Up(part) {
			require.NoError(t, product.StartPart(ctx, part), part)
		}
	}
}
