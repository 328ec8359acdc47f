package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func opened(t *testing.T, path string) *journal {
	t.Helper()
	j, err := openJournal(path)
	require.NoError(t, err)
	t.Cleanup(func() { _ = j.Close() })
	return j
}

func TestAnEventIsKeptOnceAlsoByTheNextProcess(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "spent.jsonl")
	first := opened(t, path)
	line, err := first.keep(record{ID: "one", Credits: 2})
	require.NoError(t, err)
	for _, j := range []*journal{first, opened(t, path)} {
		again, err := j.keep(record{ID: "one", Credits: 2})
		require.NoError(t, err)
		require.Nil(t, again)
	}
	content, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, string(line), string(content))
}

func TestALineThatAProcessDiedOverIsWrittenAnew(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "spent.jsonl")
	one, err := opened(t, path).keep(record{ID: "one"})
	require.NoError(t, err)
	for torn := range len(one) {
		require.NoError(t, os.WriteFile(path, append(one, one[:torn]...), 0o600))
		two, err := opened(t, path).keep(record{ID: "two"})
		require.NoError(t, err)
		content, err := os.ReadFile(path)
		require.NoError(t, err)
		require.Equal(t, string(one)+string(two), string(content))
	}
}

func TestAFileOfSomethingElseIsLeftAsItIs(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "letter.txt")
	require.NoError(t, os.WriteFile(path, []byte("Dear Amara,\n"), 0o600))
	_, err := openJournal(path)
	require.ErrorContains(t, err, path)
	content, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, "Dear Amara,\n", string(content))
}
