// Package dashboards makes Grafana's dashboards of what the programs count. The command cmd/dashboards writes them into
// deploy/k8s/components/monitoring/grafana, whose ConfigMap Grafana's sidecar reads.
package dashboards

import (
	"encoding/json"

	"github.com/grafana/grafana-foundation-sdk/go/common"
	"github.com/grafana/grafana-foundation-sdk/go/dashboard"
	"github.com/grafana/grafana-foundation-sdk/go/prometheus"
	"github.com/grafana/grafana-foundation-sdk/go/timeseries"
	"github.com/grafana/grafana-foundation-sdk/go/units"
)

// Board is one dashboard. Its queries name the namespace by the variable $namespace, which the reader chooses.
type Board struct {
	// Name is that of the file, and what the address of the dashboard ends with.
	Name, Title string
	Rows        []Row
}

// Row is a headed part of a dashboard, of panels side by side.
type Row struct {
	Title  string
	Panels []Panel
}

// Panel is one picture, of one or more queries over the same unit.
type Panel struct {
	Title, Unit, Description string
	Queries                  []Query
}

// Query is an expression of Prometheus and the words for each of its series.
type Query struct{ Expr, Legend string }

// All are the dashboards.
func All() []Board { return []Board{overview(), money(), meditations(), events(), members()} }

// columns is the width of Grafana's grid; three panels stand side by side.
const columns, panelHeight = 24, 8

// JSON is the dashboard as Grafana imports it.
func (b Board) JSON() ([]byte, error) {
	//nolint:staticcheck // Every Grafana and its sidecar read this form; the newer one is a resource of Grafana's API alone.
	board := dashboard.NewDashboardBuilder(b.Title).Uid("serein-"+b.Name).Tags([]string{"serein"}).Timezone("browser").
		Time("now-6h", "now").Refresh("1m").Readonly().Tooltip(dashboard.DashboardCursorSyncCrosshair).
		WithVariable(dashboard.NewDatasourceVariableBuilder("source").Label("Prometheus").Type("prometheus")).
		WithVariable(dashboard.NewQueryVariableBuilder("namespace").Label("Namespace").Datasource(source()).
			Query(dashboard.StringOrMap{String: text(`label_values(up{job="gateway"}, namespace)`)}))
	var id uint32
	for _, row := range b.Rows {
		id++
		board.WithRow(dashboard.NewRowBuilder(row.Title).Id(id))
		for _, panel := range row.Panels {
			id++
			board.WithPanel(panel.build().Id(id))
		}
	}
	built, err := board.Build()
	if err != nil {
		return nil, err
	}
	out, err := json.MarshalIndent(built, "", "  ")
	return append(out, '\n'), err
}

func (p Panel) build() *timeseries.PanelBuilder {
	panel := timeseries.NewPanelBuilder().Title(p.Title).Description(p.Description).Unit(p.Unit).Min(0).Datasource(source()).
		Height(panelHeight).Span(columns / 3).FillOpacity(10).ShowPoints(common.VisibilityModeNever).
		Legend(common.NewVizLegendOptionsBuilder().ShowLegend(true).DisplayMode(common.LegendDisplayModeList).Placement(common.LegendPlacementBottom))
	for i, q := range p.Queries {
		panel.WithTarget(prometheus.NewDataqueryBuilder().RefId(string(rune('A' + i))).Expr(q.Expr).LegendFormat(q.Legend))
	}
	return panel
}

func source() common.DataSourceRef {
	return common.DataSourceRef{Type: text("prometheus"), Uid: text("${source}")}
}

func text(s string) *string { return &s }

// gauge shows the largest of what replicas tell of the same thing, by a label.
func gauge(title, unit, description, metric, by string) Panel {
	return Panel{title, unit, description, []Query{{"max by (" + by + ") (" + metric + `{namespace="$namespace"})`, "{{" + by + "}}"}}}
}

// rate shows how often something happens in a second, by a label.
func rate(title, description, metric, by string) Panel {
	return Panel{title, units.EventsPerSecond, description, []Query{{"sum by (" + by + ") (rate(" + metric + `{namespace="$namespace"}[$__rate_interval]))`, "{{" + by + "}}"}}}
}

// hourly shows how often something happened in the last hour, by a label: for what is rare.
func hourly(title, description, metric, by string) Panel {
	return Panel{title, units.Short, description, []Query{{"sum by (" + by + ") (increase(" + metric + `{namespace="$namespace"}[1h]))`, "{{" + by + "}}"}}}
}

// quantiles shows the median and the 95th percentile of a histogram.
func quantiles(title, description, metric string) Panel {
	p := Panel{Title: title, Unit: units.Seconds, Description: description}
	for _, q := range []struct{ quantile, legend string }{{"0.5", "half are faster"}, {"0.95", "19 in 20 are faster"}} {
		p.Queries = append(p.Queries, Query{
			"histogram_quantile(" + q.quantile + ", sum by (le) (rate(" + metric + `_bucket{namespace="$namespace"}[$__rate_interval])))`, q.legend,
		})
	}
	return p
}
