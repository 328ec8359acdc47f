package oidcop

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"time"
)

// The provider's cookies. __Host-: Secure, for this host alone, not for its neighbours.
const (
	// cookieSession is the provider's own session.
	cookieSession = "__Host-serein-id"
	// cookieBrowser binds authorization requests to the browser that began them, and forms to it.
	cookieBrowser = "__Host-serein-flow"
)

func setCookie(w http.ResponseWriter, name, value string, life time.Duration) {
	c := &http.Cookie{
		Name: name, Value: value, Path: "/", Secure: true, HttpOnly: true, SameSite: http.SameSiteLaxMode,
	}
	if value == "" {
		c.MaxAge = -1
	} else if life > 0 {
		c.MaxAge = int(life.Seconds())
	}
	http.SetCookie(w, c)
}

// browser returns the browser's secret; a browser without one gets one.
func browser(w http.ResponseWriter, r *http.Request) string {
	if c, err := r.Cookie(cookieBrowser); err == nil && len(c.Value) >= 26 && len(c.Value) <= 64 {
		return c.Value
	}
	fresh := rand.Text()
	setCookie(w, cookieBrowser, fresh, 0)
	return fresh
}

// began says whether this browser began the request.
func began(r *http.Request, request *Request) (secret string, ok bool) {
	c, err := r.Cookie(cookieBrowser)
	if err != nil {
		return "", false
	}
	return c.Value, hmac.Equal(hash(c.Value), request.Browser)
}

// formToken proves that a form was shown to this browser for this purpose.
func formToken(secret, purpose string) string {
	m := hmac.New(sha256.New, []byte(secret))
	m.Write([]byte("form\x00" + purpose))
	return base64.RawURLEncoding.EncodeToString(m.Sum(nil))
}

func formTokenMatches(r *http.Request, secret, purpose string) bool {
	return hmac.Equal([]byte(r.PostForm.Get("token")), []byte(formToken(secret, purpose)))
}

// session finds the browser's session at the provider.
func (p *Provider) session(r *http.Request) (Session, bool) {
	c, err := r.Cookie(cookieSession)
	if err != nil || c.Value == "" {
		return Session{}, false
	}
	s, err := p.cfg.Store.Session(r.Context(), hash(c.Value), p.storage.at())
	return s, err == nil
}
