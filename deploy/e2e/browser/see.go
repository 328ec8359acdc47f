package browser

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
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
		switch _, err := tab.find(ctx, role, name); {
		case err == nil:
			return errors.New("it is there")
		case errors.Is(err, errNotThere):
			return nil
		default:
			return err
		}
	})
}

// Has says whether there is something with the role and name now.
func (tab *Tab) Has(role, name string) bool {
	tab.t.Helper()
	return reading(tab, fmt.Sprintf("look for the %s %q", role, name), func(ctx context.Context) (bool, error) {
		_, err := tab.find(ctx, role, name)
		if errors.Is(err, errNotThere) {
			return false, nil
		}
		return true, err
	})
}

// Focused says whether the keyboard is at what has the role and name.
func (tab *Tab) Focused(role, name string) bool {
	tab.t.Helper()
	return reading(tab, fmt.Sprintf("see whether the keyboard is at the %s %q", role, name), func(ctx context.Context) (bool, error) {
		found, err := tab.find(ctx, role, name)
		if err != nil {
			return false, err
		}
		return tab.on(ctx, found, `function () { return this === document.activeElement }`)
	})
}

// Text waits until the page shows a text somewhere. A notice that goes by itself is for Said.
func (tab *Tab) Text(text string) {
	tab.t.Helper()
	tab.Expect("the page says "+text, `document.body.innerText.includes(`+quote(text)+`)`)
}

// Expect waits until an expression in the page is true.
func (tab *Tab) Expect(what, expression string) {
	tab.t.Helper()
	tab.soon(what, func(ctx context.Context) error {
		yes, err := evaluate[bool](ctx, tab, tab.limits.answer, `Boolean(`+expression+`)`)
		if err == nil && !yes {
			return errNotThere
		}
		return err
	})
}

// Read is a text that an expression in the page gives.
func (tab *Tab) Read(expression string) string {
	tab.t.Helper()
	return reading(tab, "read "+expression, func(ctx context.Context) (string, error) {
		return evaluate[string](ctx, tab, tab.limits.answer, expression)
	})
}

// Path is where the page is.
func (tab *Tab) Path() string {
	tab.t.Helper()
	return tab.Read(`location.pathname`)
}

// Started is an expression that is true once the app has taken over what a selector names in the page's markup.
func Started(selector string) string {
	return `Object.keys(document.querySelector(` + quote(selector) + `) ?? {}).some((key) => key.startsWith("__react"))`
}

// finder looks for what assistive technology would call so, by the browser's own reckoning (Start asks for it). A script does so in one go:
// Chromium 156 crashes where a debugger asks for the same and the page is left before the answer. What is hidden has no name.
const finder = `(role, name, candidates) => {
	const reached = [...document.querySelectorAll("dialog:modal")].at(-1) ?? document;
	return [...reached.querySelectorAll(candidates), reached].find((e) => e.computedRole === role && e.computedName === name &&
		(name || e.checkVisibility()) && !e.closest("[aria-hidden=true], [inert]"));
}`

// candidates are, by role, the only elements that can have it: the browser takes long to compute a role, and most steps look for these three.
var candidates = map[string]string{
	"button":  "button, summary, input, [role]",
	"heading": "h1, h2, h3, h4, h5, h6, [role]",
	"link":    "a[href], area[href], [role]",
}

// node is a handle of something in the page.
type node = runtime.RemoteObjectID

// find gives the first node that assistive technology would call so.
func (tab *Tab) find(ctx context.Context, role, name string) (node, error) {
	among := cmp.Or(candidates[role], "*")
	found, err := call(ctx, tab, runtime.Evaluate, runtime.EvaluateParams{
		Expression: `(` + finder + `)(` + quote(role) + `, ` + quote(name) + `, ` + quote(among) + `)`,
	})
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
	yes, err := tab.on(ctx, at, `function (x, y) {
		const hit = document.elementFromPoint(x, y);
		return this.contains(hit) || hit?.closest("label")?.control === this;
	}`, x, y)
	return err == nil && yes
}

// on calls a function of the page on a node.
func (tab *Tab) on(ctx context.Context, at node, function string, args ...any) (bool, error) {
	this := func(p *runtime.CallFunctionOnParams) { p.ObjectID = at }
	return within(ctx, tab, tab.limits.answer, func(ctx context.Context) (bool, error) {
		return chromedp.Run(ctx, chromedp.CallFunctionOn[bool](function, this, args...))
	})
}
