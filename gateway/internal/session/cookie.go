package session

import (
	"net/http"
	"net/textproto"
	"strings"
	"time"
)

// CookieName is the session cookie. The __Host- prefix makes browsers refuse one that a
// subdomain, another path or an unencrypted page tries to set.
const CookieName = "__Host-serein"

// SetCookie gives the browser its session.
//
// SameSite is Lax and not Strict: the HTML carries the signed-in state, so a member who follows
// a link from a mail must be recognised on that first cross-site navigation, and so must the
// redirect that ends a same-tab sign-in. Strict would show both as signed out. Nothing is lost:
// no GET changes state, and every call must carry a header that no other site can send.
func SetCookie(h http.Header, id string, life time.Duration) {
	addCookie(h, CookieName, id, int(life.Seconds()))
}

// ClearCookie takes the session from the browser.
func ClearCookie(h http.Header) { addCookie(h, CookieName, "", -1) }

func addCookie(h http.Header, name, value string, maxAge int) {
	cookie := http.Cookie{
		Name: name, Value: value, Path: "/", MaxAge: maxAge,
		Secure: true, HttpOnly: true, SameSite: http.SameSiteLaxMode,
	}
	h.Add("Set-Cookie", cookie.String())
}

// IDFrom finds the session id in a request's headers; empty where there is none. A browser
// sends one __Host- cookie of a name; two mean that somebody meddled, and neither counts.
func IDFrom(h http.Header) string {
	found := ""
	for _, line := range h["Cookie"] {
		for part := range strings.SplitSeq(line, ";") {
			name, value, _ := strings.Cut(textproto.TrimString(part), "=")
			if name != CookieName {
				continue
			}
			if found != "" || !WellFormed(value) {
				return ""
			}
			found = value
		}
	}
	return found
}
