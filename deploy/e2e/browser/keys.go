package browser

import (
	"context"
	"errors"
	"fmt"

	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp/kb"
)

// Keys that have no letter.
const (
	ArrowLeft = kb.ArrowLeft
	End       = kb.End
	Enter     = kb.Enter
	Escape    = kb.Escape
	Home      = kb.Home
	Space     = " "
	TabKey    = kb.Tab
)

// Focus gives the keyboard to what has the role and name.
func (tab *Tab) Focus(role, name string) {
	tab.t.Helper()
	tab.soon(fmt.Sprintf("focus the %s %q", role, name), func(ctx context.Context) error {
		at, err := tab.find(ctx, role, name)
		if err != nil {
			return err
		}
		_, err = call(ctx, tab, dom.Focus, dom.FocusParams{ObjectID: at})
		return err
	})
}

// Press sends keys to what has the focus.
func (tab *Tab) Press(keys string) {
	tab.t.Helper()
	tab.step(fmt.Sprintf("press the keys %q", keys), func(ctx context.Context) error { return tab.typed(ctx, keys) })
}

// typed sends each key once.
func (tab *Tab) typed(ctx context.Context, keys string) error {
	for _, letter := range keys {
		for _, key := range kb.Encode(letter) {
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			if err := tab.key(key); err != nil {
				return err
			}
		}
	}
	return nil
}

// key sends one key down or up. The browser takes them in turn: a key whose answer is late comes before the next one all the same, and
// one that has gone down may have left the page before it comes up.
func (tab *Tab) key(key *input.DispatchKeyEventParams) error {
	_, err := call(tab.ctx, tab, input.DispatchKeyEvent, *key)
	if errors.Is(err, errNoAnswer) || key.Type == kb.KeyUp {
		return tab.sent(err)
	}
	return err
}

// Fill writes into the field with the label, over what stands there. Where an answer was lost, a late first text may come into the second:
// it is looked at, and written again until it stands there.
func (tab *Tab) Fill(label, text string) {
	tab.t.Helper()
	lost := false
	tab.soon(fmt.Sprintf("write into %q", label), func(ctx context.Context) error {
		at, err := tab.find(ctx, "textbox", label)
		if err != nil {
			return err
		}
		if lost {
			if there, err := tab.on(ctx, at, `function (text) { return (this.value ?? this.textContent) === text }`, text); there || err != nil {
				return err
			}
		}
		err = tab.write(ctx, at, text)
		lost = lost || unanswered(err)
		if err == nil && lost {
			return errors.New("it may have been written twice")
		}
		return err
	})
}

// write puts a text in the place of what stands in a field.
func (tab *Tab) write(ctx context.Context, at node, text string) error {
	if _, err := call(ctx, tab, dom.Focus, dom.FocusParams{ObjectID: at}); err != nil {
		return err
	}
	here, err := tab.on(ctx, at, `function () { this.select?.(); return this === document.activeElement }`)
	switch {
	case err != nil:
		return err
	case !here:
		return errors.New("the keyboard has gone elsewhere")
	case text == "":
		return tab.typed(ctx, kb.Backspace)
	}
	_, err = call(ctx, tab, input.InsertText, input.InsertTextParams{Text: text})
	return err
}

// Choose takes an option of a list by keyboard: typing its name, as people do.
func (tab *Tab) Choose(label, option string) {
	tab.t.Helper()
	tab.Focus("combobox", label)
	tab.Press(option)
	tab.Expect(fmt.Sprintf("%q shows %q", label, option), `document.activeElement.selectedOptions?.[0]?.textContent === `+quote(option))
}
