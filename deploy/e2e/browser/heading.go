package browser

import (
	"context"
	"encoding/json"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
)

// Heading is what became of the heading that a page's document came with.
type Heading struct {
	// Seen says that there was one.
	Seen bool `json:"seen"`
	// Same says that it is the one on the page still.
	Same bool `json:"same"`
	// Frames were drawn until the app had started and the page was idle, FramesWithout of them without that heading.
	Frames        int `json:"frames"`
	FramesWithout int `json:"framesWithout"`
}

// WatchHeading looks at every frame of the pages from now on, for Heading.
func (tab *Tab) WatchHeading() {
	tab.t.Helper()
	tab.before(`(() => {
		const seen = { node: null, frames: 0, framesWithout: 0 };
		window.heading = seen;
		const note = () => { seen.node ??= document.querySelector("main h1"); };
		new MutationObserver((_, parsing) => {
			note();
			if (seen.node) parsing.disconnect();
		}).observe(document, { childList: true, subtree: true });
		// The whole document is there, and no script of the app has run.
		document.addEventListener("readystatechange", note, { once: true });
		const look = () => {
			if (seen.node) {
				seen.frames++;
				if (!seen.node.isConnected) seen.framesWithout++;
			}
			requestAnimationFrame(look);
		};
		requestAnimationFrame(look);
	})()`)
}

// whatBecameOfTheHeading waits for an idle page, which a slow processor may take long to have.
const whatBecameOfTheHeading = `new Promise((idle) =>
	requestIdleCallback(() => requestIdleCallback(() => requestAnimationFrame(() => requestAnimationFrame(idle)))))
	.then(() => JSON.stringify({
		seen: heading.node !== null, same: heading.node === document.querySelector("main h1"),
		frames: heading.frames, framesWithout: heading.framesWithout,
	}))`

// Heading waits until the app has started and the page is idle. React leaves its mark on what it has taken over or made.
func (tab *Tab) Heading() Heading {
	tab.t.Helper()
	tab.Expect("the app starts", Started("main h1"))
	found := reading(tab, "read how the page's heading fared", func(ctx context.Context) (string, error) {
		return evaluate[string](ctx, tab, tab.limits.long, whatBecameOfTheHeading, chromedp.EvalAwaitPromise)
	})
	var heading Heading
	require.NoError(tab.t, json.Unmarshal([]byte(found), &heading))
	return heading
}
