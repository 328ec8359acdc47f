package gateway

import (
	"cmp"
	"context"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"

	"serein.app/gateway/internal/csrf"
	"serein.app/gateway/internal/export"
	"serein.app/gateway/internal/grants"
	"serein.app/gateway/internal/login"
	"serein.app/gateway/internal/media"
	"serein.app/gateway/internal/page"
	"serein.app/gateway/internal/press"
	"serein.app/gateway/internal/ratelimit"
	"serein.app/gateway/internal/rest"
	"serein.app/gateway/internal/roles"
	"serein.app/gateway/internal/session"
	"serein.app/gateway/internal/unsubscribe"
	"serein.app/gateway/internal/upstream"
	"serein.app/gateway/internal/view"
	"serein.app/gateway/internal/web"
	"serein.app/gateway/internal/webhook"
	"serein.app/services/platform/clientip"
	"serein.app/services/platform/crowd"
	"serein.app/services/platform/guard"
	"serein.app/services/platform/seclog"
	"serein.app/services/platform/service"
)

// parts come from outside, so that tests can bring their own.
type parts struct {
	redis     redis.UniversalClient
	now       func() time.Time
	heartbeat time.Duration // 0: web.Heartbeat
	wait      time.Duration // of generateMeditation; 0: what callers are promised
}

// The limits of everything else; those of RPCs stand in package web. A class may open its first page
// at once, which asks for some 30 files, and each of its people begin to sign in twice.
var (
	addressLimit = guard.Limit{Name: "address", Count: 100, Per: time.Second, Burst: 30 * crowd.Size}
	signInLimit  = guard.Limit{Name: "sign-in", Count: 300, Per: time.Hour, Burst: 2 * crowd.Size}
)

// limiters makes limiters by their limit, the rates scaled.
func (p parts) limiters(log *slog.Logger, scale float64) func(guard.Limit) *ratelimit.Limiter {
	return func(l guard.Limit) *ratelimit.Limiter {
		return ratelimit.NewLimiter(l.Scaled(scale), p.redis, log, p.now)
	}
}

// limits are those of the calls, the rates scaled.
func limits(limiter func(guard.Limit) *ratelimit.Limiter, scale float64) web.Limits {
	return web.Limits{
		SignUp: limiter(web.SignUpLimit), Confirm: limiter(web.ConfirmLimit), Resend: limiter(web.ResendLimit),
		CheckTitle: limiter(web.CheckTitleLimit), Contact: limiter(web.ContactLimit), Invite: limiter(web.InviteLimit), Shared: limiter(web.SharedLimit), Generate: limiter(web.GenerateLimit), Line: limiter(web.LineLimit),
		Export: limiter(web.ExportLimit), Usage: limiter(web.UsageLimit), Place: limiter(web.PlaceLimit),
		Basket: limiter(web.BasketLimit), Checkout: limiter(web.CheckoutLimit), Order: limiter(web.OrderLimit), Member: guard.NewBuckets(web.MemberLimit.Scaled(scale)),
		Streams: ratelimit.NewStreams(ratelimit.MaxStreams, ratelimit.MaxStreamsPerAddress, ratelimit.MaxStreamsInAll),
	}
}

// build is the only wiring.
func build(s *service.Service, cfg Config, p parts) (*gateway, error) {
	public, err := cfg.publicURL()
	if err != nil {
		return nil, err
	}
	proxies, err := clientip.ParseProxies(cfg.TrustedProxies)
	if err != nil {
		return nil, err
	}
	meter, limiter := s.Tel.Metrics.Meter("serein.gateway"), p.limiters(s.Log, cfg.LimitScale)
	clients := upstream.New(cfg.Upstream, s.Dialer)
	provider := login.NewProvider(cfg.Login, public, p.now)
	sessions, err := session.New(cfg.Session, p.redis, provider, s.Log, p.now)
	if err != nil {
		return nil, err
	}
	app, err := page.Read(cfg.AssetsDir, guard.Origin(public), web.PageAnswers(), cfg.DebugSignIn)
	if err != nil {
		return nil, err
	}
	seen, err := view.New(clients, meter, p.now)
	if err != nil {
		return nil, err
	}
	memberRoles := roles.New(seen)
	tokenGrants := grants.New(clients.Grants, p.now)
	listen := func(ctx context.Context, token string) (login.Access, error) {
		access, err := provider.Access(ctx, token)
		if err == nil && access.Account == "" {
			err = tokenGrants.Check(ctx, access.TokenID, false)
		}
		return access, err
	}
	limits, origin := limits(limiter, cfg.LimitScale), csrf.Site(guard.Origin(public))
	presses := press.Gate{Presses: limits.Generate, Titles: limits.CheckTitle, Meditations: clients.Meditations}
	security, err := seclog.New(s.Tel, cfg.SecurityLogSecret, p.now)
	if err != nil {
		return nil, err
	}
	exports := export.New(export.Config{Clients: clients, Sessions: sessions, Redis: p.redis, Limit: limiter(export.Limit), Security: security, Log: s.Log, Now: p.now})
	signIn, err := login.New(provider, sessions, cfg.Session.Secret, cfg.Session.Previous, p.redis, app.IsPage, meter, s.Log, p.now)
	if err != nil {
		return nil, err
	}
	screens, err := web.New(web.Config{
		Security: security, Exports: exports, Debug: web.Debug{On: cfg.DebugSignIn, Issuer: cfg.Login.Issuer},
		Clients: clients, Sessions: sessions, Roles: memberRoles, View: seen, Site: origin, IsPage: app.IsPage, IsRoute: app.IsRoute, SignIn: signIn, SignOutURL: provider.SignOutURL, Telemetry: s.Tel,
		Stopping: s.Stopping(), Heartbeat: cmp.Or(p.heartbeat, web.Heartbeat), Now: p.now, Limits: limits, Presses: presses,
	})
	if err != nil {
		return nil, err
	}
	api, err := rest.New(rest.Config{
		Clients: clients, Sessions: sessions, Roles: memberRoles, View: seen, Site: origin, Access: provider.Access, Standing: tokenGrants.Check,
		Catalogue: screens.Catalogue, Plans: screens.Plans, Texts: screens.Texts, Prices: screens.Prices,
		Calls: limits.Member, Presses: presses, Checkouts: limits.Checkout, Orders: limits.Order, Streams: limits.Streams, PublicURL: strings.TrimSuffix(cfg.PublicURL, "/"), Issuer: cfg.Login.Issuer,
		Log: s.Log, Security: security, Now: p.now, Stopping: s.Stopping(), Wait: p.wait,
	})
	if err != nil {
		return nil, err
	}
	site, err := page.NewSite(app, screens, meter, s.Log, p.now)
	if err != nil {
		return nil, err
	}
	limit := webhook.Limit.Scaled(cfg.LimitScale)
	routes, err := routes(endpoints{
		screens: screens, api: api, signIn: login.Limited(limiter(signInLimit), security, signIn), files: media.New(clients, sessions, memberRoles, listen, s.Log), exports: exports,
		payments: webhook.New(clients.Webhooks, limit, s.Log, security, p.now), mail: webhook.NewMail(clients.Deliveries, limit, s.Log, security, p.now),
		letters: unsubscribe.New(clients.Deliveries, s.Log), site: site,
	})
	if err != nil {
		return nil, err
	}
	handler := guard.New(guard.Config{
		Proxies: proxies, Headers: securityHeaders(public.Scheme == "https"), Reads: addressLimit.Scaled(cfg.LimitScale), Exempt: isWebhook, Security: security, TooMany: tooMany(api), HeaderTooLarge: headerTooLarge(api),
	}, p.now).Wrap(guard.OnlyHost(public, routes))
	return &gateway{handler: handler, sessions: sessions, view: seen, conns: guard.NewConnections(guard.MaxConnsPerAddress, guard.MaxConns, proxies)}, nil
}

// isWebhook: the payment provider brings all members' payments from few addresses, and a mail server all bounces. They have limits
// of their own.
func isWebhook(r *http.Request) bool {
	return r.Method == http.MethodPost && (r.URL.Path == webhook.Path || r.URL.Path == webhook.MailPath)
}

// tooMany answers what came too early from one address: calls in their form, people with a page, and the
// rest, parts of pages, as cheaply as can be.
func tooMany(api *rest.API) func(http.ResponseWriter, *http.Request, time.Duration) {
	return func(w http.ResponseWriter, r *http.Request, after time.Duration) {
		switch {
		case strings.HasPrefix(r.URL.Path, "/api/"):
			api.TooMany(w, r, after)
		case strings.HasPrefix(r.URL.Path, "/serein.web.v1."):
			guard.Refuse(w, r, guard.TooSoon(after))
		case guard.WantsPage(r):
			login.WriteTooMany(w, guard.TooSoon(after))
		default:
			guard.TooMany(w, after)
		}
	}
}

// headerTooLarge answers a request whose header is too large, calls in their form.
func headerTooLarge(api *rest.API) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		switch {
		case strings.HasPrefix(r.URL.Path, "/api/"):
			api.HeaderTooLarge(w, r)
		case strings.HasPrefix(r.URL.Path, "/serein.web.v1."):
			guard.Refuse(w, r, guard.ErrTooLarge)
		default:
			guard.HeaderTooLarge(w)
		}
	}
}

// endpoints are what stands behind the routes.
type endpoints struct {
	screens        *web.Screens
	api            *rest.API
	signIn         login.Routes
	files          *media.Media
	exports        *export.Exports
	payments, mail *webhook.Handler
	letters        *unsubscribe.Handler
	site           *page.Site
}

// routes is the list of all that a browser may ask for. What is not here does not exist.
func routes(d endpoints) (http.Handler, error) {
	mux, signIn, files, screens := http.NewServeMux(), d.signIn, d.files, d.screens
	mux.HandleFunc("GET /auth/sign-in", signIn.Start)
	mux.HandleFunc("GET /auth/callback", signIn.Callback)
	mux.HandleFunc("POST "+login.BackChannelPath, signIn.BackChannel)
	mux.HandleFunc("GET /auth/{file}", login.Static)
	mux.HandleFunc("GET /media/meditations/{id}/audio", files.Audio)
	mux.HandleFunc("GET /media/meditations/{id}/download", files.Download)
	mux.HandleFunc("GET /media/meditations/{id}/segments/{n}", files.Segment)
	mux.HandleFunc("GET /media/tracks/{file}", files.Track)
	mux.HandleFunc("GET /media/narrations/{file}", files.Narration)
	mux.HandleFunc("GET /media/assets/{hash}/{name}", files.Asset)
	mux.HandleFunc("GET /media/grounding/{file}", files.Grounding)
	mux.HandleFunc("GET /media/sample/{file}", files.Sample)
	mux.HandleFunc("GET /media/shared/{token}", files.Shared)
	mux.HandleFunc("GET /media/receipts/{id}", files.Receipt)
	mux.HandleFunc("GET "+export.Path, d.exports.Download)
	mux.Handle("POST "+webhook.Path, d.payments)
	mux.Handle("POST "+webhook.MailPath, d.mail)
	mux.HandleFunc("GET "+unsubscribe.Path, d.letters.Ask)
	mux.HandleFunc("POST "+unsubscribe.Path, d.letters.End)
	mux.HandleFunc("GET /sitemap.xml", screens.Sitemap)
	mux.HandleFunc("GET /robots.txt", screens.Robots)
	mux.HandleFunc("GET /.well-known/security.txt", screens.SecurityTxt)
	mux.Handle("/api/", d.api)
	mux.Handle("/", d.site)
	return mux, screens.Mount(mux)
}
