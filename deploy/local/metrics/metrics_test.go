package metrics_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/deploy/local/metrics"
)

// folderOf writes one file and gives the folder that it is in.
func folderOf(t *testing.T, body string) string {
	t.Helper()
	root := t.TempDir()
	source := "package tea\n\nimport \"go.opentelemetry.io/otel/metric\"\n\n" + body
	require.NoError(t, os.WriteFile(filepath.Join(root, "tea.go"), []byte(source), 0o600))
	return root
}

func TestMetricsAreFoundHoweverTheyAreNamed(t *testing.T) {
	t.Parallel()
	root := folderOf(t, `const prefix = "serein.tea."

func make(meter metric.Meter, service string) {
	meter.Int64Counter(prefix+"cups", metric.WithUnit("{cup}"), metric.WithDescription("Cups that were " +
		"poured, by `+"`kind`: a|b"+`"))
	meter.Float64ObservableGauge("serein.tea.age", metric.WithDescription("Age of the pot"))
	of := "serein." + service + ".leaves."
	meter.Int64Gauge(of+"left", metric.WithDescription("Leaves that are left"))
	gauge := func(name, unit, description string, value func() int) {
		meter.Int64Gauge(prefix+name, metric.WithUnit(unit), metric.WithDescription(description))
	}
	gauge("queue.size", "{guest}", "Guests that wait", func() int { return 1 })
	meter.Int64Counter(shelf+"tins", metric.WithDescription("Tins on the shelf"))
}
`)
	require.NoError(t, os.WriteFile(filepath.Join(root, "names.go"), []byte("package tea\n\nconst shelf = \"serein.shelf.\"\n"), 0o600))
	found, err := metrics.Of(root, ".")
	require.NoError(t, err)
	require.Equal(t, []metrics.Metric{
		{Name: "serein.<service>.leaves.left", Text: "Leaves that are left"},
		{Name: "serein.shelf.tins", Text: "Tins on the shelf"},
		{Name: "serein.tea.age", Text: "Age of the pot"},
		{Name: "serein.tea.cups", Text: "Cups that were poured, by `kind`: a|b"},
		{Name: "serein.tea.queue.size", Text: "Guests that wait"},
	}, found)
	require.Equal(t, "| metric | meaning |\n|---|---|\n| `serein.tea.cups` | Cups that were poured, by `kind`: a\\|b |\n", metrics.Table(found[3:4]))
}

func TestAMetricWithoutADescriptionIsAnError(t *testing.T) {
	t.Parallel()
	root := folderOf(t, "func make(meter metric.Meter) { meter.Int64Counter(\"serein.tea.cups\") }\n")
	_, err := metrics.Of(root, ".")
	require.ErrorContains(t, err, "serein.tea.cups")
}

func TestAMetricWhoseNameIsNotKnownIsAnError(t *testing.T) {
	t.Parallel()
	root := folderOf(t, "func make(meter metric.Meter) { meter.Int64Counter(prefix+\"cups\", metric.WithDescription(\"Cups\")) }\n")
	_, err := metrics.Of(root, ".")
	require.ErrorContains(t, err, "<prefix>cups")
}
