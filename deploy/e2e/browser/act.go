package browser

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
)

// Go opens a path of the product.
func (tab *Tab) Go(path string) {
	tab.t.Helper()
	tab.Visit(tab.base + path)
}

// Visit opens an address of any site, as one that is typed. It is asked for once, with all the patience there is: the answer is the site's.
func (tab *Tab) Visit(address string) {
	tab.t.Helper()
	tab.step("open "+bare(address), func(ctx context.Context) error {
		_, err := within(ctx, tab, tab.limits.patience, func(ctx context.Context) (chromedp.Void, error) {
			return chromedp.Run(ctx, chromedp.Navigate(address))
		})
		return err
	})
}

// Back goes to the page before.
func (tab *Tab) Back() {
	tab.t.Helper()
	tab.Eval(`history.back()`)
}

// Eval runs an expression in the page, once: it may leave the page before there is an answer.
func (tab *Tab) Eval(expression string) {
	tab.t.Helper()
	tab.step("run "+expression, func(ctx context.Context) error {
		_, err := evaluate[bool](ctx, tab, tab.limits.answer, `(`+expression+`, true)`)
		if unanswered(err) || errors.Is(err, errClosed) {
			return tab.sent(err)
		}
		return err
	})
}

// sent takes something to be done that has reached the browser, whatever became of the answer: it would be done twice if it were sent
// again, and the next step sees what came of it.
func (tab *Tab) sent(err error) error {
	if err != nil {
		tab.record.note(err.Error())
	}
	if cause := context.Cause(tab.ctx); errors.Is(cause, errCrashed) {
		return cause
	}
	return nil
}

// Click presses what has the role and name with the pointer, where a person would.
func (tab *Tab) Click(role, name string) {
	tab.t.Helper()
	tab.soon(fmt.Sprintf("press the %s %q", role, name), func(ctx context.Context) error {
		at, err := tab.find(ctx, role, name)
		if err != nil {
			return err
		}
		x, y, err := tab.place(ctx, at)
		if err != nil {
			return err
		}
		return tab.press(x, y)
	})
}

// press presses the mouse button at a place and releases it. Press and release each get a full time limit, even at the end of a step.
// Controls act on the release, so a caller may repeat a press that the browser refused. After the release was sent, it may not.
func (tab *Tab) press(x, y float64) error {
	button := input.DispatchMouseEventParams{Type: input.DispatchMouseEventTypeMousePressed, X: x, Y: y, Button: input.MouseButtonLeft, ClickCount: 1}
	if _, err := call(tab.ctx, tab, input.DispatchMouseEvent, button); err != nil && !errors.Is(err, errNoAnswer) {
		return err
	}
	button.Type = input.DispatchMouseEventTypeMouseReleased
	_, err := call(tab.ctx, tab, input.DispatchMouseEvent, button)
	return tab.sent(err)
}

// place scrolls to a node and gives the middle of it, once it stands still and nothing is above it.
func (tab *Tab) place(ctx context.Context, at node) (x, y float64, err error) {
	if _, err := call(ctx, tab, dom.ScrollIntoViewIfNeeded, dom.ScrollIntoViewIfNeededParams{ObjectID: at}); err != nil {
		return 0, 0, fmt.Errorf("scroll to it: %w", err)
	}
	var last string
	for {
		res, err := call(ctx, tab, dom.GetContentQuads, dom.GetContentQuadsParams{ObjectID: at})
		if err != nil {
			return 0, 0, fmt.Errorf("it is not on the page: %w", err)
		}
		if len(res.Quads) == 0 {
			return 0, 0, errors.New("it takes no place on the page")
		}
		quad := res.Quads[0]
		x, y = (quad[0]+quad[4])/2, (quad[1]+quad[5])/2
		now := fmt.Sprint(quad)
		if now == last {
			break
		}
		last = now
		if err := tab.frame(ctx); err != nil {
			return 0, 0, err
		}
	}
	if !tab.reaches(ctx, at, x, y) {
		return 0, 0, fmt.Errorf("something lies above it at %.0f, %.0f", x, y)
	}
	return x, y, nil
}

// frame waits for the next picture.
func (tab *Tab) frame(ctx context.Context) error {
	_, err := evaluate[bool](ctx, tab, tab.limits.answer,
		`new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))`, chromedp.EvalAwaitPromise)
	return err
}

// quote writes a text as JavaScript reads it.
func quote(text string) string {
	quoted, _ := json.Marshal(text) // strings only: it cannot fail
	return string(quoted)
}
