// Package guest recognises a visitor's browser by its basket cookie. It owns the cookie's name, form and lifetime; the basket service
// owns what the basket holds.
//
// Knowing an id is enough to read and change that basket, and nothing else, so an id is as hard to guess as a session's.
package guest

import (
	"crypto/rand"
	"net/http"
	"time"

	"github.com/google/uuid"

	"serein.app/gateway/internal/hostcookie"
	"serein.app/gateway/internal/uid"
)

const (
	// CookieName is the cookie of a guest's basket.
	CookieName = "__Host-basket"
	// life is counted from the last change, as the basket service counts it.
	life = 30 * 24 * time.Hour
)

// NewID is the id of a basket that nobody has yet: 128 random bits, written as a UUID is. A UUID of version 4 has 122.
func NewID() string {
	var id uuid.UUID
	_, _ = rand.Read(id[:]) // it never fails
	return id.String()
}

// IDFrom finds the id in a request's headers; empty without a valid one.
func IDFrom(h http.Header) string {
	if id := hostcookie.Value(h, CookieName); uid.IsCanonical(id) {
		return id
	}
	return ""
}

// SetCookie sets the basket's cookie, and so restarts its lifetime.
func SetCookie(h http.Header, id string) { hostcookie.Set(h, CookieName, id, life) }

// ClearCookie takes the basket from the browser, once a member has it.
func ClearCookie(h http.Header) { hostcookie.Clear(h, CookieName) }
