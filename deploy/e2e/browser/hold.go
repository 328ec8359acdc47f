package browser

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/chromedp"
)

// hold keeps back the answers from some addresses.
type hold struct {
	pattern string
	like    *regexp.Regexp
	held    []fetch.RequestID
}

// HoldBack keeps back the answers from addresses like the pattern, in which * stands for anything, until release is called or the test
// ends. The server has done its work by then: only the page does not know. Held waits until there is one.
func (tab *Tab) HoldBack(pattern string) (release func()) {
	tab.t.Helper()
	like := strings.ReplaceAll(regexp.QuoteMeta(pattern), `\*`, `.*`)
	h := &hold{pattern: pattern, like: regexp.MustCompile(`^` + like + `$`)}
	tab.mu.Lock()
	tab.holds = append(tab.holds, h)
	tab.mu.Unlock()
	tab.soon("hold back "+pattern, tab.intercept)
	tab.t.Cleanup(func() { _, _ = call(tab.ctx, tab, fetch.Disable, cdp.Empty{}) }) // lets all go on; the window may be gone
	return sync.OnceFunc(func() {
		tab.t.Helper()
		tab.soon("let go of "+pattern, func(ctx context.Context) error { return tab.letGo(ctx, h) })
	})
}

// Held waits until HoldBack has an answer from addresses like the pattern, so that no test passes without one.
func (tab *Tab) Held(pattern string) {
	tab.t.Helper()
	tab.soon("hold an answer of "+pattern, func(context.Context) error {
		tab.mu.Lock()
		defer tab.mu.Unlock()
		if !slices.ContainsFunc(tab.holds, func(h *hold) bool { return h.pattern == pattern && len(h.held) > 0 }) {
			return errors.New("none has come")
		}
		return nil
	})
}

// intercept has the browser pause at the answers that are held back.
func (tab *Tab) intercept(ctx context.Context) error {
	var patterns []*fetch.RequestPattern
	tab.mu.Lock()
	for _, h := range tab.holds {
		patterns = append(patterns, &fetch.RequestPattern{URLPattern: h.pattern, RequestStage: fetch.RequestStageResponse})
	}
	tab.mu.Unlock()
	if len(patterns) == 0 {
		_, err := call(ctx, tab, fetch.Disable, cdp.Empty{})
		return err
	}
	_, err := call(ctx, tab, fetch.Enable, fetch.EnableParams{Patterns: patterns})
	return err
}

// letGo sends on what a hold has, and holds no more. What is sent on twice is refused the second time, and harmless.
func (tab *Tab) letGo(ctx context.Context, h *hold) error {
	tab.mu.Lock()
	tab.holds = slices.DeleteFunc(tab.holds, func(other *hold) bool { return other == h })
	held := slices.Clone(h.held)
	tab.mu.Unlock()
	for _, id := range held {
		if err := tab.sendOn(ctx, id); err != nil {
			return err
		}
	}
	return tab.intercept(ctx)
}

// sendOn lets an answer through. One that is refused is of a request that the page has given up.
func (tab *Tab) sendOn(ctx context.Context, id fetch.RequestID) error {
	if _, err := call(ctx, tab, fetch.ContinueRequest, fetch.ContinueRequestParams{RequestID: id}); errors.Is(err, errNoAnswer) {
		return fmt.Errorf("send an answer on: %w", err)
	}
	return nil
}

// holding keeps what the browser has paused at, or sends it on.
func (tab *Tab) holding() error {
	return chromedp.Listen(tab.window, func(event any) {
		paused, ok := event.(*fetch.EventRequestPaused)
		if !ok {
			return
		}
		tab.mu.Lock()
		defer tab.mu.Unlock()
		for _, h := range tab.holds {
			if h.like.MatchString(paused.Request.URL) {
				h.held = append(h.held, paused.RequestID)
				return
			}
		}
		go func() { _ = tab.sendOn(tab.window, paused.RequestID) }()
	})
}
