package testkit

import (
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/services/testkit/repository"
)

// Repository is the folder of go.work, above the folder that a test runs in.
func Repository(tb testing.TB) string {
	tb.Helper()
	root, err := repository.Root()
	require.NoError(tb, err)
	return root
}

// Services are the names of the gateway and of every service that has a program of its own. A test of conventions compares them
// with the repository. They are not read from there: Go keeps the result of a test that has read its own module for this clone alone.
func Services() []string {
	return []string{"basket", "billing", "content", "gateway", "generation", "identity", "mail"}
}
