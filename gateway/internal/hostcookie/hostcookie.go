// Package hostcookie is how the gateway's lasting cookies are set and read. It owns their attributes and the rule that a name
// given twice counts for nothing; what a value means is its users' business.
//
// Names begin with __Host-, which makes browsers refuse a cookie that a subdomain, another path or an unencrypted page tries
// to set.
package hostcookie

import (
	"net/http"
	"net/textproto"
	"strings"
	"time"
)

// Set gives the browser a cookie for that time.
//
// SameSite is Lax and not Strict: the HTML depends on the cookie, so the first cross-site navigation, a link in a mail for example, must
// carry it. This is safe: no GET changes state, and every call must carry a header that no other site can send.
func Set(h http.Header, name, value string, life time.Duration) {
	add(h, name, value, int(life.Seconds()))
}

// SetOneOf gives the browser one of several cookies whose names begin alike, for what a browser has several of: tabs, forms. The browser
// keeps as many as most; those that it has had for longest are taken, which it sends first (RFC 6265, 5.4). asked are the request's headers.
func SetOneOf(h, asked http.Header, prefix, name, value string, life time.Duration, most int) {
	var carried []string
	for _, c := range (&http.Request{Header: asked}).Cookies() {
		if strings.HasPrefix(c.Name, prefix) && c.Name != prefix+name {
			carried = append(carried, c.Name)
		}
	}
	for _, old := range carried[:max(0, len(carried)-most+1)] {
		Clear(h, old)
	}
	Set(h, prefix+name, value, life)
}

// Clear takes a cookie from the browser.
func Clear(h http.Header, name string) { add(h, name, "", -1) }

func add(h http.Header, name, value string, maxAge int) {
	cookie := http.Cookie{
		Name: name, Value: value, Path: "/", MaxAge: maxAge,
		Secure: true, HttpOnly: true, SameSite: http.SameSiteLaxMode,
	}
	h.Add("Set-Cookie", cookie.String())
}

// Value finds a cookie in a request's headers; empty without one. A browser sends one __Host- cookie of a name; two mean that somebody
// tampered with the request, and Value ignores both.
func Value(h http.Header, name string) string {
	found, times := "", 0
	for _, line := range h["Cookie"] {
		for part := range strings.SplitSeq(line, ";") {
			if key, value, _ := strings.Cut(textproto.TrimString(part), "="); key == name {
				found, times = value, times+1
			}
		}
	}
	if times != 1 {
		return ""
	}
	return found
}
