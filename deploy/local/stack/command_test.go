package stack

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// started is a data folder in which the product ran once.
func started(t *testing.T) *Stack {
	t.Helper()
	settings, err := openSettings(t.TempDir())
	require.NoError(t, err)
	s := &Stack{settings: settings, options: Options{DataDir: t.TempDir()}}
	require.NoError(t, s.assign())
	return s
}

func TestACommandHasTheEnvironmentOfItsService(t *testing.T) {
	t.Parallel()
	s := started(t)
	for _, p := range programs {
		serving, err := s.environ(p.name)
		require.NoError(t, err)
		command, err := s.commandEnviron(p)
		require.NoError(t, err)
		owner := command["MIGRATE_DATABASE_URL"]
		delete(command, "MIGRATE_DATABASE_URL")
		require.Equal(t, serving, command, p.name)
		require.Equal(t, p.migrate != nil, owner != "", p.name)
	}
	require.EqualError(t, s.Do(t.Context(), "billing", "sing"), "usage: billing [migrate | replay DURATION | accept-price KEY | "+
		"add-code [--percent N | --amount MINOR-UNITS] [--months N] [--most N] [--per-member N] [--first-order] --until YYYY-MM-DD CODE | "+
		"call-off ORDER-NUMBER | codes | correct --by ADMIN-UID [--key UUID] MEMBER-UID CREDITS REASON | end-code CODE | prices | sent ORDER-NUMBER]",
		"the service itself answers")
}

func TestACommandOfNobodyIsRefused(t *testing.T) {
	t.Parallel()
	s := started(t)
	require.Error(t, s.Do(t.Context(), "nobody", "migrate"))
	require.Error(t, s.Do(t.Context(), "nats", "migrate"), "a part that is no service")
	require.Error(t, s.Do(t.Context(), "billing"), "that would serve a second time")
	settings, err := openSettings(t.TempDir())
	require.NoError(t, err)
	require.ErrorContains(t, (&Stack{settings: settings}).Do(t.Context(), "billing", "migrate"), "once it was started")
}

func TestEveryProgramHasItsOwnPortKeyAndAddress(t *testing.T) {
	t.Parallel()
	s := started(t)
	ports := map[int]string{}
	for _, name := range Programs() {
		port := s.settings.Ports[internal(name)]
		require.NotZero(t, port, name)
		require.Empty(t, ports[port], "%s has the port of another", name)
		ports[port] = name
	}
	environ, err := s.environ("gateway")
	require.NoError(t, err)
	for _, name := range Services() {
		require.Equal(t, s.ServiceURL(name), environ[strings.ToUpper(name)+"_URL"])
		require.Contains(t, environ["SERVICE_KEYS"], name+"=")
	}
}
