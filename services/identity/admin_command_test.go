package identity_test

import (
	"encoding/json"
	"flag"
	"os"
	"os/exec"
	"os/user"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"serein.app/services/identity"
	"serein.app/services/platform/service"
)

// asProgram in the environment makes the test binary identity's own program.
const asProgram = "TEST_RUN_IDENTITY"

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		os.Exit(service.Main(identity.Program()))
	}
	if os.Getenv(asProvider) != "" {
		flag.Parse() // testing.Benchmark asks for its flags
		testing.Benchmark(provide)
		os.Exit(0)
	}
	os.Exit(m.Run())
}

type ran struct {
	code        int
	out, errors string
}

// command runs identity as a separate process, with the database's address and nothing else.
func command(t *testing.T, databaseURL string, args ...string) ran {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0], args...)
	cmd.Env = []string{asProgram + "=1", "DATABASE_URL=" + databaseURL}
	var out, errors strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &errors
	err := cmd.Run()
	if cmd.ProcessState == nil {
		require.NoError(t, err)
	}
	return ran{cmd.ProcessState.ExitCode(), out.String(), errors.String()}
}

// isAdminEvent requires one line of the security log, beside the command's output to the operator.
func isAdminEvent(t *testing.T, r ran, command string, uid uuid.UUID) {
	t.Helper()
	require.Zero(t, r.code)
	var line map[string]any
	require.NoError(t, json.Unmarshal([]byte(r.errors), &line), r.errors)
	for field, want := range map[string]string{
		"msg": "security", "event": "admin", "outcome": "success", "procedure": command, "caller": "operator", "uid": uid.String(),
	} {
		require.Equal(t, want, line[field])
	}
	require.NotContains(t, r.errors, "amara")
}

func TestAnOperatorGivesAndTakesTheAdminRole(t *testing.T) {
	t.Parallel()
	b := setup(t)
	a := b.member("amara")
	granted := command(t, b.db.URL, "grant-admin", "amara")
	require.Equal(t, "amara is an admin now.\n", granted.out)
	isAdminEvent(t, granted, "grant-admin", a.UID)
	require.True(t, b.admin(a.UID))
	require.Equal(t, ran{0, "amara was an admin already; nothing changed.\n", ""}, command(t, b.db.URL, "grant-admin", "amara"))
	revoked := command(t, b.db.URL, "revoke-admin", "--by", "nils", "--note", "left the team", "amara")
	require.Equal(t, "amara is no admin any more.\n", revoked.out)
	isAdminEvent(t, revoked, "revoke-admin", a.UID)
	require.False(t, b.admin(a.UID))
	require.Equal(t, ran{0, "amara was no admin; nothing changed.\n", ""}, command(t, b.db.URL, "revoke-admin", "amara"))

	host, err := os.Hostname()
	require.NoError(t, err)
	me, err := user.Current()
	require.NoError(t, err)
	require.Equal(t, 2, b.count(`SELECT count(*) FROM role_changes`))
	require.Equal(t, 1, b.count(`SELECT count(*) FROM role_changes WHERE granted AND changed_by = $1 AND note = ''`, me.Username+"@"+host), "the system's own word for who it was")
	require.Equal(t, 1, b.count(`SELECT count(*) FROM role_changes WHERE NOT granted AND changed_by = 'nils' AND note = 'left the team'`))
	require.Len(t, b.roleEvents(), 2)
}

func TestAnOperatorIsToldInOneSentenceWhatIsWrong(t *testing.T) {
	t.Parallel()
	b := setup(t)
	_, err := b.accounts.SignUp(t.Context(), form("waiting", "waiting@example.org"))
	require.NoError(t, err)
	for _, name := range []string{"nobody", "waiting"} {
		require.Equal(t, ran{1, "", `identity: there is no confirmed account "` + name + "\"\n"}, command(t, b.db.URL, "grant-admin", name))
	}
	for _, args := range [][]string{{"grant-admin"}, {"grant-admin", "a", "b"}, {"revoke-admin", "--why", "x", "amara"}, {"grant"}} {
		r := command(t, b.db.URL, args...)
		require.Equal(t, 2, r.code, "%v", args)
		require.Contains(t, r.errors, "usage: identity")
		require.Equal(t, 1, strings.Count(r.errors, "\n"))
	}
	require.Contains(t, command(t, b.db.URL, "sing").errors, "grant-admin [--by NAME] [--note TEXT] USERNAME")
	r := command(t, "", "grant-admin", "amara")
	require.Equal(t, 1, r.code)
	require.Contains(t, r.errors, "DATABASE_URL")
	require.Zero(t, b.count(`SELECT count(*) FROM role_changes`))
}
