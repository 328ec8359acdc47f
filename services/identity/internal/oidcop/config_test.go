package oidcop

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
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
		"a short secret":        `[{"id":"x","secret":"short","scopes":["a"]}]`,
		"a short one before":    `[{"id":"x","secret":"` + secret + `","previous_secret":"short","scopes":["a"]}]`,
		"neither kind":          `[{"id":"x","secret":"` + secret + `"}]`,
		"openid for members":    `[{"id":"x","secret":"` + secret + `","scopes":["openid"],"redirect_uris":["https://a.test/"]}]`,
		"a spaced scope":        `[{"id":"x","secret":"` + secret + `","scopes":["a b"]}]`,
		"http elsewhere":        `[{"id":"x","secret":"` + secret + `","redirect_uris":["http://a.test/"]}]`,
		"a fragment":            `[{"id":"x","secret":"` + secret + `","redirect_uris":["https://a.test/#x"]}]`,
		"a scheme of an app":    `[{"id":"x","secret":"` + secret + `","redirect_uris":["javascript:alert(1)"]}]`,
		"openid for service":    `[{"id":"x","secret":"` + secret + `","scopes":["openid"]}]`,
		"a spaced id":           `[{"id":"x y","secret":"` + secret + `","scopes":["a"]}]`,
		"services' audience":    `[{"id":"serein","secret":"` + secret + `","redirect_uris":["https://a.test/"]}]`,
		"the API's audience":    `[{"id":"serein-api","secret":"` + secret + `","redirect_uris":["https://a.test/"]}]`,
		"words are missing":     `[{"id":"x","secret":"` + secret + `","scopes":["serein.unheard.of"],"redirect_uris":["https://a.test/"]}]`,
		"nobody's app":          `[{"id":"x","secret":"` + secret + `","scopes":["a"],"first_party":true}]`,
		"offline for itself":    `[{"id":"x","secret":"` + secret + `","scopes":["offline_access"]}]`,
		"a public one's secret": `[{"id":"x","public":true,"secret":"` + secret + `","redirect_uris":["https://a.test/"]}]`,
		"a public service":      `[{"id":"x","public":true,"scopes":["a"]}]`,
		"two lists":             `[{"id":"x","secret":"` + secret + `","scopes":["a"]}] []`,
		"a service told":        `[{"id":"x","secret":"` + secret + `","scopes":["a"],"backchannel_logout_uri":"https://a.test/"}]`,
		"told in the clear":     `[{"id":"x","secret":"` + secret + `","redirect_uris":["https://a.test/"],"backchannel_logout_uri":"http://a.test/"}]`,
		"twice":                 `[{"id":"x","secret":"` + secret + `","scopes":["a"]},{"id":"x","secret":"` + secret + `","scopes":["a"]}]`,
		"a shared key":          `[{"id":"x","secret":"` + secret + `","scopes":["a"],"id_token_signed_response_alg":"HS256"}]`,
		"no signature":          `[{"id":"x","secret":"` + secret + `","scopes":["a"],"id_token_signed_response_alg":"none"}]`,
		"nobody's algorithm":    `[{"id":"x","secret":"` + secret + `","scopes":["a"],"id_token_signed_response_alg":"es256"}]`,
		"passwords, elsewhere":  `[{"id":"x","secret":"` + secret + `","redirect_uris":["https://a.test/"],"password_auth":true}]`,
	} {
		_, err := LoadClients(bad)
		require.Error(t, err, name)
		require.NotContains(t, err.Error(), secret, name)
	}
}

func TestAFileOfClientsThatCannotBeTakenKeepsTheLastGoodOnes(t *testing.T) {
	t.Parallel()
	path, reader := filepath.Join(t.TempDir(), "clients.json"), sdkmetric.NewManualReader()
	write := func(content string) { require.NoError(t, os.WriteFile(path, []byte(content), 0o600)) }
	good := `[{"id":"reporter","secret":"` + secret + `","scopes":["a"]}]`
	write(good)
	var log bytes.Buffer
	c, err := OpenClients(path, sdkmetric.NewMeterProvider(sdkmetric.WithReader(reader)), slog.New(slog.NewTextHandler(&log, nil)))
	require.NoError(t, err)
	refused := func() int64 {
		var all metricdata.ResourceMetrics
		require.NoError(t, reader.Collect(t.Context(), &all))
		gauge, ok := all.ScopeMetrics[0].Metrics[0].Data.(metricdata.Gauge[int64])
		require.True(t, ok)
		return gauge.DataPoints[0].Value
	}
	look := func() { c.look(t.Context()); c.look(t.Context()) }
	look()
	require.Zero(t, refused())
	require.Empty(t, log.String())
	for name, bad := range map[string]string{
		"empty": "", "cut off": good[:20], "faulty": strings.Replace(good, `"a"`, `"openid"`, 1), "too long": strings.Repeat(" ", maxClients+1),
	} {
		write(bad)
		log.Reset()
		look()
		_, known := c.find("reporter")
		require.True(t, known, name)
		require.EqualValues(t, 1, refused(), name)
		require.Equal(t, 1, strings.Count(log.String(), "is not taken"), "said once: %s", name)
		require.NotContains(t, log.String(), secret, name)
	}
	require.NoError(t, os.Remove(path))
	look()
	_, known := c.find("reporter")
	require.True(t, known, "a file that is gone")
	require.EqualValues(t, 1, refused())
	log.Reset()
	write(strings.Replace(good, "reporter", "another", 1))
	look()
	require.Zero(t, refused())
	require.Equal(t, 1, strings.Count(log.String(), "the file of clients is taken"))
	_, known = c.find("reporter")
	require.False(t, known, "a file that is good is taken whole")
}
