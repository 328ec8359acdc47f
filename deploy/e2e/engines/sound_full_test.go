//go:build full

package engines

import (
	"context"
	"fmt"
	"math"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"serein.app/deploy/e2e/harness"
	"serein.app/deploy/e2e/webdriver"
	webv1 "serein.app/proto/gen/serein/web/v1"
)

// listening records what a page plays: each fade, what the audio element does, and the level of the mix. It taps the sound between the
// page's mix and the device.
const listening = `
	const heard = window.heard = { fades: [], elements: new Set(), log: [] };
	const connect = AudioNode.prototype.connect;
	AudioNode.prototype.connect = function (to, ...more) {
		if (to !== this.context.destination) return connect.call(this, to, ...more);
		if (!heard.mix) {
			heard.mix = this.context.createAnalyser();
			connect.call(heard.mix, to);
		}
		return connect.call(this, heard.mix, ...more);
	};
	heard.level = () => {
		const samples = new Float32Array(2048);
		heard.mix?.getFloatTimeDomainData(samples);
		return Math.hypot(...samples);
	};
	const curve = AudioParam.prototype.setValueCurveAtTime;
	AudioParam.prototype.setValueCurveAtTime = function (values, at, seconds) {
		heard.fades.push({ from: values[0], to: values.at(-1), steps: values.length - 1, seconds });
		return curve.call(this, values, at, seconds);
	};
	const channel = new BroadcastChannel("heard");
	const tell = ({ type, target }) => {
		const news = { type, source: target.currentSrc, at: target.currentTime, hidden: document.hidden };
		if (type !== "timeupdate") heard.log.push([type, news.source.slice(-24), news.at, news.hidden]);
		channel.postMessage(news);
	};
	const play = HTMLMediaElement.prototype.play;
	HTMLMediaElement.prototype.play = function () {
		if (!heard.elements.has(this)) {
			heard.elements.add(this);
			for (const type of ["playing", "pause", "waiting", "ended", "error", "timeupdate"]) this.addEventListener(type, tell);
		}
		return play.call(this);
	};`

// at is where the player's ring stands, in seconds; NaN without a ring.
const at = `(document.querySelector("input[aria-label=Position]")?.valueAsNumber ?? NaN)`

// position is where the ring stands now.
func (p *page) position() (seconds float64) {
	p.t.Helper()
	p.soon("read the position", func(ctx context.Context) (bool, error) {
		err := p.Script(ctx, &seconds, "return "+at)
		return err == nil, err
	})
	return seconds
}

// listen begins to listen in on the page that is open.
func (p *page) listen() {
	p.t.Helper()
	require.NoError(p.t, p.Script(p.t.Context(), new(any), listening))
}

// fades waits until the sound around the voice was faded so, in 20 steps.
func (p *page) fades(from, to string, seconds float64) {
	p.t.Helper()
	p.expect(fmt.Sprintf("a fade from %s to %s over %v s", from, to, seconds), fmt.Sprintf(
		`heard.fades.some((f) => f.from %s && f.to %s && f.steps === 20 && Math.abs(f.seconds - %v) < 0.01)`, from, to, seconds))
}

const title = "A quiet morning by the lake"

// A meditation is heard while it is narrated: the page goes behind another one, where the next passage follows by itself.
func TestAMeditationIsHeardWhileItIsNarratedAndGoesOnBehindAnotherPage(t *testing.T) {
	inEach(t, func(p *page) {
		m, err := product.NewMember(p.t.Context())
		require.NoError(p.t, err)
		p.signIn(m, "/")
		id := generate(p.t, m, harness.LongRequest(title))
		p.open("/bespoke-meditation-generator/" + id)
		p.see("heading", title)
		p.listen()
		p.press("button", "Play "+title)
		p.expect("it plays", at+" >= 1")
		p.fades("=== 0", "> 0.4", 1)
		p.expect("rain is heard", "heard.level() > 0.01")

		p.goesOnBehind()

		p.press("button", "Pause "+title)
		p.fades("> 0.4", "=== 0", 0.2)
		p.expect("silence", "heard.level() === 0")
		left := p.position()
		require.Greater(p.t, left, 1.0)
		require.NoError(p.t, p.Reload(p.t.Context()))
		p.expect("the place is kept", fmt.Sprintf("Math.abs(%s - %v) <= 2", at, left))
		p.press("button", "Play "+title)
		p.expect("it goes on from there", fmt.Sprintf("%s >= %v", at, left+1))
		require.NoError(p.t, m.Cancel(p.t.Context(), id))
	})
}

// goesOnBehind opens another tab before the page, and hears of the next passage there.
func (p *page) goesOnBehind() {
	p.t.Helper()
	ctx := p.t.Context()
	own, err := p.Tab(ctx)
	require.NoError(p.t, err)
	_, err = p.NewTab(ctx)
	require.NoError(p.t, err)
	p.open("/sitemap")
	require.NoError(p.t, p.Script(ctx, new(any), `window.news = []; new BroadcastChannel("heard").onmessage = ({ data }) => window.news.push(data)`))
	p.expect("the page behind is hidden and plays", `news.some((n) => n.hidden && n.type === "timeupdate")`)
	p.expect("the next passage plays there", `news.some((n) => n.hidden && n.type === "timeupdate" && n.source !== news[0].source && n.at > 0.5)`)
	require.NoError(p.t, p.CloseTab(ctx))
	require.NoError(p.t, p.Switch(ctx, own))
}

// A finished one: seeking by button, ring and keys, the mini player, and the end with its fade.
func TestAFinishedMeditationIsSoughtInAndHeardToItsEnd(t *testing.T) {
	m, err := product.NewMember(t.Context())
	require.NoError(t, err)
	id := generate(t, m, harness.SmallRequest(title))
	ended, err := m.AwaitEnd(t.Context(), id)
	require.NoError(t, err)
	require.Equal(t, webv1.Stage_STAGE_READY, ended.GetStage())
	inEach(t, func(p *page) {
		p.signIn(m, "/")
		p.open("/journey/" + id)
		p.see("heading", title)
		p.listen()
		p.press("button", "Play")
		p.expect("it plays", at+" >= 1")
		p.press("button", "Forward 15 seconds")
		p.expect("it plays on from there", at+" >= 17")
		p.drag(0.1, 0.25)
		sought := p.position()
		p.key("slider", "Position", webdriver.ArrowRight)
		p.expect("a key seeks", fmt.Sprintf("%s >= %v", at, sought+5))

		p.press("link", "Keep browsing; it carries on in the mini player")
		p.expect("it goes on in the mini player", `document.querySelector("section[aria-label='Now playing']") && [...heard.elements].some((e) => !e.paused && e.currentTime > 0)`)
		p.press("button", "Pause")
		p.open("/journey/" + id)
		p.expect("the place is kept", at+" > 10")
		p.listen()
		p.press("button", "Play")
		p.fades("=== 0", "> 0.4", 1)
		p.key("slider", "Position", webdriver.Home)
		p.expect("it plays from its beginning, and the rain is there", fmt.Sprintf("%s >= 2 && %s < 9", at, at))
		p.drag(0.8, 0.98)
		p.expect("it has ended", `document.body.innerText.includes("That’s the end. Take your time.")`)
		p.fades("> 0.4", "=== 0", 2)
		p.expect("silence", "heard.level() === 0")
	})
}

// drag takes the ring at one share of the whole and turns it to another.
func (p *page) drag(from, to float64) {
	p.t.Helper()
	var ring struct{ X, Y, Radius, End float64 }
	require.NoError(p.t, p.Script(p.t.Context(), &ring, `
		const slider = document.querySelector("input[aria-label=Position]");
		slider.scrollIntoView({ block: "center" });
		const box = slider.parentElement.getBoundingClientRect();
		return { X: box.left + box.width / 2, Y: box.top + box.height / 2, Radius: box.width / 2 * 0.95, End: Number(slider.max) };`))
	place := func(share float64) webdriver.Place {
		sin, cos := math.Sincos(2 * math.Pi * share)
		return webdriver.Place{X: ring.X + ring.Radius*sin, Y: ring.Y - ring.Radius*cos}
	}
	require.NoError(p.t, p.Drag(p.t.Context(), place(from), place(to)))
	p.expect(fmt.Sprintf("the ring was turned to %v of the whole", to), fmt.Sprintf("Math.abs(%s - %v) < 6", at, to*ring.End))
}

// generate asks for a meditation with rain around the voice.
func generate(t *testing.T, m *harness.Member, request *webv1.GenerateRequest) (id string) {
	t.Helper()
	request.Immersive, request.TrackId, request.IdempotencyKey = true, "rain", uuid.NewString()
	made, err := m.Generate(t.Context(), request)
	require.NoError(t, err)
	return made.GetId()
}
