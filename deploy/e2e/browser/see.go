package browser

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

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
	found, err := tab.find(tab.ctx, role, name)
	require.NoError(tab.t, err)
	yes, err := tab.ask(tab.ctx, found, `function () { return this === document.activeElement }`)
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

// Read is a text that an expression in the page gives.
func (tab *Tab) Read(expression string) string {
	tab.t.Helper()
	text, err := chromedp.Run(tab.ctx, chromedp.Evaluate[string](expression))
	require.NoError(tab.t, err)
	return text
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

// answerTime bounds one look at the page: what is asked on the way to another may be left without an answer, and is asked again.
const answerTime = 10 * time.Second

// finder looks for what assistive technology would call so, by the browser's own reckoning (Start asks for it). A script does so in one go:
// Chromium 156 crashes where a debugger asks for the same and the page is left before the answer. What is hidden has no name.
const finder = `(role, name) => {
	const reached = [...document.querySelectorAll("dialog:modal")].at(-1) ?? document;
	return [...reached.querySelectorAll("*"), reached].find((e) => e.computedRole === role && e.computedName === name &&
		(name || e.checkVisibility()) && !e.closest("[aria-hidden=true], [inert]"));
}`

// node is a handle of something in the page.
type node = runtime.RemoteObjectID

// find gives the first node that assistive technology would call so.
func (tab *Tab) find(ctx context.Context, role, name string) (node, error) {
	ctx, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	found, err := chromedp.Call(ctx, runtime.Evaluate, runtime.EvaluateParams{Expression: `(` + finder + `)(` + quote(role) + `, ` + quote(name) + `)`})
	switch {
	case err != nil:
		return "", err
	case found.ExceptionDetails != nil:
		return "", errors.New(found.ExceptionDetails.Text)
	case found.Result.ObjectID == "":
		return "", errNotThere
	}
	return found.Result.ObjectID, nil
}

// reaches says whether a press at a place of the screen is one on the node, or on its label.
func (tab *Tab) reaches(ctx context.Context, at node, x, y float64) bool {
	yes, err := tab.ask(ctx, at, `function (x, y) {
		const hit = document.elementFromPoint(x, y);
		return this.contains(hit) || hit?.closest("label")?.control === this;
	}`, x, y)
	return err == nil && yes
}

// ask calls a function of the page on a node.
func (tab *Tab) ask(ctx context.Context, at node, function string, args ...any) (bool, error) {
	on := func(p *runtime.CallFunctionOnParams) { p.ObjectID = at }
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
			tab.keepPicture("fault")
			require.NoError(tab.t, err, "could not %s on the page %s", what, tab.words())
			return
		case <-ticker.C:
		}
	}
}

// Started is an expression that is true once the app has taken over what a selector names in the page's markup.
func Started(selector string) string {
	return `Object.keys(document.querySelector(` + quote(selector) + `) ?? {}).some((key) => key.startsWith("__react"))`
}

// words is where the window is, what stands there and what it asked the gateway for, for the report of a fault: the picture is not at
// hand where CI ran elsewhere.
func (tab *Tab) words() string {
	ctx, cancel := context.WithTimeout(tab.ctx, 5*time.Second) // the page may be what does not answer
	defer cancel()
	text, err := chromedp.Run(ctx, chromedp.Evaluate[string](`location.href + ": " + document.body.innerText.slice(0, 2000) +
		"\nstarted: " + `+Started("main h1")+` +
		", filled: " + (document.querySelector("#page")?.textContent ?? "").slice(0, 12) +
		performance.getEntriesByType("resource").filter(({ name }) => name.includes("/serein.")).slice(-20).map((call) =>
			"\n" + [call.name.split("?")[0].split("/").pop(), call.responseStatus, Math.round(call.startTime), Math.round(call.duration)].join(" ")).join("")`))
	if err != nil {
		return err.Error()
	}
	return text
}

// Picture keeps what is seen in out/, for a person to look at, where PICTURES asks for it: they take a good part of a run's time.
func (tab *Tab) Picture(name string) {
	tab.t.Helper()
	if os.Getenv("PICTURES") != "" {
		tab.keepPicture(name)
	}
}

func (tab *Tab) keepPicture(name string) {
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
	tab.audit("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice")
}

// Legible is what Accessible says of colours: all that another theme can change of a page that is accessible in one.
func (tab *Tab) Legible() {
	tab.t.Helper()
	tab.audit("color-contrast", "link-in-text-block")
}

// audit runs rules of axe-core, named or by their tags.
func (tab *Tab) audit(rules ...string) {
	tab.t.Helper()
	only, err := json.Marshal(rules)
	require.NoError(tab.t, err)
	there, err := chromedp.Run(tab.ctx, chromedp.Evaluate[bool](`"axe" in window`))
	require.NoError(tab.t, err)
	if !there {
		source, err := os.ReadFile(axeSource)
		require.NoError(tab.t, err)
		_, err = chromedp.Run(tab.ctx, chromedp.Evaluate[bool](string(source)+";true"))
		require.NoError(tab.t, err)
	}
	// Whatever moves or fades is brought to its end: a tab that is not shown may have no frames in which it would come there.
	found, err := chromedp.Run(tab.ctx, chromedp.Evaluate[string](`(async () => {
			const moving = () => document.getAnimations().filter((a) => a.playState !== "finished" && a.effect?.getComputedTiming().endTime !== Infinity);
			while (moving().length > 0) moving().forEach((a) => a.finish());
		})()
		.then(() => axe.run({ runOnly: `+string(only)+` }))
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
// all layout shifts, which is never less than the Cumulative Layout Shift of web.dev/cls; and which they were.
func (tab *Tab) Shifted() (sum float64, moved string) {
	tab.t.Helper()
	found, err := chromedp.Run(tab.ctx, chromedp.Evaluate[string](`new Promise((done) => {
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
	})`, chromedp.EvalAwaitPromise))
	require.NoError(tab.t, err)
	var shifts struct {
		Sum   float64
		Moved string
	}
	require.NoError(tab.t, json.Unmarshal([]byte(found), &shifts))
	return shifts.Sum, shifts.Moved
}
