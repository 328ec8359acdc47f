package postgres_test

import (
	"fmt"
	"net/url"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"serein.app/services/platform/config"
	"serein.app/services/platform/mtls"
	"serein.app/services/platform/postgres"
	"serein.app/services/testkit"
	"serein.app/services/testkit/embeddedpg"
	"serein.app/services/testkit/pki"
)

// secured is a server that asks everybody who comes by TLS for a certificate of an authority.
func secured(t *testing.T, certs mtls.Config) (address string) {
	t.Helper()
	server, err := embeddedpg.Start(t.Context(), embeddedpg.Config{
		Binaries: testkit.Part(t, "postgres"), Data: t.TempDir(), Password: "hunter2", Fast: true,
	})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, server.Stop()) })
	admin, err := pgx.Connect(t.Context(), server.URL("postgres"))
	require.NoError(t, err)
	defer func() { require.NoError(t, admin.Close(t.Context())) }()
	put := func(content, command string) { // as the server's own user, in its folder
		lines := "SELECT unnest(string_to_array('" + strings.TrimSpace(content) + "', E'\n'))"
		_, err := admin.Exec(t.Context(), "COPY ("+lines+") TO PROGRAM '"+command+"'")
		require.NoError(t, err)
	}
	for name, file := range map[string]string{"own.pem": certs.Cert, "own.key": certs.Key, "ca.pem": certs.CA} {
		content, err := os.ReadFile(file)
		require.NoError(t, err)
		put(string(content), "umask 077; cat > "+name)
	}
	put("hostssl all all 127.0.0.1/32 scram-sha-256 clientcert=verify-ca", "cat - pg_hba.conf > both && mv both pg_hba.conf")
	for name, value := range map[string]string{"ssl_cert_file": "own.pem", "ssl_key_file": "own.key", "ssl_ca_file": "ca.pem", "ssl": "on"} {
		_, err := admin.Exec(t.Context(), fmt.Sprintf("ALTER SYSTEM SET %s = '%s'", name, value))
		require.NoError(t, err)
	}
	_, err = admin.Exec(t.Context(), "SELECT pg_reload_conf()")
	require.NoError(t, err)
	return server.URL("postgres")
}

// by is the address with a client's certificate.
func by(address string, certs mtls.Config) config.URL {
	plain, _, _ := strings.Cut(address, "?")
	return config.URL(plain + "?" + url.Values{
		"sslmode": {"verify-full"}, "sslcert": {certs.Cert}, "sslkey": {certs.Key}, "sslrootcert": {certs.CA},
	}.Encode())
}

// The certificate of a connection is that of its time; a pool that is old does not keep those of its start.
func TestReplacedCertificatesAreUsedByTheNextConnection(t *testing.T) {
	t.Parallel()
	before, after, dir, later := pki.New(t), pki.New(t), t.TempDir(), time.Now().Add(time.Hour)
	address := secured(t, before.Issue(t.TempDir(), "database", later, before, after))
	certs := before.Issue(dir, "mail", later)
	pool, err := postgres.Open(t.Context(), postgres.Config{URL: by(address, certs), MaxConns: 2}, testkit.Telemetry(t))
	require.NoError(t, err)
	t.Cleanup(pool.Close)
	const which = "SELECT client_serial::text FROM pg_stat_ssl WHERE pid = pg_backend_pid()"
	serial := func() (serial string) {
		pool.Reset()
		require.NoError(t, pool.QueryRow(t.Context(), which).Scan(&serial))
		return serial
	}
	var first string
	require.Eventually(t, func() bool { // the server is reading its configuration
		return pool.QueryRow(t.Context(), which).Scan(&first) == nil && first != ""
	}, testkit.Patience, 10*time.Millisecond)
	require.Equal(t, first, serial(), "the same files")

	after.Issue(dir, "mail", later, before)
	second := serial()
	require.NotEqual(t, first, second)
	beside, err := postgres.Connect(t.Context(), pool)
	require.NoError(t, err)
	var third string
	require.NoError(t, beside.QueryRow(t.Context(), which).Scan(&third))
	require.NoError(t, beside.Close(t.Context()))
	require.Equal(t, second, third, "beside the pool too")

	require.NoError(t, os.WriteFile(certs.Key, []byte("half a key"), 0o600))
	require.Equal(t, second, serial(), "what was read before goes on")
	after.Issue(dir, "mail", time.Now().Add(-time.Minute), before)
	pool.Reset()
	require.Error(t, pool.QueryRow(t.Context(), which).Scan(&third), "an old one is not hidden by one before it")
}
