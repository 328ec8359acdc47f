package browser

import (
	"context"
	"fmt"
	"strings"

	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
)

// Witness sees everything that pages are shown and ask for, and the cookies that no script may read.
type Witness interface {
	Look(where string, text []byte)
	Secret(name, secret string)
}

// blind looks at nothing.
type blind struct{}

func (blind) Look(string, []byte)   {}
func (blind) Secret(string, string) {}

// shown are the kinds of answers whose bytes differ from one person to the next; the app's own files are the same for all.
var shown = map[network.ResourceType]bool{network.ResourceTypeDocument: true, network.ResourceTypeXHR: true, network.ResourceTypeFetch: true}

// bodyMax bounds what is kept of one answer until it is read, in bytes: sound is longer, and nobody's secret.
const bodyMax = 4 << 20

// readable has the browser keep the answers until the witness has read them.
func (tab *Tab) readable(ctx context.Context) error {
	limit := int64(bodyMax)
	_, err := call(ctx, tab, network.Enable, network.EnableParams{MaxTotalBufferSize: &limit, MaxResourceBufferSize: &limit})
	return err
}

// testify shows the tab's witness all that the tab asks for and is answered.
func (tab *Tab) testify() error {
	asked := map[network.RequestID]string{} // by whom an answer is read, until it has come
	return chromedp.Listen(tab.window, func(event any) {
		switch e := event.(type) {
		case *network.EventRequestWillBeSent:
			tab.witness.Look("the address of a request", []byte(e.Request.URL))
		case *network.EventResponseReceivedExtraInfo:
			hidden(tab.witness, e.Headers)
		case *network.EventResponseReceived:
			if shown[e.Type] {
				asked[e.RequestID] = e.Response.URL
			}
		case *network.EventLoadingFailed:
			delete(asked, e.RequestID)
		case *network.EventLoadingFinished:
			if address, ok := asked[e.RequestID]; ok {
				delete(asked, e.RequestID)
				go tab.read(e.RequestID, address)
			}
		}
	})
}

// read searches an answer for secrets. The browser drops an answer with its page; then no script can read it either.
func (tab *Tab) read(id network.RequestID, address string) {
	if found, err := call(tab.ctx, tab, network.GetResponseBody, network.GetResponseBodyParams{RequestID: id}); err == nil {
		tab.witness.Look("the answer of "+address, found.Body)
	}
}

// kept looks at what scripts of the page can read of what the browser keeps.
func (tab *Tab) kept() {
	const all = `JSON.stringify([document.cookie, { ...localStorage }, { ...sessionStorage }])`
	if text, err := evaluate[string](tab.ctx, tab, tab.limits.answer, all); err == nil { // the window may be gone
		tab.witness.Look("what the browser keeps", []byte(text))
	}
}

// hidden tells of the cookies of an answer that no script may read.
func hidden(w Witness, headers network.Headers) {
	for name, value := range headers {
		if !strings.EqualFold(name, "Set-Cookie") {
			continue
		}
		for cookie := range strings.SplitSeq(fmt.Sprint(value), "\n") {
			pair, attributes, _ := strings.Cut(cookie, ";")
			if name, secret, ok := strings.Cut(pair, "="); ok && strings.Contains(strings.ToLower(attributes), "httponly") {
				w.Secret("the cookie "+name, secret)
			}
		}
	}
}
