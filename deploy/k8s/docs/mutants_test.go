package docs

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// mutants are faulty pieces of pages, each with what the check says of it.
var mutants = []struct{ fault, text, says string }{
	{"a target that is not there", "```sh\nmake deploy\n```", "make has no target deploy"},
	{"a target misspelt in a sentence", "run `make unti`", "make has no target unti"},
	{"a script that is not there", "```sh\ndeploy/tset.sh unit\n```", "there is no deploy/tset.sh"},
	{"an overlay that is not there", "```sh\noverlay=deploy/k8s/overlays/staging\nkubectl apply --kustomize $overlay\n```", "there is no deploy/k8s/overlays/staging"},
	{"a variable of the shell that nothing sets", "```sh\nkubectl apply --kustomize $overlay\n```", "unbound variable"},
	{"a snippet that is no shell", "```sh\nkubectl get pods (\n```", "a command can only contain words and redirects"},
	{"a command that may be left out", "```sh\nkubectl get pods || kubectl get podz\n```", "this one chooses"},
	{"an apply that a failed wait does not stop", "```sh\nkubectl wait job --selector serein.app/step --for condition=complete\nkubectl apply --kustomize deploy/k8s/overlays/dev\n```", "a wait that fails does not stop"},
	{"an unknown tool", "```sh\nhelm upgrade serein\n```", "helm is not in the table of tools"},
	{"an unknown command of a tool", "```sh\nkind make cluster\n```", "kind has no command make"},
	{"an unknown flag", "```sh\nkubectl apply --kustomise deploy/k8s/overlays/dev\n```", "kubectl apply has no flag --kustomise"},
	{"a flag of another command", "```sh\nkubectl get pods --replicas 2\n```", "kubectl get has no flag --replicas"},
	{"a flag without its value", "```sh\nkind delete cluster --name\n```", "--name wants a value"},
	{"a stage that the Dockerfile has not", "```sh\ndocker build --target biling .\n```", "the Dockerfile has no stage biling"},
	{"a stage of a loop", "```sh\nfor image in mail mial; do docker build --target \"$image\" .; done\n```", "the Dockerfile has no stage mial"},
	{"a Deployment that is not there", "```sh\nkubectl --namespace serein logs deployment/biling\n```", "no overlay has the Deployment biling"},
	{"a Job that is not there", "`kubectl logs job/gateway-migrate`", "no overlay has the Job gateway-migrate"},
	{"a secret that is not there", "```sh\nkubectl get secret gateway-cert\n```", "no overlay has the Secret gateway-cert"},
	{"another namespace", "```sh\nkubectl --namespace seren get pods\n```", "no overlay has the Namespace seren"},
	{"a kind that is not there", "```sh\nkubectl get deploymnet billing\n```", "there is no kind deploymnet"},
	{"a volume of a broker too many", "```sh\nkubectl delete pvc data-nats-3\n```", "no overlay has the PersistentVolumeClaim data-nats-3"},
	{"a label that nothing has", "```sh\nkubectl get pods --selector serein.app/part=biling\n```", "nothing has the label serein.app/part=biling"},
	{"a container that is not there", "```sh\nkubectl logs deployment/billing --container main\n```", "Deployment billing has no container main"},
	{"a port that the Service has not", "```sh\nkubectl port-forward service/identity 8081:8081\n```", "the service identity has no port 8081"},
	{"a program of another image", "```sh\nkubectl exec deployment/mail -- /billing prices\n```", "Deployment mail has no /billing"},
	{"a command that the program has not", "```sh\nkubectl exec deployment/billing -- /billing refund\n```", "/billing has no command refund"},
	{"a duration that is none", "```sh\nkubectl exec deployment/billing -- /billing replay 3days\n```", "/billing replay: time"},
	{"an argument too few", "`/identity grant-admin --by me`", "/identity grant-admin wants 1 arguments and gets 0"},
	{"a flag that the program has not", "`/billing add-code --percentage 20 SPRING`", "add-code has no flag --percentage"},
	{"a command that the gateway has not", "```sh\n.cache/serein gateway migrate\n```", "gateway has no command migrate"},
	{"a command of the stack that is not there", "```sh\n.cache/serein broker-acces\n```", "serein has no command broker-acces"},
	{"the same by go run", "```sh\ngo run ./deploy/local/cmd/serein tokens\n```", "serein has no command tokens"},
	{"a flag of nk", "```sh\ngo run github.com/nats-io/nkeys/nk -generate user\n```", "nk has no flag -generate"},
	{"a script of the app", "`npm run watch`", "the app has no script watch"},
	{"a variable that no program reads", "set `STRIPE_LIFE`", "no program reads the variable STRIPE_LIFE"},
	{"a variable of one word", "set `CLIENT`", "no program reads the variable CLIENT"},
	{"a metric that nothing counts", "look at `serein.outbox.oldest`", "nothing counts the metric serein.outbox.oldest"},
	{"a metric as Prometheus shows none", "```sh\ncurl --silent http://localhost:9000/metrics?name=serein_outbox_age_seconds\n```", "no database or metric is called serein_outbox_age_seconds"},
	{"a database that is not there", "```sh\npsql --dbname serein_bilings\n```", "no database or metric is called serein_bilings"},
	{"a test that is not there", "held by `TestNoTableGrowsForEver`", "there is no test TestNoTableGrowsForEver"},
	{"a link that leads nowhere", "[here](instal.md)", "the link instal.md leads nowhere"},
	{"a link to no heading", "[here](install.md#make-a-claster)", "leads to no heading"},
	{"a path that is not there", "it stands in `services/billing/biling.go`", "there is no services/billing/biling.go"},
	{"a field that an object has not", "```yaml\napiVersion: apps/v1\nkind: Deployment\nspec: {replica: 2}\n```", `unknown field "spec.replica"`},
	{"a list that is no JSON", "```json\n[{\"id\": \"gateway\",}]\n```", "this is no JSON"},
	{"an image that is not built", "```yaml\nkind: Kustomization\nimages: [{name: serein/biling}]\n```", "the Dockerfile has no stage biling"},
}

func TestEachMutantIsRefusedWithItsReason(t *testing.T) {
	t.Parallel()
	c := known(t)
	for _, m := range mutants {
		said := c.Faults(Page{"docs/mutant.md", m.text + "\n"})
		require.Len(t, said, 1, "%s: %v", m.fault, said)
		require.Contains(t, said[0], m.says, m.fault)
	}
	t.Logf("%d mutants refused", len(mutants))
}

// What is right passes, however it is written.
func TestWhatIsThereIsNotRefused(t *testing.T) {
	t.Parallel()
	c := known(t)
	for _, text := range []string{
		"```sh\nkubectl --namespace=serein get deployment,statefulset\n```",
		"```sh\nkubectl exec postgres-1 --container postgres -- psql --dbname serein_identity\n```",
		"```sh\nname=mail\nkubectl exec \"deployment/$name\" -- \"/$name\" replay 72h > out.txt\n```",
		"```sh\nkubectl exec deployment/billing -- /billing correct --by ADMIN-UID MEMBER-UID -5 'too many'\n```",
		"```sh\nkubectl port-forward service/billing 9000 &\ncurl http://localhost:9000/readyz | tail -c 20\nwait\n```",
		"`serein.billing.order.completed.v1` and `serein.generation.queue.sound`", "`serein_generation_queue_age_seconds`", "`DATABASE_URL`",
		"`services/<service>/internal/rpc/rpc.go`", "[install](install.md#2-build-the-images)", "`make run` and `.ci/run`",
	} {
		require.Empty(t, c.Faults(Page{"docs/good.md", strings.TrimSpace(text) + "\n"}), text)
	}
}
