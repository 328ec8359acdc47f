package browser

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/chromedp/cdproto/accessibility"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
)

var errNotThere = errors.New("it is not there")

// See waits until there is something with the role and name.
func (tab *Tab) See(role, name string) {
	tab.t.Helper()
	tab.soon(fmt.Sprintf("see the %s %q", role, name), func(ctx context.Context) error {
		_, err := tab.find(ctx, role, name)
		return err
	})
}

// Gone waits until there is nothing with the role and name.
func (tab *Tab) Gone(role, name string) {
	tab.t.Helper()
	tab.soon(fmt.Sprintf("the %s %q goes", role, name), func(ctx context.Context) error {
		if _, err := tab.find(ctx, role, name); !errors.Is(err, errNotThere) {
			return fmt.Errorf("it is there: %w", err)
		}
		return nil
	})
}

// Focused says whether the keyboard is at what has the role and name.
func (tab *Tab) Focused(role, name string) bool {
	tab.t.Helper()
	node, err := tab.find(tab.ctx, role, name)
	require.NoError(tab.t, err)
	yes, err := tab.ask(tab.ctx, node, `function () { return this === document.activeElement }`)
	require.NoError(tab.t, err)
	return yes
}

// Text waits until the page shows a text somewhere.
func (tab *Tab) Text(text string) {
	tab.t.Helper()
	tab.Expect("the page says "+text, `document.body.innerText.includes(`+quote(text)+`)`)
}

// Expect waits until an expression in the page is true.
func (tab *Tab) Expect(what, expression string) {
	tab.t.Helper()
	tab.soon(what, func(ctx context.Context) error {
		yes, err := chromedp.Run(ctx, chromedp.Evaluate[bool](`Boolean(`+expression+`)`))
		if err == nil && !yes {
			return errNotThere
		}
		return err
	})
}

// Eval runs an expression in the page.
func (tab *Tab) Eval(expression string) {
	tab.t.Helper()
	_, err := chromedp.Run(tab.ctx, chromedp.Evaluate[bool](`(`+expression+`, true)`))
	require.NoError(tab.t, err)
}

// Path is where the page is.
func (tab *Tab) Path() string {
	tab.t.Helper()
	path, err := chromedp.Run(tab.ctx, chromedp.Evaluate[string](`location.pathname`))
	require.NoError(tab.t, err)
	return path
}

// answerTime bounds one look at the page. One that is asked while it goes to another may leave that without an answer for ever
// (Chromium 156, on a busy machine), and is asked again.
const answerTime = 10 * time.Second

// find gives the first node that assistive technology would call so.
func (tab *Tab) find(ctx context.Context, role, name string) (cdp.BackendNodeID, error) {
	ctx, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	root, err := chromedp.Call(ctx, dom.GetDocument, dom.GetDocumentParams{})
	if err != nil {
		return 0, err
	}
	found, err := chromedp.Call(ctx, accessibility.QueryAXTree, accessibility.QueryAXTreeParams{
		BackendNodeID: root.Root.BackendNodeID, Role: role, AccessibleName: name,
	})
	if err != nil {
		return 0, err
	}
	for _, node := range found.Nodes {
		if !node.Ignored && node.BackendDOMNodeID != 0 {
			return node.BackendDOMNodeID, nil
		}
	}
	return 0, errNotThere
}

// reaches says whether a press at a place of the screen is one on the node, or on its label.
func (tab *Tab) reaches(ctx context.Context, node cdp.BackendNodeID, x, y float64) bool {
	yes, err := tab.ask(ctx, node, `function (x, y) {
		const hit = document.elementFromPoint(x, y);
		return this.contains(hit) || hit?.closest("label")?.control === this;
	}`, x, y)
	return err == nil && yes
}

// ask calls a function of the page on a node.
func (tab *Tab) ask(ctx context.Context, node cdp.BackendNodeID, function string, args ...any) (bool, error) {
	found, err := chromedp.Call(ctx, dom.ResolveNode, dom.ResolveNodeParams{BackendNodeID: node})
	if err != nil {
		return false, err
	}
	on := func(p *runtime.CallFunctionOnParams) { p.ObjectID = found.Object.ObjectID }
	return chromedp.Run(ctx, chromedp.CallFunctionOn[bool](function, on, args...))
}

// soon repeats a step until it works.
func (tab *Tab) soon(what string, step func(context.Context) error) {
	tab.t.Helper()
	tab.soonIn(tab.ctx, what, step)
}

func (tab *Tab) soonIn(ctx context.Context, what string, step func(context.Context) error) {
	tab.t.Helper()
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	ticker := time.NewTicker(30 * time.Millisecond)
	defer ticker.Stop()
	for {
		err := step(ctx)
		if err == nil {
			return
		}
		select {
		case <-ctx.Done():
			tab.Picture("fault")
			require.NoError(tab.t, err, "could not %s on the page %s", what, tab.words())
			return
		case <-ticker.C:
		}
	}
}

// words is where the window is and what stands there, for the report of a fault: the picture is not at hand where CI ran elsewhere.
func (tab *Tab) words() string {
	ctx, cancel := context.WithTimeout(tab.ctx, 5*time.Second) // the page may be what does not answer
	defer cancel()
	text, err := chromedp.Run(ctx, chromedp.Evaluate[string](`location.href + ": " + document.body.innerText.slice(0, 2000)`))
	if err != nil {
		return err.Error()
	}
	return text
}

// Picture keeps what is seen in out/, for a person to look at.
func (tab *Tab) Picture(name string) {
	tab.t.Helper()
	shot, err := chromedp.Call(tab.ctx, page.CaptureScreenshot, page.CaptureScreenshotParams{})
	if err != nil {
		return // the window may be gone, and the test has its own say
	}
	path := filepath.Join("out", tab.t.Name()+"-"+name+".png")
	require.NoError(tab.t, os.MkdirAll(filepath.Dir(path), 0o750))
	require.NoError(tab.t, os.WriteFile(path, shot.Data, 0o600))
}

// axeSource is where npm ci puts axe-core.
const axeSource = "../../frontend/node_modules/axe-core/axe.min.js"

// Accessible fails where axe-core finds a fault in the page as it stands, or it scrolls sideways.
func (tab *Tab) Accessible() {
	tab.t.Helper()
	source, err := os.ReadFile(axeSource)
	require.NoError(tab.t, err)
	_, err = chromedp.Run(tab.ctx, chromedp.Evaluate[bool](string(source)+";true"))
	require.NoError(tab.t, err)
	found, err := chromedp.Run(tab.ctx, chromedp.Evaluate[string](`Promise.all(document.getAnimations()
		.filter((a) => a.effect?.getComputedTiming().endTime !== Infinity).map((a) => a.finished.catch(() => 0)))
		.then(() => axe.run({ runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] }))
		.then(({ violations }) => JSON.stringify(violations.map((v) => v.id + ": " + v.nodes.map((n) => n.target + " " + (n.any[0]?.message ?? "")).join(" | "))))`,
		chromedp.EvalAwaitPromise))
	require.NoError(tab.t, err)
	var violations []string
	require.NoError(tab.t, json.Unmarshal([]byte(found), &violations))
	require.Empty(tab.t, violations, "%s", tab.Path())
	wide, err := chromedp.Run(tab.ctx, chromedp.Evaluate[int](`document.documentElement.scrollWidth - innerWidth`))
	require.NoError(tab.t, err)
	require.LessOrEqual(tab.t, wide, 0, "%s scrolls sideways", tab.Path())
}

// Shifted is how far the page's parts have moved by themselves since it began to load: the sum of
// all layout shifts, which is never less than the Cumulative Layout Shift of web.dev/cls.
func (tab *Tab) Shifted() float64 {
	tab.t.Helper()
	sum, err := chromedp.Run(tab.ctx, chromedp.Evaluate[float64](`new Promise((done) => {
		let sum = 0;
		const add = (entries) => entries.forEach((e) => { sum += e.hadRecentInput ? 0 : e.value; });
		const observer = new PerformanceObserver((list) => add(list.getEntries()));
		observer.observe({ type: "layout-shift", buffered: true });
		document.fonts.ready.then(() => requestAnimationFrame(() => requestAnimationFrame(() => {
			add(observer.takeRecords());
			done(sum);
		})));
	})`, chromedp.EvalAwaitPromise))
	require.NoError(tab.t, err)
	return sum
}
