package browser

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

const (
	// noticesWorld is an isolated world with a separate global object: the page's scripts cannot see what this package adds.
	noticesWorld = "notices"
	// noticed is the function there that brings a text out of the page.
	noticed = "noticed"
)

// noticer tells each text that stands in the app's region of notices, which are gone after seconds.
const noticer = `(() => {
	const told = new WeakMap();
	let region = null;
	const look = () => {
		if (!region?.isConnected) region = document.querySelector('section[aria-live="polite"]');
		for (const notice of region?.children ?? []) {
			if (told.get(notice) === notice.textContent) continue;
			told.set(notice, notice.textContent);
			` + noticed + `(notice.textContent);
		}
	};
	new MutationObserver(look).observe(document, { childList: true, characterData: true, subtree: true });
	look();
})()`

// Said waits until a page of the tab has shown a text in a notice since the tab was opened. A notice counts also after it has disappeared, and
// after the tab has left its page. Each notice answers one Said, so that a test can require the same text twice.
func (tab *Tab) Said(text string) {
	tab.t.Helper()
	tab.soon("hear the page say "+text, func(context.Context) error {
		tab.mu.Lock()
		defer tab.mu.Unlock()
		at := slices.IndexFunc(tab.notices, func(notice string) bool { return strings.Contains(notice, text) })
		if at < 0 {
			return fmt.Errorf("it has said %q", tab.notices)
		}
		tab.notices = slices.Delete(tab.notices, at, at+1)
		return nil
	})
}

// remember has each document of the tab tell its notices, the one that is there already too.
func (tab *Tab) remember() {
	tab.t.Helper()
	yes := true
	set(tab, "take notices", runtime.AddBinding, runtime.AddBindingParams{Name: noticed, ExecutionContextName: noticesWorld})
	add(tab, "watch for notices", page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{
		Source: noticer, WorldName: noticesWorld, RunImmediately: &yes,
	})
}

// noticing stores the notices that the script in the page reports.
func (tab *Tab) noticing() error {
	return chromedp.Listen(tab.window, func(event any) {
		if told, ok := event.(*runtime.EventBindingCalled); ok && told.Name == noticed {
			tab.mu.Lock()
			defer tab.mu.Unlock()
			tab.notices = append(tab.notices, told.Payload)
		}
	})
}
