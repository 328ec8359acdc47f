package oidcop

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

const secret = "a-secret-of-32-characters-or-more"

func TestClientsThatCannotBeTrustedStopTheStart(t *testing.T) {
	t.Parallel()
	web := ClientConfig{ID: "gateway", Secret: secret, RedirectURIs: []string{"http://localhost:8080/auth/callback"}}
	good, err := json.Marshal([]ClientConfig{web, {ID: "reporter", Secret: secret, Scopes: []string{"billing.ledger.read"}}})
	require.NoError(t, err)
	clients, err := LoadClients(string(good))
	require.NoError(t, err)
	require.Len(t, clients, 2)

	path := filepath.Join(t.TempDir(), "clients.json")
	require.NoError(t, os.WriteFile(path, good, 0o600))
	fromFile, err := LoadClients(path)
	require.NoError(t, err)
	require.Equal(t, clients, fromFile)

	for name, bad := range map[string]string{
		"nothing": "[]", "no file": "/nowhere/clients.json", "not JSON": "[{", "an unknown field": `[{"id":"x","grant":"password"}]`,
		"a short secret":     `[{"id":"x","secret":"short","scopes":["a"]}]`,
		"a short one before": `[{"id":"x","secret":"` + secret + `","previous_secret":"short","scopes":["a"]}]`,
		"neither kind":       `[{"id":"x","secret":"` + secret + `"}]`,
		"openid for members": `[{"id":"x","secret":"` + secret + `","scopes":["openid"],"redirect_uris":["https://a.test/"]}]`,
		"a spaced scope":     `[{"id":"x","secret":"` + secret + `","scopes":["a b"]}]`,
		"http elsewhere":     `[{"id":"x","secret":"` + secret + `","redirect_uris":["http://a.test/"]}]`,
		"a fragment":         `[{"id":"x","secret":"` + secret + `","redirect_uris":["https://a.test/#x"]}]`,
		"a scheme of an app": `[{"id":"x","secret":"` + secret + `","redirect_uris":["javascript:alert(1)"]}]`,
		"openid for service": `[{"id":"x","secret":"` + secret + `","scopes":["openid"]}]`,
		"a spaced id":        `[{"id":"x y","secret":"` + secret + `","scopes":["a"]}]`,
		"services' audience": `[{"id":"serein","secret":"` + secret + `","redirect_uris":["https://a.test/"]}]`,
		"the API's audience": `[{"id":"serein-api","secret":"` + secret + `","redirect_uris":["https://a.test/"]}]`,
		"words are missing":  `[{"id":"x","secret":"` + secret + `","scopes":["serein.unheard.of"],"redirect_uris":["https://a.test/"]}]`,
		"nobody's app":       `[{"id":"x","secret":"` + secret + `","scopes":["a"],"first_party":true}]`,
		"offline for itself": `[{"id":"x","secret":"` + secret + `","scopes":["offline_access"]}]`,
		"twice":              `[{"id":"x","secret":"` + secret + `","scopes":["a"]},{"id":"x","secret":"` + secret + `","scopes":["a"]}]`,
	} {
		_, err := LoadClients(bad)
		require.Error(t, err, name)
		require.NotContains(t, err.Error(), secret, name)
	}
}
