package testkit

import (
	"path/filepath"
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

// Services are the names of the gateway and of every service that has a program of its own in
// the repository.
func Services(tb testing.TB) []string {
	tb.Helper()
	programs, err := filepath.Glob(filepath.Join(Repository(tb), "services", "*", "cmd", "*"))
	require.NoError(tb, err)
	names := []string{"gateway"}
	for _, program := range programs {
		names = append(names, filepath.Base(program))
	}
	return names
}
