package config_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/services/platform/config"
)

func TestSecretsTravelInTheClearToThisMachineAlone(t *testing.T) {
	t.Parallel()
	for _, good := range []string{"https://id.serein.app", "http://localhost:40123", "http://127.0.0.1:1", "http://[::1]:1"} {
		require.NoError(t, config.CheckURL(good), good)
	}
	for _, bad := range []string{"", "http://id.serein.app", "http://localhost.evil.test", "ftp://localhost", "https://", "https://user:pw@id.test", "//x", "https://x/#y"} {
		require.Error(t, config.CheckURL(bad), bad)
	}
}
