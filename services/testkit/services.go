package testkit

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// Repository is the folder of go.work, above the folder that a test runs in.
func Repository(tb testing.TB) string {
	tb.Helper()
	dir, err := os.Getwd()
	require.NoError(tb, err)
	for ; dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.work")); err == nil {
			return dir
		}
	}
	require.Fail(tb, "this is not the repository: there is no go.work above")
	return ""
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
