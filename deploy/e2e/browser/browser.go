// Package browser drives a real Chromium as a person would: it finds things by what a screen
// reader calls them, presses keys and the pointer, and hears every error in the console.
package browser

import (
	"cmp"
	"context"
	"os"
	"regexp"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/accessibility"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/inspector"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
)

// Zone is where the people are: what they are shown goes by their clock and country.
const Zone = "Europe/London"

// Browser is one Chromium for all tests of a package.
type Browser struct {
	ctx     context.Context //nolint:containedctx // chromedp keeps the browser in it
	witness Witness
}

// Start runs Chromium without a window, before a witness; CHROMIUM names another than Debian's.
func Start(ctx context.Context, witness Witness) (*Browser, context.CancelFunc, error) {
	ctx, stop := chromedp.NewExecAllocator(ctx, append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.Env("TZ="+Zone),
		chromedp.ExecPath(cmp.Or(os.Getenv("CHROMIUM"), "chromium")), chromedp.Headless,
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
	return &Browser{ctx, witness}, quit, chromedp.Do(ctx) // the first call starts it
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

// Tab is one page in a person's browser.
type Tab struct {
	t    testing.TB
	ctx  context.Context //nolint:containedctx // chromedp keeps the tab in it
	base string
	// witness of what the tab is shown.
	witness Witness

	mu       sync.Mutex
	faults   []string
	expected *regexp.Regexp // errors that are no faults; nil: each is
}

// patience bounds each step; a page on a busy machine is slow, not broken.
const patience = time.Minute

// Person opens a browser without cookies at the product's address.
func (b *Browser) Person(tb testing.TB, base string, look Look) *Tab {
	tb.Helper()
	return b.person(tb, base, look, b.witness)
}

// Elsewhere opens a browser without cookies at a site of somebody else's, whose pages may hold what ours may not: an app's own tokens, an
// attacker's password. The witness is told of nothing there.
func (b *Browser) Elsewhere(tb testing.TB, base string, look Look) *Tab {
	tb.Helper()
	return b.person(tb, base, look, unheard{})
}

func (b *Browser) person(tb testing.TB, base string, look Look, witness Witness) *Tab {
	tb.Helper()
	ctx, cancel := chromedp.NewContext(b.ctx, chromedp.WithNewBrowserContext())
	tb.Cleanup(cancel)
	tab := &Tab{t: tb, ctx: ctx, base: base, witness: witness}
	tab.Resize(look)
	if look.BlockPopups {
		tab.before(`window.open = () => null`)
	}
	tab.hear()
	return tab
}

// Sibling is another tab of the same person.
func (tab *Tab) Sibling() *Tab {
	tab.t.Helper()
	ctx, cancel := chromedp.NewContext(tab.ctx)
	tab.t.Cleanup(cancel)
	other := &Tab{t: tab.t, ctx: ctx, base: tab.base, witness: tab.witness}
	other.Resize(Desk)
	other.hear()
	return other
}

// Resize changes the screen.
func (tab *Tab) Resize(look Look) {
	tab.t.Helper()
	require.NoError(tab.t, chromedp.Do(tab.ctx, chromedp.EmulateViewport(look.Width, look.Height)))
	motion := "reduce"
	if look.Moving {
		motion = "no-preference"
	}
	_, err := chromedp.Call(tab.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{
		{Name: "prefers-color-scheme", Value: look.Theme}, {Name: "prefers-reduced-motion", Value: motion},
	}})
	require.NoError(tab.t, err)
}

// hear collects what goes wrong in the page; the test fails of it at its end.
func (tab *Tab) hear() {
	require.NoError(tab.t, chromedp.Do(tab.ctx)) // attaches to a window that another has opened
	// Several people are at their screens at once: each tab has the focus of its own.
	_, err := chromedp.Call(tab.ctx, emulation.SetFocusEmulationEnabled, emulation.SetFocusEmulationEnabledParams{Enabled: true})
	require.NoError(tab.t, err)
	// Keeps what assistive technology is told at hand, instead of reckoning it for every question of the finder (a second a page).
	_, err = chromedp.Call(tab.ctx, accessibility.Enable, cdp.Empty{})
	require.NoError(tab.t, err)
	require.NoError(tab.t, chromedp.Listen(tab.ctx, func(event any) {
		if _, crashed := event.(*inspector.EventTargetCrashed); crashed {
			tab.fault("the page has crashed: it answers nothing from here on")
		}
	}))
	require.NoError(tab.t, tab.testify())
	messages := chromedp.Console(tab.ctx)
	go func() {
		for m, err := range messages {
			if err != nil {
				return
			}
			if m.Type == chromedp.ConsoleError || m.Type == chromedp.ConsoleException {
				tab.fault(m.Text + " " + m.URL)
			}
		}
	}()
	tab.t.Cleanup(func() {
		tab.kept()
		tab.mu.Lock()
		defer tab.mu.Unlock()
		require.Empty(tab.t, tab.faults, "errors in the console")
	})
}

func (tab *Tab) fault(words string) {
	tab.mu.Lock()
	defer tab.mu.Unlock()
	if tab.expected == nil || !tab.expected.MatchString(words) {
		tab.faults = append(tab.faults, words)
	}
}

// IgnoreErrors forgets the errors heard so far, where a test has caused them on purpose.
func (tab *Tab) IgnoreErrors() {
	tab.mu.Lock()
	defer tab.mu.Unlock()
	tab.faults = nil
}

// ExpectErrors lets errors like these pass from now on, where what a test does may cause them at any moment.
func (tab *Tab) ExpectErrors(like string) {
	tab.mu.Lock()
	defer tab.mu.Unlock()
	tab.expected = regexp.MustCompile(like)
}

// WithoutScripts lets no page run a script from now on.
func (tab *Tab) WithoutScripts() {
	tab.t.Helper()
	_, err := chromedp.Call(tab.ctx, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true})
	require.NoError(tab.t, err)
}
