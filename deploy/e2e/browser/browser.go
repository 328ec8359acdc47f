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

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
)

// Zone is where the people are: what they are shown goes by their clock and country.
const Zone = "Europe/London"

// Browser is one Chromium for all tests of a package.
type Browser struct{ ctx context.Context }

// Start runs Chromium without a window; CHROMIUM names another than Debian's.
func Start(ctx context.Context) (*Browser, context.CancelFunc, error) {
	ctx, stop := chromedp.NewExecAllocator(ctx, append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.Env("TZ="+Zone),
		chromedp.ExecPath(cmp.Or(os.Getenv("CHROMIUM"), "chromium")), chromedp.Headless,
		chromedp.NoSandbox, // tests run as root too; they show our own pages only
		chromedp.DisableGPU, chromedp.Flag("disable-quic", true), chromedp.Flag("disable-component-update", true),
		// Real browsers start no sound that nobody asked for; a block of popups is asked for where it is tested.
		chromedp.Flag("autoplay-policy", "user-gesture-required"), chromedp.Flag("mute-audio", true),
	)...)
	ctx, closeBrowser := chromedp.NewContext(ctx)
	quit := func() {
		closeBrowser()
		stop()
	}
	return &Browser{ctx}, quit, chromedp.Do(ctx) // the first call starts it
}

// Look is how a person's screen is set.
type Look struct {
	Width, Height int64
	// Theme is light or dark.
	Theme string
	// BlockPopups lets window.open give nothing, as a popup blocker does.
	BlockPopups bool
}

// Desk is an ordinary screen.
var Desk = Look{Width: 1440, Height: 900, Theme: "light"}

// Tab is one page in a person's browser.
type Tab struct {
	t    testing.TB
	ctx  context.Context //nolint:containedctx // chromedp keeps the tab in it
	base string

	mu       sync.Mutex
	faults   []string
	expected *regexp.Regexp // errors that are no faults; nil: each is
}

// patience bounds each step; a page on a busy machine is slow, not broken.
const patience = time.Minute

// Person opens a browser without cookies at the product's address.
func (b *Browser) Person(tb testing.TB, base string, look Look) *Tab {
	tb.Helper()
	ctx, cancel := chromedp.NewContext(b.ctx, chromedp.WithNewBrowserContext())
	tb.Cleanup(cancel)
	tab := &Tab{t: tb, ctx: ctx, base: base}
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
	other := &Tab{t: tab.t, ctx: ctx, base: tab.base}
	other.Resize(Desk)
	other.hear()
	return other
}

// Resize changes the screen.
func (tab *Tab) Resize(look Look) {
	tab.t.Helper()
	require.NoError(tab.t, chromedp.Do(tab.ctx, chromedp.EmulateViewport(look.Width, look.Height)))
	_, err := chromedp.Call(tab.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: look.Theme}},
	})
	require.NoError(tab.t, err)
}

// hear collects what goes wrong in the page; the test fails of it at its end.
func (tab *Tab) hear() {
	messages := chromedp.Console(tab.ctx)
	go func() {
		for m, err := range messages {
			if err != nil {
				return
			}
			if m.Type == chromedp.ConsoleError || m.Type == chromedp.ConsoleException {
				fault := m.Text + " " + m.URL
				tab.mu.Lock()
				if tab.expected == nil || !tab.expected.MatchString(fault) {
					tab.faults = append(tab.faults, fault)
				}
				tab.mu.Unlock()
			}
		}
	}()
	tab.t.Cleanup(func() {
		tab.mu.Lock()
		defer tab.mu.Unlock()
		require.Empty(tab.t, tab.faults, "errors in the console")
	})
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
