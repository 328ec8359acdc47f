package stack

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/services/platform/postgres"
	"serein.app/services/testkit"
)

func TestASecretOfAClusterHasAValueForEachKeyTheSameEachTime(t *testing.T) {
	t.Parallel()
	s, err := Open(Options{DataDir: t.TempDir(), Root: testkit.Repository(t)})
	require.NoError(t, err)
	first, err := s.ClusterSecrets()
	require.NoError(t, err)
	again, err := Open(s.options)
	require.NoError(t, err)
	second, err := again.ClusterSecrets()
	require.NoError(t, err)
	require.Equal(t, string(first), string(second))

	var list struct{ Items []clusterSecret }
	require.NoError(t, json.Unmarshal(first, &list))
	require.Len(t, list.Items, len(programs)+len(Databases())+3)
	for _, secret := range list.Items {
		for key, value := range secret.StringData {
			require.NotEmpty(t, value, "%s of %s", key, secret.Metadata["name"])
			require.NotContains(t, value, "127.0.0.1", "%s of %s is an address of this machine", key, secret.Metadata["name"])
		}
	}
}

func TestTheGatewayOfAClusterAndIdentityKnowTheSameSecret(t *testing.T) {
	t.Parallel()
	s, err := Open(Options{DataDir: t.TempDir(), Root: testkit.Repository(t)})
	require.NoError(t, err)
	secrets, err := s.clusterSecrets()
	require.NoError(t, err)
	var clients []client
	require.NoError(t, json.Unmarshal([]byte(secrets["identity"]["CLIENTS"]), &clients))
	require.Equal(t, clusterClient, clients[0].ID)
	require.Equal(t, secrets["gateway"]["OIDC_CLIENT_SECRET"], clients[0].Secret)
	require.True(t, clients[0].FirstParty)
	for _, c := range clients[1:] {
		require.Empty(t, c.RedirectURIs, "%s has an address of this machine", c.ID)
	}
}

func TestRolesOfAClustersDatabaseHavePasswordsOfTheirAddresses(t *testing.T) {
	t.Parallel()
	s, err := Open(Options{DataDir: t.TempDir(), Root: testkit.Repository(t)})
	require.NoError(t, err)
	secrets, err := s.clusterSecrets()
	require.NoError(t, err)
	want, err := postgres.WithLogin(clusterDatabase, "serein_billing", "billing_owner", s.settings.password("postgres.billing_owner"))
	require.NoError(t, err)
	require.Equal(t, want, secrets["billing-migrate"]["MIGRATE_DATABASE_URL"])
	require.NotEqual(t, want, secrets["billing"]["DATABASE_URL"])
	require.True(t, strings.HasPrefix(secrets["billing"]["DATABASE_URL"], "postgres://billing:"), "the service's own role")
}
