package browser

import (
	"context"
	"fmt"
	"regexp"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/cdproto/accessibility"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/inspector"
	"github.com/chromedp/chromedp"
)

// Tab is one page in a person's browser.
type Tab struct {
	t testing.TB
	// window lives as long as the test; ctx ends with the page, and its cause says how.
	window, ctx context.Context //nolint:containedctx // chromedp keeps the tab in it
	// lose ends ctx.
	lose   context.CancelCauseFunc
	base   string
	limits limits
	// witness of what the tab is shown.
	witness  Witness
	record   *record
	reported atomic.Bool // that a fault has been: one report is enough

	mu       sync.Mutex
	faults   []string
	expected *regexp.Regexp // errors that are no faults; nil: each is
	notices  []string       // that no Said has asked for
	holds    []*hold
}

// open takes a window to be the tab's, until the test ends.
func (tab *Tab) open(window context.Context, end context.CancelFunc) {
	tab.t.Helper()
	tab.t.Cleanup(end)
	tab.window, tab.record = window, newRecord()
	tab.ctx, tab.lose = context.WithCancelCause(window)
	tab.step("open a window", func(context.Context) error { return attach(window, tab.limits.patience) })
	tab.soon("set the window up", tab.setUp)
	tab.step("listen to the window", func(context.Context) error { return tab.listen() })
	tab.remember()
	tab.t.Cleanup(tab.finish)
}

// attach waits until the debugger has a window, or a browser. Events come as long as the context of the first question lives, so that it
// has no limit itself: waiting for it has.
func attach(window context.Context, limit time.Duration) error {
	attached := make(chan error, 1)
	go func() { attached <- chromedp.Do(window) }()
	select {
	case err := <-attached:
		return err
	case <-time.After(limit):
		return fmt.Errorf("attach to the window: %w", errNoAnswer)
	}
}

func (tab *Tab) setUp(ctx context.Context) error {
	// Several people use their screens at once: every tab behaves as if it had the focus.
	if _, err := call(ctx, tab, emulation.SetFocusEmulationEnabled, emulation.SetFocusEmulationEnabledParams{Enabled: true}); err != nil {
		return err
	}
	// Chromium keeps the accessibility tree, instead of computing it for every question of the finder (a second a page).
	if _, err := call(ctx, tab, accessibility.Enable, cdp.Empty{}); err != nil {
		return err
	}
	return tab.readable(ctx)
}

// listen follows what happens in the page; the test fails at its end of what goes wrong there.
func (tab *Tab) listen() error {
	for _, listen := range []func() error{tab.follow, tab.testify, tab.noticing, tab.holding} {
		if err := listen(); err != nil {
			return err
		}
	}
	messages := chromedp.Console(tab.window)
	go func() {
		for m, err := range messages {
			if err != nil {
				return
			}
			if m.Type == chromedp.ConsoleError || m.Type == chromedp.ConsoleException {
				tab.fault(m.Text + " " + m.URL)
			}
		}
	}()
	return chromedp.Listen(tab.window, func(event any) {
		if _, crashed := event.(*inspector.EventTargetCrashed); crashed {
			tab.lose(errCrashed)
		}
	})
}

func (tab *Tab) fault(words string) {
	tab.record.says(words)
	tab.mu.Lock()
	defer tab.mu.Unlock()
	if tab.expected == nil || !tab.expected.MatchString(words) {
		tab.faults = append(tab.faults, words)
	}
}

// IgnoreErrors forgets the errors that came so far, where a test has caused them on purpose.
func (tab *Tab) IgnoreErrors() {
	tab.mu.Lock()
	defer tab.mu.Unlock()
	tab.faults = nil
}

// ExpectErrors lets errors like these pass from now on, where what a test does may cause them at any moment.
func (tab *Tab) ExpectErrors(like string) {
	tab.mu.Lock()
	defer tab.mu.Unlock()
	tab.expected = regexp.MustCompile(like)
}
