package web

import (
	"bytes"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/gateway/internal/roles"
	"serein.app/services/platform/guard"
	"serein.app/services/platform/seclog"
	"serein.app/services/platform/telemetry"
)

func TestWhoIsRefusedHereStandsInTheSecurityLog(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	tel, err := telemetry.SetupTo(t.Context(), "gateway", &out)
	require.NoError(t, err)
	i, header := admitting(t, answers{}, map[string]rule{"/admins": {role: roles.Admins}})
	i.screens.Security, err = seclog.New(tel, "", fixed)
	require.NoError(t, err)
	ctx := guard.WithAddress(t.Context(), "192.0.2.7")
	for want, call := range map[string]http.Header{`"outcome":"admin_required"`: header, `"event":"access"`: {}} {
		out.Reset()
		_, err := i.admit(ctx, "/admins", call)
		require.Error(t, err)
		require.Contains(t, out.String(), want)
		require.Contains(t, out.String(), `"procedure":"/admins"`)
		require.Contains(t, out.String(), `"address_hash"`)
		require.NotContains(t, out.String(), "192.0.2")
	}
}
