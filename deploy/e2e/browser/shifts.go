package browser

import (
	"context"
	"encoding/json"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
)

// Shifted is how far the page's parts have moved by themselves since it began to load: the sum of
// all layout shifts, which is never less than the Cumulative Layout Shift of web.dev/cls; and which they were.
func (tab *Tab) Shifted() (sum float64, moved string) {
	tab.t.Helper()
	found := reading(tab, "read the layout's shifts", func(ctx context.Context) (string, error) {
		return evaluate[string](ctx, tab, tab.limits.long, layoutShifts, chromedp.EvalAwaitPromise)
	})
	var shifts struct {
		Sum   float64
		Moved string
	}
	require.NoError(tab.t, json.Unmarshal([]byte(found), &shifts))
	return shifts.Sum, shifts.Moved
}

// layoutShifts waits for the fonts, which come over the network.
const layoutShifts = `new Promise((done) => {
	const own = [];
	const add = (entries) => own.push(...entries.filter((e) => !e.hadRecentInput));
	const observer = new PerformanceObserver((list) => add(list.getEntries()));
	observer.observe({ type: "layout-shift", buffered: true });
	const at = ({ x, y, width, height }) => [x, y, width, height].map(Math.round);
	document.fonts.ready.then(() => requestAnimationFrame(() => requestAnimationFrame(() => {
		add(observer.takeRecords());
		done(JSON.stringify({ sum: own.reduce((sum, e) => sum + e.value, 0), moved: own.map((e) => Math.round(e.startTime) + " ms: " +
			e.sources.map((s) => (s.node?.parentElement?.outerHTML ?? "").slice(0, 80) + " " + at(s.previousRect) + " to " + at(s.currentRect)).join("; "))
			.join("\n") }));
	})));
})`
