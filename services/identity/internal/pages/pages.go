// Package pages renders the hosted pages: plain HTML that needs no script, with a content
// security policy that allows none, but for the sign-in page: one of ours asks the browser for a passkey there, and the page
// works without it. It decides nothing; the provider hands it what to show.
package pages

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"html/template"
	"net/http"
	"net/url"
	"path"
	"strings"
	"time"

	"serein.app/services/platform/guard"
)

//go:embed *.html
var templates embed.FS

//go:embed assets
var assets embed.FS

// Pages is ready for concurrent use.
type Pages struct {
	signIn, confirm, consent, signOut, message *template.Template
	forgot, reset, stop, keep, code            *template.Template
	files                                      map[string]file
	css, art, icon, script                     string
	// site is the product's own address, without a slash at its end; empty: no link leads there.
	site string
}

type file struct {
	body        []byte
	contentType string
}

// SignIn is what the sign-in page shows.
type SignIn struct {
	// Request is the authorization request that waits, Token the form's proof of origin.
	Request, Token string
	// Login is what stands in the first field.
	Login string
	// Confirmed: the account's code was given in another browser, and this one only waited.
	Confirmed bool
	// Error is a fault of the fields; Notice is anything else that keeps the person out.
	Error, Notice string
	// PasskeyToken is the proof of origin of the passkey's form; empty: there is none. PasskeyError is a fault of a passkey.
	PasskeyToken, PasskeyError string
	// RedirectURI is where the browser goes after success; the policy must allow the form to.
	RedirectURI string
}

// Confirm is what the confirm step shows.
type Confirm struct {
	// Request is the authorization request that waits, Token the form's proof of origin.
	Request, Token string
	// Username is the account's, so that nobody confirms somebody else's.
	Username string
	// Email is where the code went.
	Email string
	// Code is what stands in the field.
	Code string
	// Sent: another code has just gone out.
	Sent bool
	// Error is a fault of the code; Notice is anything else that keeps the person out.
	Error, Notice string
	// RedirectURI is where the browser goes after success; the policy must allow the form to.
	RedirectURI string
}

// Consent is what the page shows that asks whether an app may act for the member.
type Consent struct {
	// Request is the authorization request that waits, Token the form's proof of origin.
	Request, Token string
	// App is what the app is called, Username who is asked.
	App, Username string
	// Asks are what it would do, in words.
	Asks []string
	// Notice is what keeps the answer out.
	Notice string
	// RedirectURI is where the browser goes afterwards; the policy must allow the form to.
	RedirectURI string
}

// Host is where the browser goes afterwards, for people.
func (c Consent) Host() string {
	u, err := url.Parse(c.RedirectURI)
	if err != nil {
		return ""
	}
	return u.Host
}

// Keep is what the page shows on which a deletion can be undone.
type Keep struct {
	// Request is the authorization request that waits, Token the form's proof of origin.
	Request, Token string
	Username       string
	// At is when the account is deleted.
	At time.Time
	// Notice is what keeps the answer out.
	Notice string
	// RedirectURI is where the browser goes afterwards; the policy must allow the form to.
	RedirectURI string
}

// Day is when the account is deleted, in words; the zone is said, since nobody knows the reader's.
func (k Keep) Day() string { return k.At.UTC().Format("Monday 2 January 2006, 15:04 UTC") }

// Code is what the page shows that asks for a code beside the password.
type Code struct {
	// Request is the authorization request that waits, Token the form's proof of origin.
	Request, Token string
	Username       string
	// Recovery: a recovery code is asked for, and not one of the app. Either is taken.
	Recovery bool
	// Error is a fault of the code; Notice is anything else that keeps the person out.
	Error, Notice string
	// RedirectURI is where the browser goes after success; the policy must allow the form to.
	RedirectURI string
}

// SignOut asks whether to sign out.
type SignOut struct {
	Action string
	Fields []Field
	// RedirectURI is where the browser goes afterwards.
	RedirectURI string
}

// Field is one hidden field.
type Field struct{ Name, Value string }

// Message is a page of one heading and one sentence.
type Message struct{ Title, Text string }

// AssetPath is where assets are served.
const AssetPath = "/assets/"

// New parses the templates. site is the product's own address, where links lead back to; empty: none do.
func New(site string) (*Pages, error) {
	p := &Pages{files: map[string]file{}, site: strings.TrimSuffix(site, "/")}
	for name, target := range map[string]**template.Template{
		"signin.html": &p.signIn, "confirm.html": &p.confirm, "consent.html": &p.consent, "signout.html": &p.signOut, "message.html": &p.message,
		"forgot.html": &p.forgot, "reset.html": &p.reset, "stop.html": &p.stop, "keep.html": &p.keep, "code.html": &p.code,
	} {
		t, err := template.ParseFS(templates, "layout.html", name)
		if err != nil {
			return nil, err
		}
		*target = t
	}
	var addresses []string // what the stylesheet names, and where it is: in pairs
	for _, name := range []string{"fraunces.woff2", "instrument-sans.woff2", "dusk.svg", "mark.svg", "passkey.js", "pages.css"} {
		body, err := assets.ReadFile("assets/" + name)
		if err != nil {
			return nil, err
		}
		if path.Ext(name) == ".css" {
			body = []byte(strings.NewReplacer(addresses...).Replace(string(body)))
		}
		addresses = append(addresses, "'"+name+"'", "'"+p.add(name, body)+"'")
	}
	return p, nil
}

// contentTypes of the assets.
var contentTypes = map[string]string{".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".svg": "image/svg+xml", ".woff2": "font/woff2"}

// add serves an asset under a name that changes with its content, so it can be kept for ever.
func (p *Pages) add(name string, body []byte) string {
	sum := sha256.Sum256(body)
	address := AssetPath + strings.TrimSuffix(name, path.Ext(name)) + "-" + hex.EncodeToString(sum[:6]) + path.Ext(name)
	p.files[address] = file{body: body, contentType: contentTypes[path.Ext(name)]}
	if target, ok := map[string]*string{"pages.css": &p.css, "dusk.svg": &p.art, "mark.svg": &p.icon, "passkey.js": &p.script}[name]; ok {
		*target = address
	}
	return address
}

// ServeAsset answers a path under AssetPath.
func (p *Pages) ServeAsset(w http.ResponseWriter, r *http.Request) {
	f, ok := p.files[r.URL.Path]
	if !ok {
		p.Message(w, http.StatusNotFound, Message{Title: "Page not found", Text: "It doesn’t exist, or it has been moved."})
		return
	}
	Secure(w.Header(), "")
	w.Header().Set("Content-Type", f.contentType)
	w.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
	_, _ = w.Write(f.body)
}

// SignIn shows the sign-in page.
func (p *Pages) SignIn(w http.ResponseWriter, status int, data SignIn) {
	p.render(w, status, p.signIn, data, data.RedirectURI)
}

// Confirm shows the confirm step.
func (p *Pages) Confirm(w http.ResponseWriter, status int, data Confirm) {
	p.render(w, status, p.confirm, data, data.RedirectURI)
}

// Consent asks whether an app may act for the member.
func (p *Pages) Consent(w http.ResponseWriter, status int, data Consent) {
	p.render(w, status, p.consent, data, data.RedirectURI)
}

// Keep asks whether a deletion is undone.
func (p *Pages) Keep(w http.ResponseWriter, status int, data Keep) {
	p.render(w, status, p.keep, data, data.RedirectURI)
}

// Code asks for a code beside the password.
func (p *Pages) Code(w http.ResponseWriter, status int, data Code) {
	p.render(w, status, p.code, data, data.RedirectURI)
}

// SignOut asks before signing out.
func (p *Pages) SignOut(w http.ResponseWriter, data SignOut) {
	p.render(w, http.StatusOK, p.signOut, data, data.RedirectURI)
}

// Message shows one sentence.
func (p *Pages) Message(w http.ResponseWriter, status int, data Message) {
	p.render(w, status, p.message, data, "")
}

func (p *Pages) render(w http.ResponseWriter, status int, t *template.Template, data any, formTarget string) {
	var page bytes.Buffer
	err := t.ExecuteTemplate(&page, "layout", struct {
		CSS, Art, Icon, Site, Script string
		Data                         any
	}{p.css, p.art, p.icon, p.site, p.script, data})
	if err != nil {
		http.Error(w, "We couldn’t show this page.", http.StatusInternalServerError)
		return
	}
	Secure(w.Header(), formTarget)
	if asks, is := data.(SignIn); is && asks.PasskeyToken != "" {
		w.Header().Set("Content-Security-Policy", w.Header().Get("Content-Security-Policy")+"; script-src 'self'; connect-src 'self'")
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = page.WriteTo(w)
}

// Secure sets the security headers of every answer a browser may show. formTarget is where a
// form's answer may redirect to: browsers hold redirects to form-action too.
//
// There is no Cross-Origin-Opener-Policy on purpose: it would cut the popup from the window
// that opened it, and the popup could not close itself afterwards.
func Secure(h http.Header, formTarget string) {
	action := "'self'"
	if u, err := url.Parse(formTarget); err == nil && u.Host != "" {
		action += " " + u.Scheme + "://" + u.Host
	}
	h.Set("Content-Security-Policy", "default-src 'none'; style-src 'self'; img-src 'self'; font-src 'self'; "+
		"form-action "+action+"; base-uri 'none'; frame-ancestors 'none'")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("X-Frame-Options", "DENY")
	// same-origin, not no-referrer: with the latter browsers send "Origin: null" with the form.
	h.Set("Referrer-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Permissions-Policy", "camera=(), microphone=(), geolocation=(), payment=()")
	h.Set("Strict-Transport-Security", guard.Transport)
}
