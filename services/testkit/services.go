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

// Services lists the names of the gateway and of every service with a separate program. A test of conventions compares the list
// with the repository. The list is not read from the repository: if a test reads files of its module, Go reuses the cached result
// in this clone alone.
func Services() []string {
	return []string{"basket", "billing", "content", "gateway", "generation", "identity", "mail"}
}
