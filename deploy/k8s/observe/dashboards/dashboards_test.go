package dashboards

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/prometheus/prometheus/promql/parser"
	"github.com/stretchr/testify/require"

	"serein.app/deploy/k8s/check"
)

// foreign are the metrics of Prometheus itself and of the libraries of every program.
var foreign = []string{"up", calls, "process_cpu_seconds_total", "process_resident_memory_bytes"}

func TestEveryPanelReadsWhatIsCounted(t *testing.T) {
	t.Parallel()
	counted, err := check.Metrics("../../../..")
	require.NoError(t, err)
	read := 0
	for _, board := range All() {
		for _, row := range board.Rows {
			require.Len(t, row.Panels, 3, "%s: %s: three panels fill a row", board.Name, row.Title)
			for _, panel := range row.Panels {
				require.NotEmpty(t, panel.Queries, panel.Title)
				for _, q := range panel.Queries {
					expr, err := parser.NewParser(parser.Options{}).ParseExpr(strings.ReplaceAll(q.Expr, "$__rate_interval", "5m"))
					require.NoError(t, err, "%s: %s", board.Name, panel.Title)
					parser.Inspect(expr, func(node parser.Node, _ []parser.Node) error {
						if selector, ok := node.(*parser.VectorSelector); ok && selector.Name != "" {
							read++
							name := strings.TrimSuffix(strings.TrimSuffix(selector.Name, "_bucket"), "_count")
							require.True(t, slices.Contains(foreign, name) || check.Scraped(counted, name), "%s: nothing counts %s", panel.Title, selector.Name)
						}
						return nil
					})
				}
			}
		}
	}
	require.Greater(t, read, 50)
}

// deploy/generate.sh writes them.
func TestTheFilesAreThoseOfThisPackage(t *testing.T) {
	t.Parallel()
	const folder = "../../components/monitoring/grafana"
	for _, board := range All() {
		want, err := board.JSON()
		require.NoError(t, err)
		found, err := os.ReadFile(filepath.Join(folder, board.Name+".json"))
		require.NoError(t, err)
		require.Equal(t, string(want), string(found))
	}
	files, err := os.ReadDir(folder)
	require.NoError(t, err)
	require.Len(t, files, len(All()))
}
