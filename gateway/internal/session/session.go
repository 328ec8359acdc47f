// Package session keeps who is signed in. The browser holds a random id in one cookie; what
// the id stands for (the member's claims, the refresh token) is sealed in Redis under a hash of
// the id, so that neither a log of Redis keys nor a copy of Redis opens a session.
//
// It owns: the cookie, the record and its limits, the one-second cache that makes a session
// check cheap, and renewal at the identity provider. It refuses to keep tokens it never uses:
// services are called with the gateway's own signed tokens, so the access token is dropped and
// only its end is remembered.
package session

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"time"

	errorsv1 "serein.app/proto/gen/serein/errors/v1"
	"serein.app/services/platform/errs"
)

// What a session check can answer instead of a session.
var (
	// ErrNone: there is no such session, or it has ended.
	ErrNone = errs.New(errs.Unauthenticated, errorsv1.Reason_REASON_SIGN_IN_REQUIRED, "Please sign in to continue.")
	// ErrUnsure: whether the session still holds cannot be checked now. It is kept.
	ErrUnsure = errs.New(errs.Unavailable, errorsv1.Reason_REASON_SESSION_UNCERTAIN, "We couldn’t check your sign-in. Please try again in a moment.")
	// ErrRefused is a Provider's error for a refresh token that will never work again.
	ErrRefused = errors.New("the provider refused the refresh token")
)

// Member is who is signed in, as the provider's ID token said. What a member may do is not the
// provider's to say: that is package roles' business.
type Member struct {
	UID        string `json:"uid"`
	Username   string `json:"username,omitempty"`
	GivenName  string `json:"given_name,omitempty"`
	FamilyName string `json:"family_name,omitempty"`
	Email      string `json:"email,omitempty"`
}

// Grant is what the provider gave at sign-in or renewal.
type Grant struct {
	Member       Member
	RefreshToken string
	// SID is the provider's own session; empty where it names none.
	SID string
	// IssuedAt is when the provider said who it is, by its own clock; zero where it did not say.
	IssuedAt time.Time
	// AccessEnds is when the access token expires: the member must be renewed by then.
	AccessEnds time.Time
}

// Session is a checked session.
type Session struct {
	Member Member
	// SID is the provider's own session; empty where it names none.
	SID string
	// EndsAt is the absolute limit.
	EndsAt time.Time
}

// record is what stands sealed in Redis.
type record struct {
	Member       Member    `json:"member"`
	RefreshToken string    `json:"refresh_token,omitempty"`
	SID          string    `json:"sid,omitempty"`
	IssuedAt     time.Time `json:"issued_at,omitzero"`
	AccessEnds   time.Time `json:"access_ends"`
	EndsAt       time.Time `json:"ends_at"`
}

// idBytes of randomness in an id: 256 bits, twice what ASVS 7.2.3 asks for.
const idBytes = 32

// NewID makes a random id for a cookie.
func NewID() string {
	raw := make([]byte, idBytes)
	_, _ = rand.Read(raw) // never fails since Go 1.24
	return base64.RawURLEncoding.EncodeToString(raw)
}

// WellFormed says whether id could have been made by NewID, so that junk costs no round trip.
func WellFormed(id string) bool {
	if len(id) != base64.RawURLEncoding.EncodedLen(idBytes) {
		return false
	}
	for i := range len(id) {
		if !idByte(id[i]) {
			return false
		}
	}
	return true
}

// idByte is one of the URL-safe alphabet's.
func idByte(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '-' || c == '_'
}

// Hash is what Redis knows of an id.
func Hash(id string) string {
	sum := sha256.Sum256([]byte(id))
	return hex.EncodeToString(sum[:])
}
