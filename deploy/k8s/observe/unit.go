// Package observe fires the alerts of deploy/k8s/components/monitoring with Prometheus' own engine. The folder tests has the course of
// series for each alert.
package observe

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/prometheus/common/model"
	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/promql"
	"github.com/prometheus/prometheus/rules"
	"github.com/prometheus/prometheus/storage"
	"sigs.k8s.io/yaml"
)

// File is a file of tests in the format of `promtool test rules`.
type File struct {
	RuleFiles          []string       `json:"rule_files"`
	EvaluationInterval model.Duration `json:"evaluation_interval"`
	Tests              []Test         `json:"tests"`
}

// Test is a course of series, and the alerts that fire on the way.
type Test struct {
	Name     string         `json:"name"`
	Interval model.Duration `json:"interval"`
	Series   []struct {
		Series string `json:"series"`
		Values string `json:"values"`
	} `json:"input_series"`
	Moments []Moment `json:"alert_rule_test"`
}

// Moment is what is expected of one alert at one time of a test.
type Moment struct {
	At       model.Duration `json:"eval_time"`
	Alert    string         `json:"alertname"`
	Expected []Firing       `json:"exp_alerts"`
}

// Firing is an alert that fires, without the label of its name.
type Firing struct {
	Labels      map[string]string `json:"exp_labels"`
	Annotations map[string]string `json:"exp_annotations"`
}

// ReadFile reads a file of tests. A field that promtool does not know is an error.
func ReadFile(path string) (f File, err error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return f, err
	}
	if err := yaml.UnmarshalStrict(text, &f); err != nil {
		return f, fmt.Errorf("%s: %w", path, err)
	}
	for i, rules := range f.RuleFiles {
		f.RuleFiles[i] = filepath.Join(filepath.Dir(path), rules)
	}
	return f, nil
}

// Load is the test's series in the language of promqltest.
func (t Test) Load() string {
	var text strings.Builder
	fmt.Fprintf(&text, "load %s\n", t.Interval)
	for _, s := range t.Series {
		fmt.Fprintf(&text, "  %s %s\n", s.Series, s.Values)
	}
	return text.String()
}

// Run evaluates the file's rules over the series in held, from the first moment to the last of the test, and says what fires at each of its moments.
func (f File) Run(ctx context.Context, engine *promql.Engine, held storage.Storage, t Test) ([][]Firing, error) {
	manager := rules.NewManager(&rules.ManagerOptions{
		Context: ctx, Logger: slog.New(slog.DiscardHandler), Appendable: held, Queryable: held, GroupLoader: manifests{},
		QueryFunc:  rules.EngineQueryFunc(engine, held),
		NotifyFunc: func(context.Context, string, ...*rules.Alert) {},
	})
	groups, errs := manager.LoadGroups(time.Duration(f.EvaluationInterval), labels.EmptyLabels(), "", nil, false, f.RuleFiles...)
	if len(errs) > 0 {
		return nil, errors.Join(errs...)
	}
	found := make([][]Firing, len(t.Moments))
	start := time.Unix(0, 0).UTC()
	for since := time.Duration(0); since <= t.last(); since += time.Duration(f.EvaluationInterval) {
		for _, group := range groups {
			group.Eval(ctx, start.Add(since))
		}
		for i, m := range t.Moments {
			if time.Duration(m.At) == since {
				found[i] = firing(groups, m.Alert)
			}
		}
	}
	return found, nil
}

func (t Test) last() (last time.Duration) {
	for _, m := range t.Moments {
		last = max(last, time.Duration(m.At))
	}
	return last
}

// firing are the alerts of a name that fire now, in the order of their labels.
func firing(groups map[string]*rules.Group, name string) (found []Firing) {
	for _, group := range groups {
		for _, rule := range group.Rules() {
			alerting, ok := rule.(*rules.AlertingRule)
			if !ok || alerting.Name() != name {
				continue
			}
			for _, alert := range alerting.ActiveAlerts() {
				if alert.State == rules.StateFiring {
					without := labels.NewBuilder(alert.Labels).Del(model.AlertNameLabel).Labels()
					found = append(found, Firing{without.Map(), alert.Annotations.Map()})
				}
			}
		}
	}
	slices.SortFunc(found, func(a, b Firing) int { return strings.Compare(fmt.Sprint(a.Labels), fmt.Sprint(b.Labels)) })
	return found
}
