//go:build full

package engines

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/deploy/e2e/harness"
	"serein.app/deploy/e2e/wait"
	"serein.app/deploy/e2e/webdriver"
)

// page is what a person does in a browser: each step is tried until it works.
type page struct {
	*webdriver.Session

	t *testing.T
}

// inEach runs a test in one engine after the other: a browser that plays sound in time wants a processor.
func inEach(t *testing.T, test func(*page)) {
	t.Helper()
	for _, engine := range webdriver.Engines {
		t.Run(engine.Name, func(t *testing.T) {
			session, err := engine.Start(t.Context(), t.TempDir())
			require.NoError(t, err)
			p := &page{session, t}
			t.Cleanup(func() {
				p.report()
				session.Close()
			})
			test(p)
		})
	}
}

// report says what a page showed that a test has failed on.
func (p *page) report() {
	if !p.t.Failed() {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), wait.Patience)
	defer cancel()
	var words string
	err := p.Script(ctx, &words, `return location.href + "\n" + document.visibilityState + "\n" + JSON.stringify(window.heard?.log ?? null) + "\n" + document.body.innerText.slice(0, 1500)`)
	p.t.Logf("the page: %s (%v)", words, err)
	if shot, err := p.Picture(ctx); err == nil {
		path := filepath.Join("out", p.t.Name()+".png")
		p.t.Log(errors.Join(os.MkdirAll(filepath.Dir(path), 0o750), os.WriteFile(path, shot, 0o600)))
	}
}

// soon tries until it works, and notes the step. A refusal that another moment would not change ends it.
func (p *page) soon(what string, try func(context.Context) (bool, error)) {
	p.t.Helper()
	p.t.Log(what)
	require.NoError(p.t, harness.Eventually(p.t.Context(), what, func(ctx context.Context) (bool, error) {
		done, err := try(ctx)
		if err != nil && !webdriver.Passing(err) {
			return false, wait.FinalError{Err: err}
		}
		return done, err
	}))
}

// open opens a path of the product.
func (p *page) open(path string) {
	p.t.Helper()
	require.NoError(p.t, p.Go(p.t.Context(), product.URL()+path))
}

// finder looks for what a person would call so among what can have the role; a dialog hides what lies below it.
const finder = `
	const [role, name] = arguments;
	const among = {
		button: "button, summary", link: "a[href]", heading: "h1, h2, h3", textbox: "input, textarea", slider: "input[type=range]",
		checkbox: "input[type=checkbox]", switch: "input[role=switch], button[role=switch]",
	}[role];
	const text = (e) => e?.textContent.replace(/\s+/g, " ").trim();
	const named = (e) =>
		e.getAttribute("aria-label") ||
		(e.getAttribute("aria-labelledby")?.split(" ") ?? []).map((id) => text(document.getElementById(id))).join(" ") ||
		[...(e.labels ?? [])].map(text).join(" ") || text(e);
	const reached = [...document.querySelectorAll("dialog:modal")].at(-1) ?? document;
	const found = [...reached.querySelectorAll(among)].find((e) => named(e) === name && e.checkVisibility() && !e.closest("[inert], [aria-hidden=true]")) ?? null;`

// seen gives what the finder finds.
const seen = finder + `
	return found;`

// see waits for what has the role and name.
func (p *page) see(role, name string) (found webdriver.Element) {
	p.t.Helper()
	p.soon(fmt.Sprintf("see the %s %q", role, name), func(ctx context.Context) (_ bool, err error) {
		found, err = p.Find(ctx, seen, role, name)
		return found != "", err
	})
	return found
}

// pressed is what the finder finds once the page is drawn, in the middle of what is shown. Nobody presses or types before, and WebKit then
// takes the keyboard away from another field: its first drawing gives it to the one that has autofocus. Its driver scrolls to nothing that
// a part of the page cuts off.
const pressed = finder + `
	if (!performance.getEntriesByName("first-contentful-paint").length) return null;
	found?.scrollIntoView({ block: "center" });
	return found;`

// press presses what has the role and name.
func (p *page) press(role, name string) {
	p.t.Helper()
	p.soon(fmt.Sprintf("press the %s %q", role, name), func(ctx context.Context) (bool, error) {
		found, err := p.Find(ctx, pressed, role, name)
		if err != nil || found == "" {
			return false, err
		}
		return true, p.Click(ctx, found)
	})
}

// fill writes into the empty field of that name.
func (p *page) fill(name, text string) {
	p.t.Helper()
	p.soon(fmt.Sprintf("write into %q", name), func(ctx context.Context) (bool, error) {
		found, err := p.Find(ctx, pressed, "textbox", name)
		if err != nil || found == "" {
			return false, err
		}
		return true, errors.Join(p.Clear(ctx, found), p.Type(ctx, found, text))
	})
}

// key presses a key at what has the role and name.
func (p *page) key(role, name, key string) {
	p.t.Helper()
	found := p.see(role, name)
	require.NoError(p.t, p.Script(p.t.Context(), new(any), `arguments[0].focus()`, map[string]string{webdriver.ElementKey: string(found)}))
	require.NoError(p.t, p.Press(p.t.Context(), key))
}

// expect waits until an expression in the page is true.
func (p *page) expect(what, expression string) {
	p.t.Helper()
	p.soon(what, func(ctx context.Context) (yes bool, err error) {
		err = p.Script(ctx, &yes, "return Boolean("+expression+")")
		return yes, err
	})
}

// signIn answers the hosted page in the same tab, and comes back to the path.
func (p *page) signIn(m *harness.Member, path string) {
	p.t.Helper()
	p.open("/auth/sign-in?return_to=" + path)
	p.answer(m)
	p.see("link", "Amara")
}

// answer fills in the hosted page.
func (p *page) answer(m *harness.Member) {
	p.t.Helper()
	p.fill("Username or email", m.Username)
	p.fill("Password", m.Password)
	p.press("button", "Sign in")
}
