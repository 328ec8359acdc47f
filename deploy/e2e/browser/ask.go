package browser

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/chromedp/cdproto"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/chromedp"

	"serein.app/deploy/e2e/wait"
)

// limits bound what a tab waits for. Nothing is asked of the browser without one.
type limits struct {
	// patience is how long a step is tried, and how long a question waits that must not be asked twice.
	patience time.Duration
	// answer is how long a question waits that may be asked again: what is asked on the way to another page may stay without an answer.
	answer time.Duration
	// long is answer for what computes or waits in the page for long itself.
	long time.Duration
	// report is for each part of the report of a fault: the page may be what does not answer.
	report time.Duration
}

// usual is what tabs wait. axe-core reads every element of a page: seconds of a processor, and five times that on a slow one.
var usual = limits{patience: wait.Patience, answer: 10 * time.Second, long: time.Minute, report: 5 * time.Second}

var (
	errNoAnswer = errors.New("no answer in time")
	errCrashed  = errors.New("the page has crashed")
	errClosed   = errors.New("the window has closed")
)

// within puts one question to the browser and waits for the answer until limit. It returns at once if the page has crashed or the window
// has closed.
func within[T any](ctx context.Context, tab *Tab, limit time.Duration, question func(context.Context) (T, error)) (T, error) {
	bounded, cancel := context.WithTimeoutCause(ctx, limit, errNoAnswer)
	defer cancel()
	answer, err := question(bounded)
	if errors.Is(err, chromedp.ErrTargetDetached) {
		tab.lose(errClosed)
	}
	if err != nil && bounded.Err() != nil {
		err = fmt.Errorf("%w: %w", context.Cause(bounded), err)
	}
	return answer, err
}

// evaluate asks for the value of an expression in the page.
func evaluate[T any](ctx context.Context, tab *Tab, limit time.Duration, expression string, options ...chromedp.EvaluateOption) (T, error) {
	return within(ctx, tab, limit, func(ctx context.Context) (T, error) {
		return chromedp.Run(ctx, chromedp.Evaluate[T](expression, options...))
	})
}

// call sends one command of the debugger, which may be sent again.
func call[P, R any](ctx context.Context, tab *Tab, command cdp.Command[P, R], params P) (R, error) {
	return callFor(ctx, tab, tab.limits.answer, command, params)
}

func callFor[P, R any](ctx context.Context, tab *Tab, limit time.Duration, command cdp.Command[P, R], params P) (R, error) {
	return within(ctx, tab, limit, func(ctx context.Context) (R, error) { return chromedp.Call(ctx, command, params) })
}

// invalid are the codes of a command that the browser does not know, or not with such parameters (JSON-RPC 2.0).
var invalid = map[int64]bool{-32600: true, -32601: true, -32602: true}

// unanswered says whether the page's answer is unknown: none came in time, or the tab has left the document that was asked.
func unanswered(err error) bool {
	var refused *cdproto.Error
	return errors.Is(err, errNoAnswer) || errors.As(err, &refused) && !invalid[refused.Code]
}

// reading asks until there is an answer. An exception of the page's is one, and a fault.
func reading[T any](tab *Tab, what string, question func(context.Context) (T, error)) (answer T) {
	tab.t.Helper()
	tab.soon(what, func(ctx context.Context) (err error) {
		if answer, err = question(ctx); err != nil && !unanswered(err) {
			return wait.FinalError{Err: err}
		}
		return err
	})
	return answer
}

// soon repeats a step until it works.
func (tab *Tab) soon(what string, attempt func(context.Context) error) {
	tab.t.Helper()
	tab.step(what, func(ctx context.Context) error { return wait.Until(ctx, attempt) })
}

// step does something once. What it fails of is said with all that is known of the page.
func (tab *Tab) step(what string, do func(context.Context) error) {
	tab.t.Helper()
	ended := tab.record.begin(what)
	ctx, cancel := context.WithTimeoutCause(tab.ctx, tab.limits.patience, errNoAnswer)
	defer cancel()
	err := do(ctx)
	ended()
	if err != nil {
		tab.fail(what, err)
	}
}
