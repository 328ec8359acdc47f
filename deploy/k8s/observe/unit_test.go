package observe

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/common/model"
	"github.com/prometheus/prometheus/model/rulefmt"
	"github.com/prometheus/prometheus/promql/parser"
	"github.com/prometheus/prometheus/promql/promqltest"
	"github.com/stretchr/testify/require"

	"serein.app/deploy/k8s/check"
)

const samples = 10_000

// foreign are the metrics of others, as they are called there: of Prometheus, the Prometheus exporter of OpenTelemetry's calls, kube-state-metrics,
// cert-manager, the kubelet and cAdvisor.
var foreign = []string{
	"up", "rpc_server_call_duration_seconds", "kube_pod_status_ready", "kube_pod_status_phase", "kube_pod_container_resource_limits",
	"kube_job_status_failed", "kube_job_status_succeeded", "certmanager_certificate_ready_status", "kubelet_volume_stats_used_bytes",
	"kubelet_volume_stats_capacity_bytes", "container_memory_working_set_bytes",
}

func files(t *testing.T, pattern string) []string {
	t.Helper()
	found, err := filepath.Glob(pattern)
	require.NoError(t, err)
	require.NotEmpty(t, found)
	return found
}

func TestEveryAlertFiresWhenItShould(t *testing.T) {
	t.Parallel()
	for _, path := range files(t, "tests/*.yaml") {
		file, err := ReadFile(path)
		require.NoError(t, err)
		for _, test := range file.Tests {
			t.Run(test.Name, func(t *testing.T) {
				t.Parallel()
				held := promqltest.LoadedStorage(t, test.Load())
				t.Cleanup(func() { _ = held.Close() })
				found, err := file.Run(t.Context(), promqltest.NewTestEngine(t, false, 5*time.Minute, samples), held, test)
				require.NoError(t, err)
				for i, m := range test.Moments {
					require.Equal(t, m.Expected, found[i], "%s at %s", m.Alert, m.At)
				}
			})
		}
	}
}

type alert struct {
	group string
	rulefmt.Rule
}

func alerts(t *testing.T) (found []alert) {
	t.Helper()
	for _, path := range files(t, Manifests) {
		groups, errs := manifests{}.Load(path, false, model.UTF8Validation)
		require.Empty(t, errs, path)
		for _, group := range groups.Groups {
			for _, rule := range group.Rules {
				found = append(found, alert{group.Name, rule})
			}
		}
	}
	return found
}

// Each alert has a test in which it fires, and a moment of the same test before it, at which it does not.
func TestEveryAlertHasATestAndARunbook(t *testing.T) {
	t.Parallel()
	fires, silent := map[string]bool{}, map[string]bool{}
	for _, path := range files(t, "tests/*.yaml") {
		file, err := ReadFile(path)
		require.NoError(t, err)
		for _, test := range file.Tests {
			for _, m := range test.Moments {
				if len(m.Expected) > 0 {
					fires[m.Alert] = silent[m.Alert]
				} else {
					silent[m.Alert] = true
				}
			}
		}
	}
	index, err := os.ReadFile("../../../docs/runbooks/README.md")
	require.NoError(t, err)
	for _, a := range alerts(t) {
		require.True(t, fires[a.Alert], "%s: no test in which it fires after a moment in which it does not", a.Alert)
		page, err := os.ReadFile("../../../" + a.Annotations["runbook"])
		require.NoError(t, err)
		require.Equal(t, "docs/runbooks/"+a.Alert+".md", a.Annotations["runbook"])
		require.True(t, strings.HasPrefix(string(page), "# "+a.Alert+"\n"), a.Alert)
		require.Contains(t, []string{"page", "ticket"}, a.Labels["severity"])
		require.Contains(t, string(index), "["+a.Alert+"]("+a.Alert+".md) | "+a.Labels["severity"]+" |")
	}
	require.Len(t, files(t, "../../../docs/runbooks/*.md"), len(alerts(t))+1)
}

func TestAlertsReadMetricsThatAreCounted(t *testing.T) {
	t.Parallel()
	counted, err := check.Metrics("../../..")
	require.NoError(t, err)
	read := 0
	for _, a := range alerts(t) {
		expr, err := manifests{}.Parse(a.Expr)
		require.NoError(t, err, a.Alert)
		parser.Inspect(expr, func(node parser.Node, _ []parser.Node) error {
			if selector, ok := node.(*parser.VectorSelector); ok && selector.Name != "" {
				read++
				name := strings.TrimSuffix(strings.TrimSuffix(selector.Name, "_bucket"), "_count")
				require.True(t, slices.Contains(foreign, name) || check.Scraped(counted, name), "%s: nothing counts %s", a.Alert, selector.Name)
			}
			return nil
		})
	}
	require.Greater(t, read, 60)
}
