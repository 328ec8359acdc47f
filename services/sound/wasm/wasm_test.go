package wasm

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestCompiledCodeIsKeptOnDisk(t *testing.T) {
	t.Parallel()
	// The smallest module: a magic number and a version.
	empty, dir := []byte("\x00asm\x01\x00\x00\x00"), t.TempDir()
	for range 2 {
		m, err := Compile(t.Context(), empty, Options{CacheDir: dir, MaxMemory: 1 << 20})
		require.NoError(t, err)
		require.NoError(t, m.Close(t.Context()))
	}
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.NotEmpty(t, entries)

	_, err = Compile(t.Context(), []byte("\x00asm!"), Options{CacheDir: dir})
	require.Error(t, err)
}

func TestMemoryGrowsInPlaceUpToItsLimit(t *testing.T) {
	t.Parallel()
	mem := reserve(pageSize, 4*pageSize)
	first := mem.Reallocate(pageSize)
	first[7] = 42
	grown := mem.Reallocate(4 * pageSize)
	require.Len(t, grown, 4*pageSize)
	require.Same(t, &first[0], &grown[0])
	require.EqualValues(t, 42, grown[7])
	require.Nil(t, mem.Reallocate(5*pageSize))
	mem.Free()
	mem.Free()
}
