package suite

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestFaultsThatNoTestHasAreKept(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "faults")
	require.NoError(t, note("", errors.New("without a file")))
	require.NoError(t, note(file, errors.New("the product did not start")))
	require.NoError(t, note(file, errors.New("a password in a log")))
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, "suite.test: the product did not start\nsuite.test: a password in a log\n", string(text))
}
