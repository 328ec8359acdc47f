package stack

import (
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/deploy/local/balancer"
)

// several is a stack with two of each program, of which nothing runs.
func several(t *testing.T) *Stack {
	t.Helper()
	dir := t.TempDir()
	settings, err := openSettings(dir)
	require.NoError(t, err)
	s := &Stack{settings: settings, options: Options{DataDir: dir, Replicas: 2}, replicas: map[string]*balancer.Replica{}}
	require.NoError(t, s.assign())
	return s
}

func TestEachReplicaHasItsOwnAddressesAndOthersKnowThoseOfItsProgram(t *testing.T) {
	t.Parallel()
	s := several(t)
	taken := map[string]string{}
	for _, i := range s.instances() {
		alone, err := s.environ(i.name)
		require.NoError(t, err)
		environ, err := s.instanceEnviron(i)
		require.NoError(t, err)
		for _, name := range []string{"INTERNAL_ADDR", "PUBLIC_ADDR"} {
			if alone[name] == "" {
				continue
			}
			require.NotEqual(t, alone[name], environ[name], i.part)
			require.Empty(t, taken[environ[name]], "%s listens where another does", i.part)
			taken[environ[name]] = i.part
		}
		require.Equal(t, alone["BILLING_URL"], environ["BILLING_URL"])
	}
	require.Len(t, s.Processes(), 2*(len(programs)+1), "narration is apart")
}

func TestReplicasTakeTheRolesOfTheManifests(t *testing.T) {
	t.Parallel()
	s := several(t)
	roles := map[string]string{}
	for _, i := range s.instances() {
		environ, err := s.instanceEnviron(i)
		require.NoError(t, err)
		if role := environ["GENERATION_ROLE"]; role != "" {
			roles[i.part] = role
		}
	}
	require.Equal(t, map[string]string{"generation-1": "requests", "generation-2": "requests", "narration-1": "narration", "narration-2": "narration"}, roles)
}

func TestABalancerStandsAtEachAddress(t *testing.T) {
	t.Parallel()
	s := several(t)
	parts, err := s.balancers()
	require.NoError(t, err)
	addresses := map[string]string{}
	for _, p := range parts {
		addresses[p.name] = p.address
	}
	for _, name := range Programs() {
		require.Equal(t, s.loopback(internal(name)), addresses["balancer-"+internal(name)])
	}
	require.Equal(t, s.loopback("gateway"), addresses["balancer-gateway-public"])
	require.Equal(t, s.loopback("delivery"), addresses["balancer-content-public"])
	require.Len(t, s.replicas, len(s.Processes()))
	require.NotContains(t, addresses, "balancer-narration-internal")
}

func TestWithoutReplicasAProgramIsItsOwnProcess(t *testing.T) {
	t.Parallel()
	s := started(t)
	require.Equal(t, Programs(), s.Processes())
	for _, i := range s.instances() {
		alone, err := s.environ(i.name)
		require.NoError(t, err)
		environ, err := s.instanceEnviron(i)
		require.NoError(t, err)
		require.Equal(t, alone, environ)
	}
}
