package session

import (
	"net/http"
	"time"

	"serein.app/gateway/internal/hostcookie"
)

// CookieName is the session cookie.
const CookieName = "__Host-serein"

// SetCookie gives the browser its session.
func SetCookie(h http.Header, id string, life time.Duration) { hostcookie.Set(h, CookieName, id, life) }

// ClearCookie takes the session from the browser.
func ClearCookie(h http.Header) { hostcookie.Clear(h, CookieName) }

// IDFrom finds the session id in a request's headers; empty without one.
func IDFrom(h http.Header) string {
	if id := hostcookie.Value(h, CookieName); WellFormed(id) {
		return id
	}
	return ""
}
