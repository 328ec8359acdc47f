package check

import (
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	monitoringv1 "github.com/prometheus-operator/prometheus-operator/pkg/apis/monitoring/v1"
	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"
	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/kyaml/filesys"
	"sigs.k8s.io/yaml"

	"serein.app/services/testkit/repository"
)

// overlaysHere are the installations that there are.
var overlaysHere = []string{"overlays/dev", "overlays/prod"}

func root(t *testing.T) string {
	t.Helper()
	found, err := repository.Root()
	require.NoError(t, err)
	return found
}

// programsOfTheTree are the gateway and the services that have a program.
func programsOfTheTree(t *testing.T) []string {
	t.Helper()
	found := []string{"gateway"}
	folders, err := filepath.Glob(filepath.Join(root(t), "services/*/cmd/*"))
	require.NoError(t, err)
	for _, folder := range folders {
		found = append(found, filepath.Base(folder))
	}
	return found
}

func load(t *testing.T, name string) *Installation {
	t.Helper()
	found, err := Load(root(t), name)
	require.NoError(t, err)
	return found
}

func TestEveryOverlayKeepsToEveryRule(t *testing.T) {
	t.Parallel()
	for _, name := range overlaysHere {
		i := load(t, name)
		t.Logf("%s: %d objects", name, len(i.Objects))
		require.Greater(t, len(i.Objects), 80, name)
		require.ElementsMatch(t, programsOfTheTree(t), slices.Collect(maps.Keys(i.variables)), name)
		require.Empty(t, i.Findings(), name)
	}
}

func TestTheBaseAloneIsWellFormed(t *testing.T) {
	t.Parallel()
	i := load(t, "base")
	t.Logf("base: %d objects", len(i.Objects))
	require.Greater(t, len(i.Objects), 50)
}

func TestTheCollectorCanBeAddedToEachOverlay(t *testing.T) {
	t.Parallel()
	for _, name := range overlaysHere {
		i := loadWith(t, name, "", "components/otel")
		found := i.Findings()
		require.Len(t, found, 1, name)
		for _, said := range found["edges"] { // the only ones that are new
			require.Regexp(t, ` → otel-collector:4318 is allowed and not in README.md$`, said, name)
		}
		require.Len(t, found["edges"], 8, name)
	}
}

// Prometheus scrapes every program; in prod it expects the name in the certificate of that program.
func TestMonitoringCanBeAddedToEachOverlay(t *testing.T) {
	t.Parallel()
	for _, name := range overlaysHere {
		components := []string{"components/monitoring"}
		if name == "overlays/prod" {
			components = append(components, "components/monitoring/tls")
		}
		i := loadWith(t, name, "", components...)
		require.Empty(t, i.Findings(), name)
		scraped := named[*monitoringv1.PodMonitor](i, "programs").Spec
		var parts []string
		for _, w := range i.Workloads() {
			if w.Pod.Labels["serein.app/kind"] == "program" {
				require.Subset(t, w.Pod.Labels, scraped.Selector.MatchLabels)
				parts = append(parts, w.Name)
			}
		}
		require.Len(t, parts, 8, name)
		if name != "overlays/prod" {
			require.Len(t, scraped.PodMetricsEndpoints, 1)
			continue
		}
		var kept []string
		for _, endpoint := range scraped.PodMetricsEndpoints {
			these := strings.Split(endpoint.RelabelConfigs[0].Regex, "|")
			require.Equal(t, these[0], *endpoint.TLSConfig.ServerName)
			kept = append(kept, these...)
		}
		require.ElementsMatch(t, parts, kept)
	}
}

// The image is the site's to name; without it the rule for images says so.
func TestTheSpeechServerCanBeAddedToEachOverlay(t *testing.T) {
	t.Parallel()
	const server = "components/narrator-openai"
	for _, name := range overlaysHere {
		for _, image := range []string{"images: [{name: narrator-openai, newName: registry.example/speech, newTag: 1.2.3}]", ""} {
			found := loadWith(t, name, image, server).Findings()
			require.ElementsMatch(t, []string{
				"generation → narrator-openai:8880 is allowed and not in README.md", "narration → narrator-openai:8880 is allowed and not in README.md",
			}, found["edges"], name)
			delete(found, "edges")
			require.Equal(t, image == "", len(found["fixed images"]) > 0, name)
			delete(found, "fixed images")
			if name == "overlays/prod" { // the server has no certificate: an operator has to know
				require.ElementsMatch(t, []string{
					"Deployment generation: OPENAI_SPEECH_URL is not under TLS", "Deployment narration: OPENAI_SPEECH_URL is not under TLS",
				}, found["TLS inside"])
				delete(found, "TLS inside")
			}
			require.Empty(t, found, name)
		}
		pod := named[*appsv1.Deployment](loadWith(t, name, "", server, server+"/gpu"), "narrator-openai").Spec.Template.Spec
		gpus := pod.Containers[0].Resources.Limits["nvidia.com/gpu"]
		require.EqualValues(t, 1, gpus.Value(), name)
	}
}

// Overlay prod has the way already, for files in S3.
func TestTheWayToOutsideVendorsCanBeAddedToEachOverlay(t *testing.T) {
	t.Parallel()
	for _, name := range overlaysHere {
		found := loadWith(t, name, "", "components/outside-vendors").Findings()
		var want []string
		if name != "overlays/prod" {
			want = []string{"generation → internet:443 is allowed and not in README.md", "narration → internet:443 is allowed and not in README.md"}
		}
		require.ElementsMatch(t, want, found["edges"], name)
		delete(found, "edges")
		require.Empty(t, found, name)
	}
}

// loadWith loads an overlay with components beside its own, and with further lines of a kustomization.
func loadWith(t *testing.T, name, lines string, components ...string) *Installation {
	t.Helper()
	files := filesys.MakeFsOnDisk()
	folder := filepath.Join(t.TempDir(), filepath.Base(name))
	require.NoError(t, os.MkdirAll(folder, 0o700))
	from := func(to string) string {
		path, err := filepath.Rel(folder, filepath.Join(root(t), Folder, to))
		require.NoError(t, err)
		return path
	}
	for c := range components {
		components[c] = from(components[c])
	}
	text := "resources: [" + from(name) + "]\ncomponents: [" + strings.Join(components, ", ") + "]\nnamespace: serein\n" + lines
	require.NoError(t, os.WriteFile(filepath.Join(folder, "kustomization.yaml"), []byte(text), 0o600))
	resources, err := krusty.MakeKustomizer(krusty.MakeDefaultOptions()).Run(files, folder)
	require.NoError(t, err)
	decoder, err := newDecoder()
	require.NoError(t, err)
	i := load(t, name)
	i.Objects = nil
	for _, resource := range resources.Resources() {
		document, err := resource.AsYAML()
		require.NoError(t, err)
		object, err := decoder.decode(document)
		require.NoError(t, err)
		i.Objects = append(i.Objects, object)
	}
	return i
}

func TestConnectionsBesideThePoolsAreFoundInTheCode(t *testing.T) {
	t.Parallel()
	i := load(t, "overlays/prod")
	require.Equal(t, 2, i.beside["generation"], "its jobs' listener and its own")
	require.Equal(t, 3, i.beside["content"], "its readers'")
	require.Zero(t, i.beside["gateway"])
}

// Rendering keeps one of two fields of the same name, so it is the sources that are asked.
func TestNoFieldStandsTwiceInASource(t *testing.T) {
	t.Parallel()
	looked := 0
	err := filepath.WalkDir(filepath.Join(root(t), Folder), func(path string, entry fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".yaml" {
			return err
		}
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		for document := range strings.SplitSeq(string(text), "\n---\n") {
			_, err := yaml.YAMLToJSONStrict([]byte(document))
			require.NoError(t, err, path)
			looked++
		}
		return nil
	})
	require.NoError(t, err)
	require.Greater(t, looked, 80)
}

func TestWhatAnAPIServerWouldRefuseOrDropIsRefused(t *testing.T) {
	t.Parallel()
	decoder, err := newDecoder()
	require.NoError(t, err)
	for document, fault := range map[string]string{
		"apiVersion: v1\nkind: Service\nmetadata: {name: a}\nspec: {port: 1}":                                                                 `unknown field "spec.port"`,
		"apiVersion: v1\nkind: Service\nmetadata: {name: a}\nspec:\n  type: ClusterIP\n  type: NodePort":                                      `already set`,
		"apiVersion: v1\nkind: Service\nmetadata: {name: a}\nspec: {ports: [{port: eighty}]}":                                                 `cannot unmarshal`,
		"apiVersion: apps/v1beta1\nkind: Deployment\nmetadata: {name: a}":                                                                     `no kind "Deployment"`,
		"apiVersion: gateway.networking.k8s.io/v1\nkind: Gateway\nmetadata: {name: a}\nspec: {listener: []}":                                  `unknown field "spec.listener"`,
		"apiVersion: postgresql.cnpg.io/v1\nkind: Cluster\nmetadata: {name: a}\nspec: {instances: 3, storage: {sise: 1Gi}}":                   `.spec.storage.sise: there is no such field`,
		"apiVersion: postgresql.cnpg.io/v1\nkind: Cluster\nmetadata: {name: a}\nspec: {instances: three}":                                     `instances`,
		"apiVersion: cert-manager.io/v1\nkind: Certificate\nmetadata: {name: a}\nspec: {secretName: a}":                                       `issuerRef`,
		"apiVersion: external-secrets.io/v1\nkind: ExternalSecret\nmetadata: {name: a}\nspec: {data: [{secretKey: A, remoteRef: {name: b}}]}": `.spec.data[0].remoteRef.name: there is no such field`,
	} {
		_, err := decoder.decode([]byte(document))
		require.ErrorContains(t, err, fault, document)
	}
}

// The statements that make a database are written twice, in Go and for a cluster's Job. They say the same.
func TestTheProvisionJobGrantsWhatTheStackGrants(t *testing.T) {
	t.Parallel()
	source, err := os.ReadFile(filepath.Join(root(t), "services/platform/postgres/provision.go"))
	require.NoError(t, err)
	script, err := os.ReadFile(filepath.Join(root(t), Folder, "base/provision/provision.sh"))
	require.NoError(t, err)
	names := strings.NewReplacer("DATABASE_NAME", `:"database"`, "SERVICE_ROLE", `:"service"`, "OWNER_ROLE", `:"owner"`)
	statement := regexp.MustCompile(`"((?:REVOKE|GRANT|ALTER SCHEMA|ALTER DEFAULT) [^"]*)"`)
	var want []string
	for _, found := range statement.FindAllStringSubmatch(string(source), -1) {
		want = append(want, names.Replace(found[1]))
	}
	require.Greater(t, len(want), 5)
	var got []string
	for _, found := range regexp.MustCompile(`(?m)^((?:REVOKE|GRANT|ALTER SCHEMA|ALTER DEFAULT) .*);$`).FindAllStringSubmatch(string(script), -1) {
		got = append(got, found[1])
	}
	require.Equal(t, want, got)
}
