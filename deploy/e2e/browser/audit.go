package browser

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"serein.app/deploy/e2e/wait"
	"serein.app/services/testkit/repository"
)

// Accessible fails where axe-core finds a fault in the page as it stands, or it scrolls sideways. It takes scripts to find that out.
func (tab *Tab) Accessible() {
	tab.t.Helper()
	tab.audit("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice")
}

// Legible is what Accessible says of colours: all that another theme can change of a page that is accessible in one.
func (tab *Tab) Legible() {
	tab.t.Helper()
	tab.audit("color-contrast", "link-in-text-block")
}

// still is a function that brings the page to rest and gives one that sets it free. What moves is brought to its end, and what begins from
// then on is there already: a colour is never read in the middle of a fade. What moves without end is shown as it is without. A tab that is
// not shown may have no frames, in which what waits for an end would go on: they are not waited for long.
const still = `async () => {
	const rest = new CSSStyleSheet();
	rest.replaceSync("*, ::before, ::after, ::backdrop { transition: none !important; animation-duration: 0s !important; animation-delay: 0s !important }");
	for (const moving of document.getAnimations()) {
		if (moving.effect?.getComputedTiming().endTime !== Infinity) try { moving.finish() } catch { /* it stands */ }
	}
	document.adoptedStyleSheets.push(rest);
	const frame = new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
	await Promise.race([frame, new Promise((done) => setTimeout(done, 300))]);
	return () => { document.adoptedStyleSheets = document.adoptedStyleSheets.filter((sheet) => sheet !== rest) };
}`

// violations are what axe-core finds by rules, named or by their tags.
const violations = `async (rules) => {
	const free = await (` + still + `)();
	try {
		const { violations } = await axe.run({ runOnly: rules, resultTypes: ["violations"] });
		return violations.map((v) => v.id + ": " + v.nodes.map((n) => n.target + " " + (n.any[0]?.message ?? "")).join(" | "));
	} finally {
		free();
	}
}`

// audit runs rules of axe-core.
func (tab *Tab) audit(rules ...string) {
	tab.t.Helper()
	only, err := json.Marshal(rules)
	require.NoError(tab.t, err)
	path := tab.Path()
	found := reading(tab, "ask axe-core about "+path, func(ctx context.Context) ([]string, error) {
		if err := tab.bringAxe(ctx); err != nil {
			return nil, err
		}
		found, err := evaluate[[]string](ctx, tab, tab.limits.long, `(`+violations+`)(`+string(only)+`)`, chromedp.EvalAwaitPromise)
		if errors.Is(err, errNoAnswer) {
			return nil, wait.FinalError{Err: fmt.Errorf("axe-core is at work still: %w", err)} // it refuses to begin again meanwhile
		}
		return found, err
	})
	require.Empty(tab.t, found, "%s", path)
	wide := reading(tab, "measure "+path, func(ctx context.Context) (int, error) {
		return evaluate[int](ctx, tab, tab.limits.answer, `document.documentElement.scrollWidth - innerWidth`)
	})
	require.LessOrEqual(tab.t, wide, 0, "%s scrolls sideways", path)
}

// bringAxe loads axe-core into the document, unless it is loaded already.
func (tab *Tab) bringAxe(ctx context.Context) error {
	there, err := evaluate[bool](ctx, tab, tab.limits.answer, `"axe" in window`)
	if err != nil || there {
		return err
	}
	source, err := axeSource()
	if err != nil {
		return err
	}
	_, err = evaluate[bool](ctx, tab, tab.limits.long, source+";true")
	return err
}

// axeSource is where npm ci puts axe-core.
func axeSource() (string, error) {
	root, err := repository.Root()
	if err != nil {
		return "", err
	}
	source, err := os.ReadFile(filepath.Join(root, "frontend/node_modules/axe-core/axe.min.js"))
	if err != nil {
		return "", fmt.Errorf("read axe-core: %w", err)
	}
	return string(source), nil
}
