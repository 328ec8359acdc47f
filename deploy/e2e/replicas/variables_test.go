package replicas

import (
	"context"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/deploy/e2e/harness"
	"serein.app/deploy/e2e/wait"
	"serein.app/deploy/local/settings"
	"serein.app/deploy/local/stack"
	"serein.app/services/testkit/repository"
)

// ended runs a program whose variable is changed, or missing where value is empty, and gives what it printed at its end.
func ended(t *testing.T, s *stack.Stack, program, variable, value string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), wait.Patience)
	defer cancel()
	cmd, err := s.Command(ctx, program)
	require.NoError(t, err)
	cmd.Env = slices.DeleteFunc(cmd.Env, func(pair string) bool { return strings.HasPrefix(pair, variable+"=") })
	if value != "" {
		cmd.Env = append(cmd.Env, variable+"="+value)
	}
	printed, err := cmd.CombinedOutput()
	require.NoError(t, ctx.Err(), "%s runs with %s=%s", program, variable, value)
	var exit *exec.ExitError
	require.ErrorAs(t, err, &exit, "%s has ended well with %s=%s", program, variable, value)
	require.Equal(t, 1, exit.ExitCode(), "%s, %s=%s: %s", program, variable, value, printed)
	return string(printed)
}

// opened has an environment for each program, and starts none.
func opened(t *testing.T) (s *stack.Stack, root string) {
	t.Helper()
	root, err := repository.Root()
	require.NoError(t, err)
	binaries, err := harness.Build(t.Context(), root)
	require.NoError(t, err)
	s, err = stack.Open(stack.Options{
		DataDir: t.TempDir(), Root: root, Binaries: binaries,
		DatabaseURL: "postgres://postgres@127.0.0.1:1/postgres", NATSURL: "nats://127.0.0.1:1", // where nobody is, which ends no program
		Environ: map[string]string{"CLIENTS": `[{"id": "gateway", "secret": "` + strings.Repeat("s", 32) + `", "redirect_uris": ["https://serein.example/auth/callback"]}]`},
	})
	require.NoError(t, err)
	return s, root
}

func TestAMissingVariableEndsAProgramAtOnceWithItsName(t *testing.T) {
	s, root := opened(t)
	for _, program := range stack.Programs() {
		t.Run(program, func(t *testing.T) {
			variables, err := settings.Of(root, program)
			require.NoError(t, err)
			for _, v := range variables {
				if v.Required {
					require.Contains(t, ended(t, s, program, v.Name, ""), v.Name)
				}
			}
		})
	}
}

// typed is the default of a variable that is a number, a duration, or true or false; address is the name of one that is an address.
var (
	typed   = regexp.MustCompile(`^(\d[\d.]*|\d+[hms]|true|false)$`)
	address = regexp.MustCompile(`_(URL|ADDR)$`)
)

func TestAMalformedVariableEndsAProgramAtOnceWithItsNameAndWhatItShouldBe(t *testing.T) {
	s, root := opened(t)
	for _, program := range stack.Programs() {
		t.Run(program, func(t *testing.T) {
			names := []string{"LOG_LEVEL", "DEADLINE_SCALE", "OTEL_TRACES_EXPORTER", "SERVICE_KEY"}
			variables, err := settings.Of(root, program)
			require.NoError(t, err)
			for _, v := range variables {
				if typed.MatchString(v.Default) || address.MatchString(v.Name) {
					names = append(names, v.Name)
				}
			}
			for _, name := range names {
				printed := ended(t, s, program, name, "::nonsense")
				require.Regexp(t, name+`(:| is not| needs| are| and|,) `, printed, name)
			}
		})
	}
}
