package gateway

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestSecretsAndSessionsTravelInTheClearToThisMachineAlone(t *testing.T) {
	t.Parallel()
	cfg := start(t, 1).cfg
	cfg.PublicURL = "http://localhost:8080"
	require.NoError(t, cfg.Validate())
	cfg.Login.Issuer, cfg.PublicURL = "https://id.serein.example", "https://serein.example"
	require.NoError(t, cfg.Validate())
	for _, remote := range []string{"http://serein.example", "http://10.0.0.1", "http://localhost.evil.example"} {
		bad := cfg
		bad.PublicURL = remote
		require.ErrorContains(t, bad.Validate(), "PUBLIC_URL", remote)
		bad = cfg
		bad.Login.Issuer = remote
		require.ErrorContains(t, bad.Validate(), "OIDC_ISSUER", remote)
	}
}
