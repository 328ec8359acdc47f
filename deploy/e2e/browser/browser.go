// Package browser drives a real Chromium as a person would: it finds things by what a screen
// reader calls them, presses keys and the pointer, and fails of every error in the console.
package browser

import (
	"cmp"
	"context"
	"os"
	"testing"

	"github.com/chromedp/chromedp"

	"serein.app/deploy/e2e/wait"
)

// Zone is where the people are: what they are shown goes by their clock and country.
const Zone = "Europe/London"

// Browser is one Chromium for all tests of a package.
type Browser struct {
	ctx     context.Context //nolint:containedctx // chromedp keeps the browser in it
	witness Witness
	limits  limits
}

// Start runs Chromium without a window, before a witness; CHROMIUM names another than Debian's.
func Start(ctx context.Context, witness Witness) (*Browser, context.CancelFunc, error) {
	ctx, stop := chromedp.NewExecAllocator(ctx, append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.Env("TZ="+Zone),
		chromedp.ExecPath(cmp.Or(os.Getenv("CHROMIUM"), "chromium")), chromedp.Headless, chromedp.WSURLReadTimeout(wait.Patience),
		chromedp.NoSandbox, // tests run as root too; they show our own pages only
		chromedp.Flag("enable-blink-features", "ComputedAccessibilityInfo"), // what a finder asks for
		chromedp.DisableGPU, chromedp.Flag("disable-software-rasterizer", true), // draws by processor as it is
		chromedp.Flag("disable-quic", true), chromedp.Flag("disable-component-update", true),
		// Real browsers start no sound that nobody asked for; a block of popups is asked for where it is tested.
		chromedp.Flag("autoplay-policy", "user-gesture-required"), chromedp.Flag("mute-audio", true),
	)...)
	ctx, closeBrowser := chromedp.NewContext(ctx)
	quit := func() {
		closeBrowser()
		stop()
	}
	return &Browser{ctx, witness, usual}, quit, attach(ctx, wait.Patience) // the first call starts it
}

// Look is how a person's screen is set.
type Look struct {
	Width, Height int64
	// Theme is light or dark.
	Theme string
	// Moving: nothing asked the screen to hold still. Most people here have asked: what moves without end, such as the halo on Home, is drawn
	// by a processor where there is no graphics card, and takes one whole.
	Moving bool
	// BlockPopups lets window.open give nothing, as a popup blocker does.
	BlockPopups bool
}

// Desk is an ordinary screen, and MovingDesk one where things move.
var (
	Desk       = Look{Width: 1440, Height: 900, Theme: "light"}
	MovingDesk = Look{Width: 1440, Height: 900, Theme: "light", Moving: true}
)

// Person opens a browser without cookies at the product's address.
func (b *Browser) Person(tb testing.TB, base string, look Look) *Tab {
	tb.Helper()
	return b.person(tb, base, look, b.witness)
}

// Elsewhere opens a browser without cookies at a site of somebody else's, whose pages may hold what ours may not: an app's own tokens, an
// attacker's password. The witness sees nothing of it.
func (b *Browser) Elsewhere(tb testing.TB, base string, look Look) *Tab {
	tb.Helper()
	return b.person(tb, base, look, blind{})
}

func (b *Browser) person(tb testing.TB, base string, look Look, witness Witness) *Tab {
	tb.Helper()
	tab := &Tab{t: tb, base: base, witness: witness, limits: b.limits}
	tab.open(chromedp.NewContext(b.ctx, chromedp.WithNewBrowserContext()))
	tab.Resize(look)
	if look.BlockPopups {
		tab.before(`window.open = () => null`)
	}
	return tab
}
