// Package webdriver drives browsers of any engine by the W3C's WebDriver protocol (https://www.w3.org/TR/webdriver2/): Chromium and WebKit by
// their drivers, Firefox by its own Marionette, which has the same commands over a bare connection and is what geckodriver translates to.
//
// It has what the tests of package engines need and no more; Chromium alone is driven by package browser.
package webdriver

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
)

// Session is one browser window with its tabs, of a person without cookies. It is for one caller at a time.
type Session struct {
	wire wire
	ends []func()
	// press presses keys of the browser's own; nil where its driver brings tabs to the front.
	press func(ctx context.Context, keys string) error
}

// wire sends commands to a browser.
type wire interface {
	// call gives the command's value.
	call(ctx context.Context, c command, params map[string]any) (json.RawMessage, error)
}

// command is one of the protocol's.
type command struct {
	// method and path below the session's, in which {id} stands for the parameter.
	method, path string
	// marionette is its name in Firefox.
	marionette string
}

var (
	newSession    = command{"POST", "", "NewSession"}
	deleteSession = command{"DELETE", "", "DeleteSession"}
	navigate      = command{"POST", "/url", "Navigate"}
	refresh       = command{"POST", "/refresh", "Refresh"}
	script        = command{"POST", "/execute/sync", "ExecuteScript"}
	elementClick  = command{"POST", "/element/{id}/click", "ElementClick"}
	elementClear  = command{"POST", "/element/{id}/clear", "ElementClear"}
	elementKeys   = command{"POST", "/element/{id}/value", "ElementSendKeys"}
	actions       = command{"POST", "/actions", "PerformActions"}
	newWindow     = command{"POST", "/window/new", "NewWindow"}
	windows       = command{"GET", "/window/handles", "GetWindowHandles"}
	window        = command{"GET", "/window", "GetWindowHandle"}
	switchWindow  = command{"POST", "/window", "SwitchToWindow"}
	closeWindow   = command{"DELETE", "/window", "CloseWindow"}
	resize        = command{"POST", "/window/rect", "SetWindowRect"}
	screenshot    = command{"GET", "/screenshot", "TakeScreenshot"}
)

// Error is the browser's refusal of a command.
type Error struct {
	// Code is one of the protocol's, such as "no such element".
	Code    string `json:"error"`
	Message string `json:"message"`
}

func (e *Error) Error() string { return e.Code + ": " + e.Message }

// Element is a handle of something in the page.
type Element string

// ElementKey marks an element among the values of scripts.
const ElementKey = "element-6066-11e4-a52e-4f735466cecf"

// Close ends the browser.
func (s *Session) Close() {
	for i := len(s.ends) - 1; i >= 0; i-- {
		s.ends[i]()
	}
	s.ends = nil
}

// Go opens an address.
func (s *Session) Go(ctx context.Context, address string) error {
	return s.do(ctx, navigate, map[string]any{"url": address})
}

// Reload loads the page again.
func (s *Session) Reload(ctx context.Context) error { return s.do(ctx, refresh, nil) }

// Script runs the body of a function in the page, and reads what it returns into value.
func (s *Session) Script(ctx context.Context, value any, body string, args ...any) error {
	if args == nil {
		args = []any{}
	}
	return s.read(ctx, script, map[string]any{"script": body, "args": args}, value)
}

// Find is the element that the body of a function returns; an empty one where it returns none.
func (s *Session) Find(ctx context.Context, body string, args ...any) (Element, error) {
	var found map[string]string
	err := s.Script(ctx, &found, body, args...)
	return Element(found[ElementKey]), err
}

// Click scrolls to an element and presses the middle of it with the pointer.
func (s *Session) Click(ctx context.Context, e Element) error {
	return s.do(ctx, elementClick, map[string]any{"id": string(e)})
}

// Clear empties a field.
func (s *Session) Clear(ctx context.Context, e Element) error {
	return s.do(ctx, elementClear, map[string]any{"id": string(e)})
}

// Type gives an element the keyboard's focus and types.
func (s *Session) Type(ctx context.Context, e Element, text string) error {
	return s.do(ctx, elementKeys, map[string]any{"id": string(e), "text": text})
}

// Press presses and releases a key, where the keyboard's focus is: a letter, or one of those below.
func (s *Session) Press(ctx context.Context, key string) error {
	return s.act(ctx, map[string]any{"type": "key", "id": "keyboard", "actions": []map[string]any{
		{"type": "keyDown", "value": key}, {"type": "keyUp", "value": key},
	}})
}

// Drag presses the pointer at a place of the window, in CSS pixels, and releases it at another.
func (s *Session) Drag(ctx context.Context, from, to Place) error {
	return s.act(ctx, map[string]any{"type": "pointer", "id": "mouse", "parameters": map[string]any{"pointerType": "mouse"}, "actions": []map[string]any{
		{"type": "pointerMove", "x": int(from.X), "y": int(from.Y)},
		{"type": "pointerDown", "button": 0},
		{"type": "pointerMove", "x": int(to.X), "y": int(to.Y)},
		{"type": "pointerUp", "button": 0},
	}})
}

// Place of a window, in CSS pixels from its top left.
type Place struct{ X, Y float64 }

func (s *Session) act(ctx context.Context, source map[string]any) error {
	return s.do(ctx, actions, map[string]any{"actions": []any{source}})
}

// Keys without a letter.
const (
	Home       = "\ue011"
	ArrowRight = "\ue014"
)

// NewTab opens a tab in front, which hides that of the session, and goes to it.
func (s *Session) NewTab(ctx context.Context) (handle string, err error) {
	var opened struct {
		Handle string `json:"handle"`
	}
	if err := s.read(ctx, newWindow, map[string]any{"type": "tab"}, &opened); err != nil {
		return "", err
	}
	if s.press != nil {
		err = s.press(ctx, "ctrl+Next")
	}
	return opened.Handle, errors.Join(err, s.Switch(ctx, opened.Handle))
}

// Tabs are the handles of all tabs and windows.
func (s *Session) Tabs(ctx context.Context) (handles []string, err error) {
	err = s.read(ctx, windows, nil, &handles)
	return handles, err
}

// Tab is the handle of the session's tab.
func (s *Session) Tab(ctx context.Context) (handle string, err error) {
	err = s.read(ctx, window, nil, &handle)
	return handle, err
}

// Switch goes to a tab.
func (s *Session) Switch(ctx context.Context, handle string) error {
	return s.do(ctx, switchWindow, map[string]any{"handle": handle})
}

// CloseTab closes the session's tab; Switch must come next.
func (s *Session) CloseTab(ctx context.Context) error { return s.do(ctx, closeWindow, nil) }

// Picture is what the tab shows, as a PNG in base64.
func (s *Session) Picture(ctx context.Context) (png []byte, err error) {
	err = s.read(ctx, screenshot, nil, &png)
	return png, err
}

func (s *Session) do(ctx context.Context, c command, params map[string]any) error {
	_, err := s.wire.call(ctx, c, params)
	return err
}

func (s *Session) read(ctx context.Context, c command, params map[string]any, value any) error {
	answer, err := s.wire.call(ctx, c, params)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(answer, value); err != nil {
		return fmt.Errorf("%s %s: %w", c.method, c.path, err)
	}
	return nil
}

// passing are the codes of refusals that another page, or the same one a moment later, would not give.
var passing = []string{
	"stale element reference", "no such element", "no such window", "element not interactable", "element click intercepted",
	"invalid element state",
}

// Passing says whether a refusal may be another by and by.
func Passing(err error) bool {
	var refused *Error
	return errors.As(err, &refused) && slices.Contains(passing, refused.Code)
}
