//go:build full

package engines

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// begunBefore leaves in the page what it keeps of a timer of twenty minutes that began all but 40 seconds of them ago.
const begunBefore = `
	const settings = { minutes: 20, openEnded: false, prepareS: 0, everyMinutes: 0, start: "bowl", interval: "none", end: "bowl", loudness: "soft" };
	const began = Date.now() - (20 * 60 - 40) * 1000;
	sessionStorage.setItem("serein-sitting", JSON.stringify({ of: { kind: "timer", settings }, positionMs: 0, atMs: began, running: true }));`

// places has a page tell another, at each progress of its sound, where the sound is and what the clock says.
const places = `
	const channel = new BroadcastChannel("places");
	const tell = ({ target }) => channel.postMessage({ at: target.currentTime, clock: Date.now() / 1000, hidden: document.hidden });
	const play = HTMLMediaElement.prototype.play;
	HTMLMediaElement.prototype.play = function () {
		this.addEventListener("timeupdate", tell);
		return play.call(this);
	};`

// place of the sound, in seconds of the timer's file, and of the clock.
type place struct {
	At, Clock float64
	Hidden    bool
}

// ending is where the bell stands in the file, in seconds: to the sample, as the app's own tests read it there.
const ending = 20 * 60.0

// A timer of twenty minutes goes on behind another page: its sound reaches the ending bell when the clock has passed as much as was left.
func TestATimerBehindAnotherPageRingsInTime(t *testing.T) {
	inEach(t, func(p *page) {
		ctx := p.t.Context()
		p.open("/timer")
		p.see("button", "Begin")
		require.NoError(p.t, p.Script(ctx, new(any), begunBefore))
		require.NoError(p.t, p.Reload(ctx))
		p.see("button", "Pause")
		require.NoError(p.t, p.Script(ctx, new(any), places))
		p.press("button", "Pause")
		p.press("button", "Go on")

		own, err := p.Tab(ctx)
		require.NoError(p.t, err)
		_, err = p.NewTab(ctx)
		require.NoError(p.t, err)
		p.open("/sitemap")
		require.NoError(p.t, p.Script(ctx, new(any), `window.places = []; new BroadcastChannel("places").onmessage = ({ data }) => places.push(data)`))
		p.expect("the page behind is past its bell", `places.some(({ at, hidden }) => hidden && at > 1200.5)`)
		var heard []place
		require.NoError(p.t, p.Script(ctx, &heard, `return places.map(({ at, clock, hidden }) => ({ At: at, Clock: clock, Hidden: hidden }))`))
		require.NoError(p.t, p.CloseTab(ctx))
		require.NoError(p.t, p.Switch(ctx, own))
		p.see("heading", "That was your time")

		first := heard[0]
		require.True(p.t, first.Hidden)
		require.Less(p.t, first.At, ending-5, "it was hidden well before the bell")
		require.InDelta(p.t, first.Clock+ending-first.At, rung(p.t, heard), 0.2)
	})
}

// rung is when the sound reached the bell, by the clock.
func rung(t *testing.T, heard []place) float64 {
	t.Helper()
	for i, next := range heard {
		if next.At < ending || i == 0 {
			continue
		}
		before := heard[i-1]
		return before.Clock + (next.Clock-before.Clock)*(ending-before.At)/(next.At-before.At)
	}
	require.Fail(t, "the sound never reached its bell")
	return 0
}
