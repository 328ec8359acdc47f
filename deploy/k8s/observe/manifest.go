package observe

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"os"

	"github.com/prometheus/common/model"
	"github.com/prometheus/prometheus/model/rulefmt"
	"github.com/prometheus/prometheus/promql/parser"
	"sigs.k8s.io/yaml"
)

// Manifests are the alerts, from the folder of this package.
const Manifests = "../components/monitoring/alerts-*.yaml"

// manifests loads rules out of manifests of the kind PrometheusRule, for Prometheus' engine.
type manifests struct{}

// Load reads the groups in one manifest.
func (manifests) Load(path string, ignoreUnknown bool, scheme model.ValidationScheme) (*rulefmt.RuleGroups, []error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, []error{err}
	}
	var manifest struct {
		Kind string          `json:"kind"`
		Spec json.RawMessage `json:"spec"`
	}
	if err := yaml.Unmarshal(text, &manifest); err != nil || manifest.Kind != "PrometheusRule" {
		return nil, []error{fmt.Errorf("%s is no PrometheusRule: %w", path, err)}
	}
	return rulefmt.Parse(manifest.Spec, ignoreUnknown, scheme, parser.NewParser(parser.Options{}), slog.New(slog.DiscardHandler))
}

// Parse reads an expression.
func (manifests) Parse(query string) (parser.Expr, error) {
	return parser.NewParser(parser.Options{}).ParseExpr(query)
}
