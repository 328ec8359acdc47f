package check

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/yaml"

	"serein.app/deploy/local/metrics"
)

// Metrics are those that the programs count. root is the folder of the repository.
func Metrics(root string) (map[string]bool, error) {
	found := map[string]bool{}
	for _, folder := range []string{"services", "gateway"} {
		counted, err := metrics.Of(root, folder)
		if err != nil {
			return nil, err
		}
		for _, m := range counted {
			found[m.Name] = true
		}
	}
	return found, nil
}

// Scraped says whether a name is that of one of the metrics in the form of Prometheus: with underscores, and with a unit behind it.
func Scraped(counted map[string]bool, name string) bool {
	for known := range counted {
		rest, begins := strings.CutPrefix(name, strings.ReplaceAll(known, ".", "_"))
		if begins && slices.Contains([]string{"", "_seconds", "_total", "_ratio"}, rest) {
			return true
		}
	}
	return false
}

// adapterRule is a rule of prometheus-adapter.yaml.
type adapterRule struct {
	SeriesQuery  string `json:"seriesQuery"`
	MetricsQuery string `json:"metricsQuery"`
}

func readAdapter(root string) (rules []adapterRule, err error) {
	text, err := os.ReadFile(filepath.Join(root, Folder, "prometheus-adapter.yaml"))
	if err != nil {
		return nil, err
	}
	var file struct {
		ExternalRules []adapterRule `json:"externalRules"`
	}
	err = yaml.Unmarshal(text, &file)
	return file.ExternalRules, err
}

// scalerMetrics: a scaler goes by what a pod asks for, or by a metric that the programs tell and the adapter brings as one series. One that
// nobody tells leaves it at the fewest pods without a word.
func scalerMetrics(i *Installation) (said []string) {
	for _, scaler := range of[*autoscalingv2.HorizontalPodAutoscaler](i) {
		for _, metric := range scaler.Spec.Metrics {
			if fault := i.scales(metric); fault != "" {
				said = append(said, fmt.Sprintf("HorizontalPodAutoscaler %s: %s", scaler.Name, fault))
			}
		}
	}
	return said
}

// scales says what is wrong with a metric of an autoscaler; empty where nothing is.
func (i *Installation) scales(metric autoscalingv2.MetricSpec) string {
	switch {
	case metric.Type == autoscalingv2.ResourceMetricSourceType && metric.Resource != nil:
		if metric.Resource.Name != corev1.ResourceCPU {
			return fmt.Sprintf("it scales by %s, which does not fall when pods come", metric.Resource.Name)
		}
		return ""
	case metric.Type != autoscalingv2.ExternalMetricSourceType || metric.External == nil:
		return fmt.Sprintf("nothing brings a metric of the type %s", metric.Type)
	}
	name := metric.External.Metric.Name
	if !Scraped(i.metrics, name) {
		return "no program tells the metric " + name
	}
	if !slices.ContainsFunc(i.adapter, func(r adapterRule) bool {
		return strings.HasPrefix(r.SeriesQuery, name+"{") && strings.HasPrefix(r.MetricsQuery, "max(")
	}) {
		return "prometheus-adapter.yaml does not bring the largest " + name
	}
	return ""
}
