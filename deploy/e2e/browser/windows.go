package browser

import (
	"context"
	"errors"
	"fmt"

	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"

	"serein.app/deploy/e2e/wait"
)

var errNoWindow = errors.New("no window of this tab's has opened")

// Sibling is another tab of the same person.
func (tab *Tab) Sibling() *Tab {
	tab.t.Helper()
	other := &Tab{t: tab.t, base: tab.base, witness: tab.witness, limits: tab.limits}
	other.open(chromedp.NewContext(tab.window))
	other.Resize(Desk)
	return other
}

// Popup calls open, which makes this tab open a window, and returns that window. Tabs of other people may open windows at the same time.
func (tab *Tab) Popup(open func()) *Tab {
	tab.t.Helper()
	own := chromedp.FromContext(tab.window).Target.TargetID
	listening, stop := context.WithCancel(tab.window)
	defer stop()
	opened := chromedp.WaitNewTarget(listening, func(i *target.Info) bool { return i.OpenerID == own })
	open()
	var id target.ID
	tab.step("meet the window that opens", func(ctx context.Context) error {
		select {
		case id = <-opened:
			return nil
		case <-ctx.Done():
			return fmt.Errorf("%w: %w", errNoWindow, context.Cause(ctx))
		}
	})
	popup := &Tab{t: tab.t, base: tab.base, witness: tab.witness, limits: tab.limits}
	popup.open(chromedp.NewContext(tab.window, chromedp.WithTargetID(id)))
	return popup
}

// Closed waits until a window has closed itself.
func (tab *Tab) Closed() {
	tab.t.Helper()
	tab.step("the window closes", func(ctx context.Context) error {
		err := wait.Until(ctx, func(ctx context.Context) error {
			if _, err := evaluate[string](ctx, tab, tab.limits.answer, `document.title`); err != nil {
				return err
			}
			return errors.New("it is still there")
		})
		if errors.Is(err, errClosed) {
			return nil
		}
		return err
	})
}
