package browser

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/chromedp/cdproto/page"
	"github.com/stretchr/testify/require"
)

// mostEvidence bounds the report of a fault, in bytes.
const mostEvidence = 6 << 10

// fail ends the test with what a step wanted and all that is known of the page.
func (tab *Tab) fail(what string, err error) {
	tab.t.Helper()
	tab.reported.Store(true)
	tab.keepPicture("fault", tab.limits.report)
	require.NoError(tab.t, err, "could not %s\n%s", head(what, 300), tab.evidence())
}

// evidence is the report of a fault, as text: the picture is not at hand where the tests ran elsewhere.
func (tab *Tab) evidence() string {
	return head(tab.record.String()+"the page "+tab.words(), mostEvidence)
}

// words is what stands on the page, whether its app has started, and what it asked the gateway for.
func (tab *Tab) words() string {
	text, err := evaluate[string](tab.ctx, tab, tab.limits.report, `location.origin + location.pathname +
		", started: " + `+Started("main h1")+` + ", filled: " + (document.querySelector("#page")?.textContent ?? "").slice(0, 12) +
		performance.getEntriesByType("resource").filter(({ name }) => name.includes("/serein.")).slice(-10).map((call) =>
			"\n  " + [call.name.split("?")[0].split("/").pop(), call.responseStatus, Math.round(call.startTime), Math.round(call.duration)].join(" ")).join("") +
		"\n" + (document.body?.innerText ?? "").slice(0, 1500)`)
	if err != nil {
		return fmt.Sprintf("%s: %v", tab.record.page(), err)
	}
	return text
}

// finish looks once more when the test ends: at what the browser keeps, at the page where another tab or the test itself has failed, and at
// the errors of the console.
func (tab *Tab) finish() {
	tab.t.Helper()
	tab.kept()
	if tab.t.Failed() && !tab.reported.Load() {
		tab.t.Log(tab.evidence())
	}
	require.NotErrorIs(tab.t, context.Cause(tab.ctx), errCrashed)
	tab.mu.Lock()
	defer tab.mu.Unlock()
	require.Empty(tab.t, tab.faults, "errors in the console")
}

// Picture keeps what is seen in the folder out of the test's package, for a person to look at, where PICTURES asks for it: they take a good part of a run's time.
func (tab *Tab) Picture(name string) {
	tab.t.Helper()
	if os.Getenv("PICTURES") != "" {
		tab.keepPicture(name, tab.limits.answer)
	}
}

func (tab *Tab) keepPicture(name string, limit time.Duration) {
	tab.t.Helper()
	shot, err := callFor(tab.ctx, tab, limit, page.CaptureScreenshot, page.CaptureScreenshotParams{})
	if err != nil {
		return // the window may be gone, and the test has its own say
	}
	path := filepath.Join("out", tab.t.Name()+"-"+name+".png")
	require.NoError(tab.t, os.MkdirAll(filepath.Dir(path), 0o750))
	require.NoError(tab.t, os.WriteFile(path, shot.Data, 0o600))
}
