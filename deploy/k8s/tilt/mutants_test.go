package tilt

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// mutant is a fault in the Tiltfile: one text in the place of another, which stands there once, or a line at the end where there is no
// other. It is refused with that reason, by that rule and no other, or by the interpreter where there is no rule.
type mutant struct{ fault, text, instead, rule, reason string }

var mutants = []mutant{
	{"an unknown function", "", "docker_buidl('a', '.')", "", "undefined: docker_buidl"},
	{"an unknown function of a module", "", "os.remove('a')", "", "has no .remove"},
	{"an unknown argument", "target='live',", "stage='live',", "", `docker_build has no argument "stage"`},
	{"an argument twice", "target='live',", "target='live', ref='a',", "", `docker_build gets its argument "ref" twice`},
	{"too many arguments", "", "watch_file('Makefile', 'Tiltfile')", "", "watch_file takes 1 arguments at most, not 2"},
	{"a missing argument", "", "sync('deploy')", "", `sync needs its argument "remote_path"`},
	{"a wrong type", "k8s_upsert_timeout_secs=120", "k8s_upsert_timeout_secs='120'", "", "k8s_upsert_timeout_secs wants int, not string"},
	{"a string in the place of a list", "resource_deps=['postgres']", "resource_deps='postgres'", "", "resource_deps wants a list, not string"},
	{"a list of something else", "live_update=live_update", "live_update=['a']", "", "live_update wants a list of step, not of string"},
	{"a blob in the place of a path", "", "watch_file(rendered)", "", "file_path wants path, not blob"},
	{"a missing Dockerfile", "dockerfile='deploy/docker/live.Dockerfile'", "dockerfile='deploy/live.Dockerfile'", "", "deploy/live.Dockerfile: file does not exist"},
	{"a missing folder of sources", "'services/sound'", "'services/sounds'", "", "deps: services/sounds: file does not exist"},
	{"a context that nothing makes", "        context,\n", "        context + '-of-nobody',\n", "", "context: .cache/tilt/basket-of-nobody: file does not exist"},
	{"an extension", "", "load('ext://uibutton', 'cmd_button')", "", "no extension"},
	{"another overlay", "kustomize('deploy/k8s/overlays/tilt')", "kustomize('deploy/k8s/overlays/prod')", "", "deploys overlays/tilt"},
	{"a command whose output nobody knows", "", "local('date')", "", "nobody knows what it prints"},
	{"a function whose result nobody knows", "", "listdir('deploy')", "", "listdir: results.go does not say what it gives"},

	{"an image that nobody builds", "'serein/' + program,\n", "'serein/' + program.replace('mail', 'post'),\n", "images", "nothing builds serein/mail"},
	{"an image twice", "", "docker_build('serein/mail', CONTEXTS + 'mail', dockerfile='deploy/docker/live.Dockerfile', target='live')", "images", "serein/mail is built twice"},
	{"an image that nobody uses", "", "docker_build('serein/parts', CONTEXTS + 'mail', dockerfile='deploy/docker/live.Dockerfile', target='live')", "images", "nothing uses serein/parts"},
	{"a stage that is not there", "target='live'", "target='alive'", "stages", `has no stage "alive"`},
	{"steps in the wrong order", "[sync(context + '/image', '/live/now'), run(['kill', '-HUP', '1'])]", "[run(['kill', '-HUP', '1']), sync(context + '/image', '/live/now')]", "live updates", "not in Tilt's order"},
	{"files from elsewhere", "sync(context + '/image'", "sync('services'", "live updates", "services is not in .cache/tilt/"},
	{"files to a root that is read-only", "'/live/now')", "'/image')", "live updates", "cannot write to /image"},
	{"a step that is none", "", "fall_back_on('go.work')", "live updates", "is no step of an image"},
	{"a workload without a resource", "in RUNS.items():\n", "in [run for run in RUNS.items() if run[0] != 'narration']:\n", "workloads", "Deployment narration is no resource"},
	{"a workload that is not there", "", "k8s_resource('narrator', labels=['programs'])", "workloads", `no workload "narrator"`},
	{"an object that is not there", "    objects=[\n", "    objects=['billing:ingress'] + [\n", "objects", "billing:ingress means 0 objects"},
	{"objects that belong to nothing", " + decode_yaml(secrets)['items']", "", "objects", "redis:secret belongs to no resource"},
	{"no label", "labels=['stores']", "labels=[]", "labels", "redis has no label"},
	{"a label with a blank", "labels=['stores']", "labels=['what is stored']", "labels", `"what is stored" cannot be a label`},
	{"two resources of one name", "", "local_resource('app', ['make', 'lint'], labels=['tests'])", "names", "two of the resource app"},
	{"a dependency that is not there", "resource_deps=['postgres']", "resource_deps=['postgresql']", "dependencies", `"postgresql", which is no resource`},
	{"a circle", "k8s_resource(store, resource_deps=['settings']", "k8s_resource(store, resource_deps=['gateway']", "dependencies", "gateway waits for itself"},
	{"waiting for a button", "['redis', 'app']", "['redis', 'app', 'lint']", "dependencies", "lint, which starts by hand"},
	{"an image built of an empty folder", "['nats', 'compile-dev-parts', ", "['nats', ", "compiled first", "billing does not wait for what compiles dev-parts"},
	{"a port twice", "port_forward(8026, 8026", "port_forward(8025, 8026", "ports", "port 8025 leads to inbox and to payments"},
	{"a port that the pod does not have", "port_forward(8081, 8080", "port_forward(8081, 8081", "ports", "identity has no port 8081"},
	{"a port that is none", "port_forwards=FORWARDS.get(name, [])", "port_forwards=FORWARDS.get(name, ['http'])", "ports", "http is no port"},
	{"a target that is not there", "['lint', 'unit', 'e2e', 'test']", "['lint', 'unit', 'e2e', 'tests']", "commands", "make has no target tests"},
	{"a script that is not there", "['deploy/docker/live.sh', 'app']", "['deploy/docker/app.sh', 'app']", "commands", "deploy/docker/app.sh is no program of the repository"},
	{"a package that is not there", "", "local_resource('a', 'go run ./deploy/local/cmd/sereen', labels=['tests'])", "commands", "no package ./deploy/local/cmd/sereen"},
	{"a program that not everybody has", "", "local_resource('a', 'curl localhost', labels=['tests'])", "commands", "curl is no program"},
	{"a button for another deployment", "'exec', 'deployment/identity'", "'exec', 'deployment/accounts'", "commands", "no deployment accounts"},
	{"a button that does nothing", "ui_buttons=[name]", "ui_buttons=[name + 's']", "buttons", `the button "seed" does nothing`},
	{"a button without a place", "resource='identity',\n", "resource='accounts',\n", "buttons", `the button "grant-admin" has no place`},
	{"a page of the network", "'http://localhost:8025'", "'https://inbox.example'", "network", "https://inbox.example"},
	{"an extension by the API", "", "v1alpha1.extension_repo(name='a', url='file:///a')", "network", "wants an extension from the network"},
}

func TestAFaultyTiltfileIsRefusedWithItsReason(t *testing.T) {
	t.Parallel()
	whole, tried := tiltfile(t), map[string]bool{}
	for _, m := range mutants {
		text := whole + m.instead + "\n"
		if m.text != "" {
			require.Equal(t, 1, strings.Count(whole, m.text), m.fault)
			text = strings.Replace(whole, m.text, m.instead, 1)
		}
		p, err := Evaluate(here(t), text)
		if m.rule == "" {
			require.ErrorContains(t, err, m.reason, m.fault)
			continue
		}
		require.NoError(t, err, m.fault)
		found := p.Findings()
		require.Equal(t, []string{m.rule}, slices.Collect(maps.Keys(found)), "%s: %v", m.fault, found)
		require.Contains(t, strings.Join(found[m.rule], "\n"), m.reason, m.fault)
		tried[m.rule] = true
	}
	for _, r := range rules {
		require.True(t, tried[r.name], "no mutant tries the rule %q", r.name)
	}
	t.Logf("%d Tiltfiles refused", len(mutants))
}
