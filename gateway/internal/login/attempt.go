package login

import (
	"context"
	"crypto/subtle"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"time"

	"github.com/redis/go-redis/v9"
	"golang.org/x/oauth2"

	"serein.app/gateway/internal/session"
	"serein.app/services/platform/seal"
)

// attemptCookie binds an attempt to the browser that made it. Lax, because the provider's
// redirect comes from another site.
const attemptCookie = "__Host-serein-login"

// attemptLife is the specification's: sign-in state older than 15 minutes is cleared.
const attemptLife = 15 * time.Minute

// attempt is one sign-in under way.
type attempt struct {
	State    string       `json:"state"`
	Nonce    string       `json:"nonce"`
	Verifier string       `json:"verifier"`
	Back     returnTarget `json:"back"`
	Started  time.Time    `json:"started"`
}

// returnTarget is where the browser goes when the attempt is over.
type returnTarget struct {
	To    string `json:"to"`
	Popup bool   `json:"popup,omitempty"`
}

func newAttempt(back returnTarget, now time.Time) attempt {
	return attempt{
		State: session.NewID(), Nonce: session.NewID(), Verifier: oauth2.GenerateVerifier(),
		Back: back, Started: now,
	}
}

// expect checks that the provider's answer belongs to this attempt. The state comes first:
// before it is proved, nothing else in the address means anything. named: the provider's every answer names it.
func (a attempt) expect(answer url.Values, issuer string, named bool, now time.Time) error {
	switch {
	case now.Sub(a.Started) > attemptLife:
		return errStale.Because(errors.New("the attempt is too old"))
	case subtle.ConstantTimeCompare([]byte(answer.Get("state")), []byte(a.State)) != 1:
		return errStale.Because(errors.New("the state is another one"))
	case named && !answer.Has("iss"), slices.ContainsFunc(answer["iss"], func(iss string) bool { return iss != issuer }):
		return errProof.Because(fmt.Errorf("the answer is from %q", answer["iss"])) // RFC 9207, 2.4: not our provider's
	case answer.Has("error"):
		return errRefused.Because(fmt.Errorf("the provider said %q", answer.Get("error")))
	case answer.Get("code") == "":
		return errRefused.Because(errors.New("no code came back"))
	}
	return nil
}

// attempts keeps them in Redis: sealed, under a hash of the cookie, taken once.
type attempts struct {
	redis redis.UniversalClient
	seal  *seal.Sealer
}

func attemptKey(id string) string { return "serein:login:" + session.Hash(id) }

func (s *attempts) keep(ctx context.Context, id string, a attempt) error {
	sealed, err := s.seal.Seal(attemptKey(id), a)
	if err != nil {
		return err
	}
	return s.redis.Set(ctx, attemptKey(id), sealed, attemptLife).Err()
}

func (s *attempts) take(ctx context.Context, id string) (attempt, error) {
	sealed, err := s.redis.GetDel(ctx, attemptKey(id)).Bytes()
	if errors.Is(err, redis.Nil) {
		return attempt{}, errStale.Because(errors.New("no such attempt"))
	}
	if err != nil {
		return attempt{}, errAway.Because(err)
	}
	var a attempt
	if err := s.seal.Open(attemptKey(id), sealed, &a); err != nil {
		return attempt{}, errStale.Because(err)
	}
	return a, nil
}

func attemptID(r *http.Request) string {
	cookies := r.CookiesNamed(attemptCookie)
	if len(cookies) != 1 || !session.WellFormed(cookies[0].Value) {
		return ""
	}
	return cookies[0].Value
}

func setAttemptCookie(h http.Header, id string) {
	writeAttemptCookie(h, id, int(attemptLife.Seconds()))
}
func clearAttemptCookie(h http.Header) { writeAttemptCookie(h, "", -1) }

func writeAttemptCookie(h http.Header, value string, maxAge int) {
	cookie := http.Cookie{
		Name: attemptCookie, Value: value, Path: "/", MaxAge: maxAge,
		Secure: true, HttpOnly: true, SameSite: http.SameSiteLaxMode,
	}
	h.Add("Set-Cookie", cookie.String())
}
