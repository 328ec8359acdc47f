package stack

import (
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestSecretsAndPortsStayTheSameOverRestarts(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	first, err := openSettings(dir)
	require.NoError(t, err)
	port, err := first.port("identity")
	require.NoError(t, err)
	secret, password := first.secret("a"), first.password("b")
	require.NoError(t, first.save())

	second, err := openSettings(dir)
	require.NoError(t, err)
	again, err := second.port("identity")
	require.NoError(t, err)
	require.Equal(t, port, again)
	require.Equal(t, secret, second.secret("a"))
	require.Equal(t, password, second.password("b"))
	require.NotEqual(t, secret, second.secret("c"))
}

func TestPartsThatStartTogetherShareTheSettings(t *testing.T) {
	t.Parallel()
	s, err := openSettings(t.TempDir())
	require.NoError(t, err)
	var all sync.WaitGroup
	secrets := make([]string, 8)
	for i := range secrets {
		all.Go(func() {
			secrets[i] = s.secret("shared")
			if err := s.save(); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	for _, secret := range secrets {
		require.Equal(t, secrets[0], secret)
	}
}

func TestNoTwoPartsGetTheSamePort(t *testing.T) {
	t.Parallel()
	s, err := openSettings(t.TempDir())
	require.NoError(t, err)
	seen := map[int]bool{}
	for _, name := range []string{"a", "b", "c", "d", "e", "f", "g", "h"} {
		port, err := s.port(name)
		require.NoError(t, err)
		require.False(t, seen[port])
		seen[port] = true
	}
}
