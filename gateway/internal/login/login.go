// Package login is the OpenID Connect client: it sends the browser to the provider's hosted
// sign-in, takes it back, proves who came, and starts the session. Authorization code with
// PKCE, state and nonce; all three are kept in Redis and bound to the browser by a cookie.
//
// It refuses: tokens in anything a browser can see, return addresses that are not the app's own
// pages, and every answer it did not ask for.
package login

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"time"

	"github.com/redis/go-redis/v9"
	"go.opentelemetry.io/otel/metric"

	"serein.app/gateway/internal/session"
	errorsv1 "serein.app/proto/gen/serein/errors/v1"
	"serein.app/services/platform/config"
	"serein.app/services/platform/errs"
	"serein.app/services/platform/seal"
)

// The faults of a sign-in. Their sentences stand on the page that the member then sees.
var (
	errAway    = errs.New(errs.Unavailable, errorsv1.Reason_REASON_PROVIDER_UNAVAILABLE, "You can’t sign in at the moment. Nothing is lost; please try again shortly.")
	errStale   = errs.New(errs.Invalid, errorsv1.Reason_REASON_SIGN_IN_STALE, "This sign-in took too long, or was started in another browser. Please start again.")
	errRefused = errs.New(errs.Forbidden, errorsv1.Reason_REASON_SIGN_IN_REFUSED, "The sign-in wasn’t finished. You can try again whenever you like.")
	errProof   = errs.New(errs.Forbidden, errorsv1.Reason_REASON_SIGN_IN_NOT_PROVED, "We couldn’t be sure that this sign-in was yours, so we stopped it. Please start again.")
)

// Config of the client.
type Config struct {
	// Issuer is the identity provider's address, exactly as its discovery document says; the gateway
	// itself must reach it too.
	Issuer string `env:"OIDC_ISSUER,required"`
	// ClientID is the gateway's registration there, with PUBLIC_URL/auth/callback, for after a sign-out
	// with PUBLIC_URL/, and at a provider of somebody else's with PUBLIC_URL/auth/backchannel-logout for
	// its back channel. It must get refresh tokens without a question each time, or sessions end with
	// their first access token.
	ClientID string `env:"OIDC_CLIENT_ID" envDefault:"gateway"`
	// ClientSecret is that registration's secret.
	ClientSecret config.Secret `env:"OIDC_CLIENT_SECRET,required"`
}

// Validate refuses an issuer whose answers, and our secret, would travel in the clear.
func (c Config) Validate() error {
	if err := config.CheckURL(c.Issuer); err != nil {
		return fmt.Errorf("OIDC_ISSUER: %w", err)
	}
	return nil
}

// Login answers /auth/sign-in, /auth/callback and /auth/backchannel-logout.
type Login struct {
	provider *Provider
	sessions *session.Sessions
	attempts *attempts
	isPage   func(path string) bool
	logouts  metric.Int64Counter
	log      *slog.Logger
	now      func() time.Time
}

// New makes the sign-in routes. isPage knows the app's pages: the only places to return to.
func New(p *Provider, s *session.Sessions, secret, previous config.Secret, rdb redis.UniversalClient,
	isPage func(string) bool, meter metric.Meter, log *slog.Logger, now func() time.Time,
) (*Login, error) {
	logouts, err := meter.Int64Counter("serein.gateway.logouts", metric.WithUnit("{call}"),
		metric.WithDescription("Calls of the back channel, by `outcome`: `ended`, `refused` (a token that is none: somebody tries, or "+
			"provider and gateway do not agree on client or clock), `unavailable` (Redis or the provider is away; it comes again)"))
	if err != nil {
		return nil, err
	}
	sealer, err := seal.New(secret, previous, "gateway login")
	if err != nil {
		return nil, err
	}
	return &Login{
		provider: p, sessions: s, attempts: &attempts{redis: rdb, seal: sealer},
		isPage: isPage, logouts: logouts, log: log, now: now,
	}, nil
}

// Start answers GET /auth/sign-in: it remembers the attempt and sends the browser on. Where another site sent the browser here
// a page asks first, since the provider may know its person and ask for nothing; of the address it keeps only where to return to.
func (l *Login) Start(w http.ResponseWriter, r *http.Request) {
	query := r.URL.Query()
	back := returnTarget{Popup: query.Get("popup") == "1", To: ReturnTo(query.Get("return_to"), l.isPage)}
	if fromAnotherSite(r) {
		writeQuestion(w, back.To)
		return
	}
	popupHeaders(w)
	told := hints{login: loginHint(query.Get("login_hint")), zone: timeZone(query.Get("time_zone"))}
	if err := l.start(w, r, back, told); err != nil {
		l.fail(w, r, back, err)
	}
}

func (l *Login) start(w http.ResponseWriter, r *http.Request, back returnTarget, told hints) error {
	a := newAttempt(back, l.now())
	target, err := l.provider.signInURL(r.Context(), a, told)
	if err != nil {
		return err
	}
	id := session.NewID()
	if err := l.attempts.keep(r.Context(), id, a); err != nil {
		return errAway.Because(err)
	}
	bindAttempt(w, r, id, a)
	http.Redirect(w, r, target, http.StatusSeeOther)
	return nil
}

// fromAnotherSite says whether another site's page began it. A link in a mail program or an address that is typed is its person's
// own act ("none"); a browser that does not say is taken at its press, for it would not say so of our button either.
func fromAnotherSite(r *http.Request) bool {
	switch r.Header.Get("Sec-Fetch-Site") {
	case "", "none", "same-origin", "same-site":
		return false
	}
	return true
}

// Callback answers GET /auth/callback, where the provider sends the browser back to.
func (l *Login) Callback(w http.ResponseWriter, r *http.Request) {
	popupHeaders(w)
	back := returnTarget{To: "/"}
	a, err := l.attempt(r)
	if a.Back.To != "" {
		back = a.Back
	}
	if err == nil {
		err = l.finish(r.Context(), w.Header(), r.Header, r.URL.Query().Get("code"), a)
	}
	if err != nil && (!errors.Is(err, errStale) || !l.signedIn(r)) {
		l.fail(w, r, back, err)
		return
	}
	if back.Popup {
		writeDone(w, back)
		return
	}
	http.Redirect(w, r, back.To, http.StatusSeeOther)
}

// signedIn says whether the browser has a session. Who comes back to an answer that was taken (by Back, a reload, or a form that was
// sent twice) has what they wanted, and goes on to their page.
func (l *Login) signedIn(r *http.Request) bool {
	_, err := l.sessions.Check(r.Context(), session.IDFrom(r.Header))
	return err == nil
}

// attempt takes the browser's attempt, which is then used up whatever comes of it.
func (l *Login) attempt(r *http.Request) (attempt, error) {
	id := attemptID(r)
	if id == "" {
		return attempt{}, errStale.Because(errors.New("no sign-in cookie"))
	}
	a, err := l.attempts.take(r.Context(), id)
	if err != nil {
		return attempt{}, err
	}
	d, err := l.provider.discover(r.Context())
	if err != nil {
		return a, err
	}
	return a, a.expect(r.URL.Query(), l.provider.cfg.Issuer, d.named, l.now())
}

// finish redeems the code and starts the session. h are the answer's headers, asked the request's.
func (l *Login) finish(ctx context.Context, h, asked http.Header, code string, a attempt) error {
	grant, err := l.provider.redeem(ctx, code, a)
	if err != nil {
		return err
	}
	id, life, err := l.sessions.Create(ctx, grant)
	if err != nil {
		return err
	}
	// The old session ends after the new one stands, so that a fault in between signs nobody out.
	if old := session.IDFrom(asked); old != "" {
		if err := l.sessions.End(ctx, old); err != nil {
			l.log.WarnContext(ctx, "the session before this sign-in was not ended", "error", err)
		}
	}
	session.SetCookie(h, id, life)
	return nil
}

func (l *Login) fail(w http.ResponseWriter, r *http.Request, back returnTarget, err error) {
	e := errs.From(err)
	if ctxErr := context.Cause(r.Context()); ctxErr == nil {
		l.log.Log(r.Context(), level(err), "sign-in failed", "reason", e.Word(), "error", err)
	}
	WriteFault(w, back, e)
}

// level of a failure's line: what anybody can cause without an attempt that was counted is not logged
// unless it is looked for.
func level(err error) slog.Level {
	if errors.Is(err, errStale) {
		return slog.LevelDebug
	}
	return slog.LevelWarn
}

// popupHeaders keep the popup in the opener's group of pages all through the sign-in, so that
// its last page may close itself. These routes show nothing of a member and cannot be framed.
func popupHeaders(w http.ResponseWriter) {
	w.Header().Set("Cross-Origin-Opener-Policy", "unsafe-none")
}
