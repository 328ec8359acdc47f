package tilt

import (
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/deploy/k8s/check"
	"serein.app/services/testkit/repository"
)

// overlay is what the Tiltfile deploys.
const overlay = "overlays/tilt"

// rendered is that overlay, once for all tests: no rule writes to it.
var rendered = sync.OnceValues(func() (*check.Installation, error) {
	root, err := repository.Root()
	if err != nil {
		return nil, err
	}
	return check.Load(root, overlay)
})

// here is this repository, in which one command prints something: the secrets of a cluster, here two of them.
func here(t *testing.T) World {
	t.Helper()
	root, err := repository.Root()
	require.NoError(t, err)
	return World{
		Root: root,
		Prints: func(command []string) (string, error) {
			if !slices.Equal(command, []string{"go", "run", "./deploy/local/cmd/serein", "cluster-secrets"}) {
				return "", errors.New("nobody knows what it prints")
			}
			secret := func(name string) map[string]any {
				return map[string]any{"kind": "Secret", "metadata": map[string]any{"name": name}}
			}
			list, err := json.Marshal(map[string]any{"kind": "List", "items": []any{secret("billing"), secret("redis")}})
			return string(list), err
		},
		Overlay: func(folder string) (*check.Installation, error) {
			if folder != overlay {
				return nil, errors.New("the Tiltfile deploys " + overlay)
			}
			return rendered()
		},
	}
}

func tiltfile(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(here(t).Root, "Tiltfile"))
	require.NoError(t, err)
	return string(text)
}

func plan(t *testing.T) *Plan {
	t.Helper()
	found, err := Evaluate(here(t), tiltfile(t))
	require.NoError(t, err)
	return found
}

func TestTheTiltfileKeepsToEveryRule(t *testing.T) {
	t.Parallel()
	p := plan(t)
	t.Logf("%d calls, %d resources, %d objects", len(p.Calls), len(p.resources()), len(p.objects))
	require.Greater(t, len(p.objects), 80)
	require.Empty(t, p.Findings())
}

// What a developer gets: the addresses of make run, and the buttons.
func TestTheTiltfileHasThePortsAndTheButtonsOfTheREADME(t *testing.T) {
	t.Parallel()
	p, forwarded := plan(t), []string{}
	for _, r := range p.resources() {
		for _, f := range r.call.values("port_forwards") {
			forwarded = append(forwarded, r.name+" "+f.Args["local_port"].String())
		}
	}
	require.ElementsMatch(t, []string{"gateway 8080", "identity 8081", "content 8082", "inbox 8025", "payments 8026"}, forwarded)
	var shown []string
	for _, button := range p.named("v1alpha1.ui_button") {
		shown = append(shown, button.text("text"))
	}
	for _, r := range p.resources() {
		if r.call.off("auto_init") {
			shown = append(shown, strings.Join(r.call.list("cmd"), " "))
		}
	}
	require.ElementsMatch(t, []string{"Inbox", "Payments", "Status", "Seed", "Grant admin", "make lint", "make unit", "make e2e", "make test"}, shown)
}

// A folder or a go.mod that a program is compiled from and that its resource does not watch would leave the old program running.
func TestAChangeOfWhateverAProgramIsCompiledFromCompilesIt(t *testing.T) {
	t.Parallel()
	p := plan(t)
	folders, err := filepath.Glob(filepath.Join(p.world.Root, "services/*/cmd/*"))
	require.NoError(t, err)
	for _, folder := range append(folders, filepath.Join(p.world.Root, "gateway/cmd/gateway")) {
		program := filepath.Base(folder)
		list := exec.Command("go", "list", "-deps", "-f", "{{if not .Standard}}{{.Dir}} {{.Module.GoMod}}{{end}}", ".")
		list.Dir = folder
		printed, err := list.Output()
		require.NoError(t, err, program)
		watched := p.compiles(program)
		for path := range strings.FieldsSeq(string(printed)) {
			below, err := filepath.Rel(p.world.Root, path)
			require.NoError(t, err)
			if within(".", below) {
				require.True(t, slices.ContainsFunc(watched, func(folder string) bool { return within(folder, below) }), "%s: %s", program, below)
			}
		}
	}
}

// compiles are the folders whose changes compile a program.
func (p *Plan) compiles(program string) []string {
	for _, r := range p.resources() {
		if r.name == "compile-"+program {
			return r.call.list("deps")
		}
	}
	return nil
}

// The program that Tilt replaces is the only one of its kind, so that nothing is gained by a drain.
func TestTheOverlayOfTiltIsOverlayDevButForTheDrain(t *testing.T) {
	t.Parallel()
	found, err := rendered()
	require.NoError(t, err)
	as := *found
	as.Name = "dev" // the tables of README.md are about that one
	said := as.Findings()
	require.Len(t, said["drain"], 8)
	delete(said, "drain")
	require.Empty(t, said)
}

func TestEveryFunctionOfTheTableHasItsTypes(t *testing.T) {
	t.Parallel()
	gives := map[string]bool{}
	for _, f := range functions() {
		require.False(t, gives[f.name], "%s stands twice", f.name)
		gives[f.name] = true
	}
	for _, f := range functions() {
		for _, parameter := range f.parameters {
			kind := strings.TrimSuffix(parameter.kind, "[]")
			require.True(t, kinds[kind] != nil || gives[kind], "%s: %s is of type %s", f.name, parameter.name, kind)
		}
	}
	for name := range results {
		require.True(t, gives[name], name)
	}
}
