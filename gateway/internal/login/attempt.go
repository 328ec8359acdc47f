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

	"serein.app/gateway/internal/hostcookie"
	"serein.app/gateway/internal/session"
	"serein.app/services/platform/seal"
)

// attemptCookie begins the name of a cookie that binds an attempt to the browser that made it. Each attempt has its own, since a
// browser has several tabs: the name ends in the attempt's state. Lax, because the provider's redirect comes from another site.
const attemptCookie = "__Host-serein-login-"

// maxAttempts is how many attempts a browser carries; the oldest makes room. Eight cookies of them are below 1 KiB.
const maxAttempts = 8

// attemptLife is the specification's: sign-in state older than 15 minutes is cleared.
const attemptLife = 15 * time.Minute

// attempt is one sign-in under way.
type attempt struct {
	State    string       `json:"state"`
	Nonce    string       `json:"nonce"`
	Verifier string       `json:"verifier"`
	Back     returnTarget `json:"back"`
	Started  time.Time    `json:"started"`
	// Used: an answer has come. What comes again signs nobody in, and leads on who is signed in.
	Used bool `json:"used,omitempty"`
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
	case a.Used:
		return errStale.Because(errors.New("the attempt was used"))
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

// take uses an attempt up. Where it returns to is kept beside it, for a browser that comes back to the answer's address.
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
	if err := s.keep(ctx, id, attempt{Back: a.Back, Started: a.Started, Used: true}); err != nil {
		return attempt{}, errAway.Because(err)
	}
	return a, nil
}

// attemptName is the end of the name of the attempt's cookie with that state.
func attemptName(state string) string { return session.Hash(state)[:stateLength] }

// stateLength of a state's hash in hexadecimal digits tells a browser's attempts apart.
const stateLength = 16

// attemptID is what the browser's cookie says of the attempt that the answer names.
func attemptID(r *http.Request) string {
	id := hostcookie.Value(r.Header, attemptCookie+attemptName(r.URL.Query().Get("state")))
	if !session.WellFormed(id) {
		return ""
	}
	return id
}

// bindAttempt gives the browser the cookie of an attempt.
func bindAttempt(w http.ResponseWriter, r *http.Request, id string, a attempt) {
	hostcookie.SetOneOf(w.Header(), r.Header, attemptCookie, attemptName(a.State), id, attemptLife, maxAttempts)
}
