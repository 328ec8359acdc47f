package repository_test

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/services/testkit/repository"
)

func TestTheRootIsFoundFromAFolderBelowAndNowhereElse(t *testing.T) {
	root, err := repository.Root()
	require.NoError(t, err)
	require.FileExists(t, filepath.Join(root, "go.work"))
	t.Chdir(t.TempDir())
	_, err = repository.Root()
	require.ErrorContains(t, err, "no go.work")
}
