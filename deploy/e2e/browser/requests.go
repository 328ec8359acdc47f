package browser

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// request is one that the page has made, until its answer is whole.
type request struct {
	what   string
	at     time.Time
	loader string
	// status is that of the answer, once it has begun.
	status int64
}

// follow keeps the tab's address, and which of its requests are open.
func (tab *Tab) follow() error {
	r := tab.record
	return chromedp.Listen(tab.window, func(event any) {
		r.mu.Lock()
		defer r.mu.Unlock()
		switch e := event.(type) {
		case *network.EventRequestWillBeSent:
			r.requests[e.RequestID] = asked(e)
		case *network.EventResponseReceived:
			if open := r.requests[e.RequestID]; open != nil {
				open.status = e.Response.Status
			}
		case *network.EventLoadingFinished:
			delete(r.requests, e.RequestID)
		case *network.EventLoadingFailed:
			delete(r.requests, e.RequestID)
		case *page.EventNavigatedWithinDocument:
			r.address = bare(e.URL)
		case *page.EventFrameNavigated:
			if e.Frame.ParentID == "" {
				r.arrive(bare(e.Frame.URL), string(e.Frame.LoaderID))
			}
		}
	})
}

func asked(e *network.EventRequestWillBeSent) *request {
	what := e.Request.Method + " " + bare(e.Request.URL)
	if e.Type == network.ResourceTypeDocument {
		what = "a navigation is open: " + what
	}
	return &request{what: what, at: time.Now(), loader: string(e.LoaderID)}
}

// arrive forgets the requests of the document that has been left: the browser may never say how they ended.
func (r *record) arrive(address, loader string) {
	r.address = address
	for id, open := range r.requests {
		if open.loader != loader {
			delete(r.requests, id)
		}
	}
}

// unanswered are the open requests, the oldest first.
func (r *record) unanswered() string {
	var open []*request
	for _, o := range r.requests {
		open = append(open, o)
	}
	slices.SortFunc(open, func(a, b *request) int { return a.at.Compare(b.at) })
	var words []string
	for _, o := range open {
		answer := "nothing came"
		if o.status != 0 {
			answer = fmt.Sprintf("%d, not ended", o.status)
		}
		words = append(words, fmt.Sprintf("%s, for %.1fs: %s", head(o.what, 200), time.Since(o.at).Seconds(), answer))
	}
	return lines(words)
}

// Answered waits until the gateway has answered every call that the page has made: a call that is open when its member signs out is
// refused, and the console says so.
func (tab *Tab) Answered() {
	tab.t.Helper()
	tab.soon("have every call answered", func(context.Context) error { return tab.record.calling() })
}

// calling fails where a call to the gateway has no answer yet.
func (r *record) calling() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, open := range r.requests {
		if open.status == 0 && strings.Contains(open.what, "/serein.") {
			return fmt.Errorf("open: %s", open.what)
		}
	}
	return nil
}

// bare is an address without what it carries: codes and tokens of a sign-in are nobody's to read in a log.
func bare(address string) string {
	address, _, _ = strings.Cut(address, "#")
	address, _, _ = strings.Cut(address, "?")
	return head(address, 300)
}
