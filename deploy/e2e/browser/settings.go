package browser

import (
	"context"
	"fmt"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/webauthn"
	"github.com/chromedp/chromedp"
)

// set sends a command that says how things are from now on: sent twice, it says the same.
func set[P, R any](tab *Tab, what string, command cdp.Command[P, R], params P) {
	tab.t.Helper()
	tab.soon(what, func(ctx context.Context) error {
		_, err := call(ctx, tab, command, params)
		return err
	})
}

// add sends a command that makes something, and is sent once.
func add[P, R any](tab *Tab, what string, command cdp.Command[P, R], params P) {
	tab.t.Helper()
	tab.step(what, func(ctx context.Context) error {
		_, err := callFor(ctx, tab, tab.limits.patience, command, params)
		return err
	})
}

// Resize changes the screen.
func (tab *Tab) Resize(look Look) {
	tab.t.Helper()
	motion := "reduce"
	if look.Moving {
		motion = "no-preference"
	}
	tab.soon(fmt.Sprintf("set the screen to %d by %d, %s", look.Width, look.Height, look.Theme), func(ctx context.Context) error {
		_, err := within(ctx, tab, tab.limits.answer, func(ctx context.Context) (chromedp.Void, error) {
			return chromedp.Run(ctx, chromedp.EmulateViewport(look.Width, look.Height))
		})
		return err
	})
	set(tab, "set the theme", emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{
		{Name: "prefers-color-scheme", Value: look.Theme}, {Name: "prefers-reduced-motion", Value: motion},
	}})
}

// WithoutScripts lets no page run a script from now on.
func (tab *Tab) WithoutScripts() {
	tab.t.Helper()
	set(tab, "switch scripts off", emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true})
}

// Slow makes the page's processor that many times slower.
func (tab *Tab) Slow(times float64) {
	tab.t.Helper()
	set(tab, fmt.Sprintf("slow the page down %g times", times), emulation.SetCPUThrottlingRate, emulation.SetCPUThrottlingRateParams{Rate: times})
}

// inPieces is how many bytes of a document arrive in a second: none has more than 8,000 (packed), so that it takes half a second.
const inPieces = 12_000

// InPieces has the document at that path arrive slowly from now on, and no other's nor what it loads: the browser draws the markup
// that it has, as it does where a machine or a network is slow.
func (tab *Tab) InPieces(path string) {
	tab.t.Helper()
	set(tab, "slow the network down for "+path, network.EmulateNetworkConditionsByRule, network.EmulateNetworkConditionsByRuleParams{
		MatchedNetworkConditions: []*network.Conditions{{URLPattern: "*://*:*" + path, DownloadThroughput: inPieces, UploadThroughput: -1}},
	})
}

// Authenticator gives the tab's person a device that keeps passkeys, and says to each question that they were there and are the one.
func (tab *Tab) Authenticator() {
	tab.t.Helper()
	set(tab, "take passkeys", webauthn.Enable, webauthn.EnableParams{})
	add(tab, "add an authenticator", webauthn.AddVirtualAuthenticator, webauthn.AddVirtualAuthenticatorParams{Options: &webauthn.VirtualAuthenticatorOptions{
		Protocol: webauthn.AuthenticatorProtocolCtap2, Transport: webauthn.AuthenticatorTransportInternal, HasResidentKey: true, HasUserVerification: true,
		IsUserVerified: true, AutomaticPresenceSimulation: true,
	}})
}

// Early runs an expression in every page as soon as its markup is there, when its app has not begun.
func (tab *Tab) Early(expression string) {
	tab.t.Helper()
	tab.before(`addEventListener("DOMContentLoaded", () => {` + expression + `})`)
}

// before runs a script in every page before its own.
func (tab *Tab) before(script string) {
	tab.t.Helper()
	add(tab, "add a script to every page", page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: script})
}
