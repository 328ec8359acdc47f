package browser

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"
)

// Go opens a path of the product.
func (tab *Tab) Go(path string) {
	tab.t.Helper()
	tab.Visit(tab.base + path)
}

// Visit opens an address of any site, as one that is typed.
func (tab *Tab) Visit(address string) {
	tab.t.Helper()
	ctx, cancel := context.WithTimeout(tab.ctx, patience)
	defer cancel()
	require.NoError(tab.t, chromedp.Do(ctx, chromedp.Navigate(address)))
}

// Back goes to the page before.
func (tab *Tab) Back() {
	tab.t.Helper()
	tab.Eval(`history.back()`)
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
		return chromedp.Do(ctx, chromedp.MouseClickXY(x, y))
	})
}

// place scrolls to a node and gives the middle of it, once it stands still and nothing is above it.
func (tab *Tab) place(ctx context.Context, at node) (x, y float64, err error) {
	if _, err := chromedp.Call(ctx, dom.ScrollIntoViewIfNeeded, dom.ScrollIntoViewIfNeededParams{ObjectID: at}); err != nil {
		return 0, 0, err
	}
	var last string
	for {
		res, err := chromedp.Call(ctx, dom.GetContentQuads, dom.GetContentQuadsParams{ObjectID: at})
		if err != nil || len(res.Quads) == 0 {
			return 0, 0, fmt.Errorf("it is not on the page: %w", err)
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
	_, err := chromedp.Run(ctx, chromedp.Evaluate[bool](
		`new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))`, chromedp.EvalAwaitPromise))
	return err
}

// Fill writes into the field with the label, over what stands there.
func (tab *Tab) Fill(label, text string) {
	tab.t.Helper()
	tab.soon(fmt.Sprintf("write into %q", label), func(ctx context.Context) error {
		at, err := tab.find(ctx, "textbox", label)
		if err != nil {
			return err
		}
		if _, err := chromedp.Call(ctx, dom.Focus, dom.FocusParams{ObjectID: at}); err != nil {
			return err
		}
		if _, err := chromedp.Run(ctx, chromedp.Evaluate[bool](`(document.activeElement.select?.(), true)`)); err != nil {
			return err
		}
		if text == "" {
			return chromedp.Do(ctx, chromedp.KeyEvent(kb.Backspace))
		}
		_, err = chromedp.Call(ctx, input.InsertText, input.InsertTextParams{Text: text})
		return err
	})
}

// Press sends keys to what has the focus.
func (tab *Tab) Press(keys string) {
	tab.t.Helper()
	require.NoError(tab.t, chromedp.Do(tab.ctx, chromedp.KeyEvent(keys)))
}

// Choose takes an option of a list by keyboard: typing its name, as people do.
func (tab *Tab) Choose(label, option string) {
	tab.t.Helper()
	tab.Focus("combobox", label)
	tab.Press(option)
	tab.Expect(fmt.Sprintf("%q shows %q", label, option), `document.activeElement.selectedOptions?.[0]?.textContent === `+quote(option))
}

// Focus gives the keyboard to what has the role and name.
func (tab *Tab) Focus(role, name string) {
	tab.t.Helper()
	tab.soon(fmt.Sprintf("focus the %s %q", role, name), func(ctx context.Context) error {
		at, err := tab.find(ctx, role, name)
		if err != nil {
			return err
		}
		_, err = chromedp.Call(ctx, dom.Focus, dom.FocusParams{ObjectID: at})
		return err
	})
}

// Popup does what opens a window of this tab's and gives that window: other people's tabs open theirs meanwhile.
func (tab *Tab) Popup(open func()) *Tab {
	tab.t.Helper()
	own := chromedp.FromContext(tab.ctx).Target.TargetID
	opened := chromedp.WaitNewTarget(tab.ctx, func(i *target.Info) bool { return i.OpenerID == own })
	open()
	var id target.ID
	select {
	case id = <-opened:
	case <-time.After(patience):
	}
	require.NotEmpty(tab.t, id, "no window opened")
	ctx, cancel := chromedp.NewContext(tab.ctx, chromedp.WithTargetID(id))
	tab.t.Cleanup(cancel)
	popup := &Tab{t: tab.t, ctx: ctx, base: tab.base, witness: tab.witness}
	popup.hear()
	return popup
}

// Closed waits until a window has closed itself.
func (tab *Tab) Closed() {
	tab.t.Helper()
	tab.soonIn(context.Background(), "the window closes", func(context.Context) error {
		if _, err := chromedp.Run(tab.ctx, chromedp.Title()); err == nil {
			return errors.New("it is still there")
		}
		return nil
	})
}

// Early runs an expression in every page as soon as its markup is there, when its app has not begun.
func (tab *Tab) Early(expression string) {
	tab.t.Helper()
	tab.before(`addEventListener("DOMContentLoaded", () => {` + expression + `})`)
}

// before runs a script in every page before its own.
func (tab *Tab) before(script string) {
	_, err := chromedp.Call(tab.ctx, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: script})
	require.NoError(tab.t, err)
}

// quote writes a text as JavaScript reads it.
func quote(text string) string {
	quoted, _ := json.Marshal(text) // strings only: it cannot fail
	return string(quoted)
}
