package browser

import (
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// stalls is a script that keeps the page from answering for a second, once, at an event.
const stalls = `<script>
	const stall = (event) => addEventListener(event, () => { const until = Date.now() + 1000; while (Date.now() < until); }, { once: true, capture: true });
</script>`

func TestAPressWhoseAnswerIsLostIsMadeOnce(t *testing.T) {
	base := site(t, map[string]string{"/": stalls + `<button onclick="this.after(' Pressed.')">Press</button><script>stall("pointerdown")</script>`}, nil)
	tab := chromium.Person(t, base, Desk)
	tab.Go("/")
	tab.limits.answer = 300 * time.Millisecond
	tab.Click("button", "Press")
	tab.Text("Pressed.")
	require.Equal(t, "Press Pressed.", tab.Read(`document.body.innerText.trim()`))
}

func TestATextWhoseAnswerIsLostStandsInTheFieldOnce(t *testing.T) {
	base := site(t, map[string]string{"/": stalls + `<label>Name <input value="before"></label><script>stall("input")</script>`}, nil)
	tab := chromium.Person(t, base, Desk)
	tab.Go("/")
	tab.limits.answer = 300 * time.Millisecond
	tab.Fill("Name", "Amara")
	require.Equal(t, "Amara", tab.Read(`document.querySelector("input").value`))
	tab.Fill("Name", "")
	require.Empty(t, tab.Read(`document.querySelector("input").value`))
}

func TestANoticeOfAMomentIsRememberedOverANavigation(t *testing.T) {
	base := site(t, map[string]string{
		"/": `<section aria-label="Notifications" aria-live="polite"></section><button onclick="
			const notice = document.createElement('div');
			notice.innerHTML = '<span>Half-way tote added to basket!</span><button>Dismiss</button>';
			document.querySelector('section').append(notice);
			requestAnimationFrame(() => { notice.remove(); location.href = '/basket'; });">Add</button>`,
		"/basket": "<h1>Basket</h1>",
	}, nil)
	words, _ := fault(t, func(tb testing.TB) {
		tb.Helper()
		tab := chromium.Person(tb, base, Desk)
		tab.Go("/")
		tab.Click("button", "Add")
		tab.See("heading", "Basket")
		tab.Said("tote added to basket!")
		require.Equal(tb, "undefined", tab.Read(`typeof `+noticed), "the page finds nothing of ours")
		tab.limits.patience = time.Second
		tab.Said("tote added to basket!")
	})
	require.Contains(t, words, "it has said []")
}

func TestAnAnswerThatIsHeldBackShowsABusyPage(t *testing.T) {
	var asked atomic.Int64
	base := site(t, map[string]string{
		"/": `<p>Idle</p><button onclick="
		const say = (text) => { document.querySelector('p').textContent = text };
		say('Busy');
		fetch('/data?of=mine').then((answer) => answer.text()).then(say);">Load</button>`,
	}, map[string]http.HandlerFunc{"GET /data": counted(&asked, 0, "Ready")})
	tab := chromium.Person(t, base, Desk)
	tab.Go("/")
	release := tab.HoldBack("*/data*")
	for range 2 {
		tab.Click("button", "Load")
	}
	tab.Held("*/data*")
	tab.Text("Busy")
	release()
	tab.Text("Ready")
	tab.HoldBack("*/data*") // is let go at the end
	tab.Click("button", "Load")
	tab.Held("*/data*")
	tab.Text("Busy")
	require.EqualValues(t, 3, asked.Load())
}

// fades begins a fade, an animation and one without end when it is asked to look, as axe-core may meet them, and measures how far they are.
const fades = `<style>
	p { opacity: 1; transition: opacity 20s }
	p.away { opacity: 0 }
	h1.come { animation: come 20s both }
	h2 { animation: come 1s infinite }
	@keyframes come { from { opacity: 0.2 } to { opacity: 1 } }
</style><p>One</p><h1>Two</h1><h2>Three</h2><script>
	window.axe = { async run() {
		const read = (selector) => selector + getComputedStyle(document.querySelector(selector)).opacity;
		const before = read("p");
		document.querySelector("p").className = "away";
		document.querySelector("h1").className = "come";
		const now = [before, read("p"), read("h1"), read("h2")].join(" ");
		return { violations: now === "p1 p0 h11 h21" ? [] : [{ id: now, nodes: [] }] };
	} };
</script>`

func TestAxeMeasuresTheEndOfAFade(t *testing.T) {
	tab := chromium.Person(t, site(t, map[string]string{"/": fades}, nil), MovingDesk)
	tab.Go("/")
	tab.Accessible()
	tab.Expect("nothing of ours stays", `document.adoptedStyleSheets.length === 0`)
}

func TestAxeThatFindsAFaultFails(t *testing.T) {
	base := site(t, map[string]string{"/": `<script>window.axe = { run: async () => ({ violations: [{ id: "colour", nodes: [] }] }) }</script>`}, nil)
	words, _ := fault(t, func(tb testing.TB) {
		tb.Helper()
		tab := chromium.Person(tb, base, Desk)
		tab.Go("/")
		tab.Legible()
	})
	require.Contains(t, words, "colour")
}
