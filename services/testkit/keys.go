package testkit

import (
	"crypto/ed25519"
	"encoding/base64"
	"hash/fnv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/services/platform/auth"
	"serein.app/services/platform/config"
	"serein.app/services/platform/rpc"
	"serein.app/services/platform/telemetry"
)

// Key is a service's key in tests: the same in every process, so that several can talk.
func Key(service string) config.Secret {
	h := fnv.New64a()
	_, _ = h.Write([]byte("serein test key of " + service))
	return config.Secret(base64.StdEncoding.EncodeToString([]byte(strings.Repeat(string(h.Sum(nil)), ed25519.SeedSize/h.Size()))))
}

// Auth is a service's configuration in tests: its own key and everybody's public ones.
func Auth(tb testing.TB, service string) auth.Config {
	tb.Helper()
	var peers []string
	for _, name := range Services() {
		public, err := auth.PublicKey(Key(name))
		require.NoError(tb, err)
		peers = append(peers, name+"="+public)
	}
	return auth.Config{ServiceKey: Key(service), Peers: strings.Join(peers, ",")}
}

// Telemetry logs into the test and exports nothing.
func Telemetry(tb testing.TB) *telemetry.Telemetry {
	tb.Helper()
	tel, err := telemetry.SetupTo(tb.Context(), "test", tb.Output())
	require.NoError(tb, err)
	return tel
}

// Verifier proves callers as that service does.
func Verifier(tb testing.TB, service string) *auth.Verifier {
	tb.Helper()
	verifier, err := auth.NewVerifier(service, Auth(tb, service))
	require.NoError(tb, err)
	return verifier
}

// Signer signs as that service does.
func Signer(tb testing.TB, service string) *auth.Signer {
	tb.Helper()
	signer, err := auth.NewSigner(service, Key(service))
	require.NoError(tb, err)
	return signer
}

// Dialer makes clients that call as that service.
func Dialer(tb testing.TB, service string) *rpc.Dialer {
	tb.Helper()
	dialer, err := rpc.NewDialer(Signer(tb, service), Telemetry(tb))
	require.NoError(tb, err)
	return dialer
}
