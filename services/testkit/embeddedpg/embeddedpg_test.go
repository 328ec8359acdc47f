package embeddedpg_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"serein.app/services/testkit"
	"serein.app/services/testkit/embeddedpg"
)

// The processes of a killed server go on with what they do, and hold its memory.
func TestAKilledServerStartsAgainWhileItsLastStatementStillRuns(t *testing.T) {
	t.Parallel()
	cfg := embeddedpg.Config{
		Binaries: testkit.Part(t, "postgres"), Data: t.TempDir(), Password: "throw-away", Fast: true,
	}
	server, err := embeddedpg.Start(t.Context(), cfg)
	require.NoError(t, err)
	conn, err := pgx.Connect(t.Context(), server.URL("postgres"))
	require.NoError(t, err)
	_, err = conn.Exec(t.Context(), "CREATE TABLE kept (n int); INSERT INTO kept VALUES (7)")
	require.NoError(t, err)
	_, err = conn.PgConn().Exec(t.Context(), "CHECKPOINT").ReadAll()
	require.NoError(t, err)
	busy := conn.PgConn().Exec(t.Context(), "SELECT 1; SELECT count(*) FROM generate_series(1, 5000000)")
	require.True(t, busy.NextResult(), "it has begun")
	server.Kill()

	server, err = embeddedpg.Start(t.Context(), cfg)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, server.Stop()) })
	again, err := pgx.Connect(t.Context(), server.URL("postgres"))
	require.NoError(t, err)
	defer func() { _ = again.Close(t.Context()) }()
	var n int
	require.NoError(t, again.QueryRow(t.Context(), "SELECT n FROM kept").Scan(&n))
	require.Equal(t, 7, n)
}

// As root everything may lie in folders that only root can enter, as in root's home.
func TestAServerRunsInsideAFolderOfItsOwnersAlone(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	require.NoError(t, os.Chmod(home, 0o700))
	binaries := filepath.Join(home, "native")
	require.NoError(t, os.CopyFS(binaries, os.DirFS(testkit.Part(t, "postgres"))))
	server, err := embeddedpg.Start(t.Context(), embeddedpg.Config{
		Binaries: binaries, Data: filepath.Join(home, "data"), Password: "throw-away", Fast: true,
	})
	require.NoError(t, err)
	require.NoError(t, server.Stop())
}
