package docs

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// stubs stand before the programs that roll-out.sh calls. kubectl notes its words and says of the Jobs what the next line of a file says;
// minutes go by without a wait.
var stubs = map[string]string{
	"kubectl": `#!/bin/sh
printf '%s\037' "$@" | tr '\n' ' ' >> "$FOLDER/calls"
echo >> "$FOLDER/calls"
case "$*" in *"get jobs"*)
	head -n 1 "$FOLDER/answers" | tr ',' '\n'
	if [ "$(wc -l < "$FOLDER/answers")" -gt 1 ]; then sed -i 1d "$FOLDER/answers"; fi
esac
`,
	"sleep": "#!/bin/sh\n",
}

// rollOut runs roll-out.sh with what kubectl says of the Jobs, one answer after the other, and gives what it called and said.
func rollOut(t *testing.T, answers ...string) (calls [][]string, said string, err error) {
	t.Helper()
	folder := t.TempDir()
	for name, text := range stubs {
		require.NoError(t, os.WriteFile(filepath.Join(folder, name), []byte(text), 0o700))
	}
	require.NoError(t, os.WriteFile(filepath.Join(folder, "answers"), []byte(strings.Join(answers, "\n")+"\n"), 0o600))
	script := exec.CommandContext(t.Context(), "deploy/k8s/roll-out.sh", "deploy/k8s/overlays/prod")
	script.Dir = root(t)
	script.Env = []string{"FOLDER=" + folder, "PATH=" + folder + ":" + os.Getenv("PATH")}
	var out bytes.Buffer
	script.Stdout, script.Stderr = &out, &out
	err = script.Run()
	noted, readErr := os.ReadFile(filepath.Join(folder, "calls"))
	require.NoError(t, readErr)
	for line := range strings.Lines(string(noted)) {
		words := strings.Split(strings.TrimSuffix(strings.TrimSpace(line), "\037"), "\037")
		calls = append(calls, append([]string{"kubectl"}, words...))
	}
	return calls, out.String(), err
}

const wholeApply = "kubectl apply --kustomize deploy/k8s/overlays/prod"

// applies says whether the programs were applied.
func applies(calls [][]string) bool {
	for _, words := range calls {
		if strings.Join(words, " ") == wholeApply {
			return true
		}
	}
	return false
}

func TestARollOutBringsTheProgramsAfterAllSteps(t *testing.T) {
	t.Parallel()
	calls, said, err := rollOut(t, "", "billing-migrate,provision", "billing-migrate,provision Complete", "billing-migrate Complete,provision Complete")
	require.NoError(t, err, said)
	var verbs []string
	for _, words := range calls {
		require.NoError(t, known(t).command(words), "%v", words)
		verbs = append(verbs, strings.TrimPrefix(strings.Join(words, " "), "kubectl --namespace serein "))
	}
	require.Len(t, verbs, 8)
	require.Equal(t, "delete job --selector serein.app/step --ignore-not-found", verbs[0])
	require.Equal(t, wholeApply+" --selector serein.app/kind!=program", verbs[1])
	require.Equal(t, wholeApply, verbs[6])
	require.Equal(t, "rollout status deployment --selector serein.app/kind=program --timeout 10m", verbs[7])
}

func TestAMigrationThatFailsLeavesTheProgramsAsTheyWere(t *testing.T) {
	t.Parallel()
	calls, said, err := rollOut(t, "billing-migrate,provision Complete", "billing-migrate Failed,provision Complete")
	require.Error(t, err)
	require.Contains(t, said, "billing-migrate has failed")
	require.Equal(t, "kubectl --namespace serein logs job/billing-migrate --tail 50", strings.Join(calls[len(calls)-1], " "))
	require.False(t, applies(calls))
}
