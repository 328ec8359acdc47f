// Package rest answers the calls of the specification under /api/: serein.rest.v1, for our own
// pages and for programs with an access token. What the calls are and how JSON becomes a message is
// generated (grpc-gateway); this package owns who may call (the table in calls.go), the errors'
// form, one request id for each request, and the OpenAPI document with its page.
//
// It refuses everybody who is neither a member on our own pages nor the bearer of a token with the
// call's scope, and every path that is not in the table.
package rest

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"time"

	"github.com/grpc-ecosystem/grpc-gateway/v2/runtime"
	"google.golang.org/protobuf/encoding/protojson"

	"serein.app/gateway/internal/csrf"
	"serein.app/gateway/internal/login"
	"serein.app/gateway/internal/press"
	"serein.app/gateway/internal/ratelimit"
	"serein.app/gateway/internal/roles"
	"serein.app/gateway/internal/session"
	"serein.app/gateway/internal/upstream"
	"serein.app/gateway/internal/view"
	billingv1 "serein.app/proto/gen/serein/billing/v1"
	contentv1 "serein.app/proto/gen/serein/content/v1"
	restv1 "serein.app/proto/gen/serein/rest/v1"
	"serein.app/services/platform/deadline"
	"serein.app/services/platform/guard"
	"serein.app/services/platform/seclog"
)

// callTime bounds a call.
var callTime = deadline.Of(10 * time.Second)

const (
	// generateTime bounds one that makes a meditation and waits for it.
	generateTime = 60 * time.Second
	// answerTime is kept of generateTime for the answer itself.
	answerTime = 5 * time.Second
)

// Config is what the API needs.
type Config struct {
	Clients  *upstream.Clients
	Sessions *session.Sessions
	Roles    *roles.Roles
	View     *view.View
	// Site is where calls with a session may come from.
	Site csrf.Site
	// Access proves access tokens.
	Access func(ctx context.Context, token string) (login.Access, error)
	// Standing refuses a token whose grant has ended, at once for a call that writes.
	Standing func(ctx context.Context, tokenID string, writes bool) error
	// Catalogue is what can be generated.
	Catalogue func(ctx context.Context) (*contentv1.GetCatalogueResponse, error)
	// Plans are those that there are.
	Plans func(ctx context.Context) ([]*billingv1.Plan, error)
	// Texts are the versions of the texts that members agree to: of both together as the terms' answer names it, and of the privacy policy.
	Texts func(ctx context.Context) (terms, privacy string, err error)
	// Prices are what can be bought, as billing charges it.
	Prices func(ctx context.Context) ([]*billingv1.ItemPrice, error)
	// Calls limits everything one caller asks for; Presses what it has made; Checkouts what opens a page of the payment provider
	// or charges; Orders what only asks it.
	Calls             *guard.Buckets
	Presses           press.Gate
	Checkouts, Orders *ratelimit.Limiter
	// Streams limits what lasts, the screens' streams included: here the waits for a meditation.
	Streams *ratelimit.Streams
	// PublicURL is this host as callers know it, Issuer the provider of access tokens.
	PublicURL, Issuer string
	// Security hears who was refused; it may be nil.
	Security *seclog.Log
	Log      *slog.Logger
	Now      func() time.Time
	// Stopping ends the wait for a meditation when the server starts to shut down.
	Stopping <-chan struct{}
	// Wait is how long generateMeditation waits; 0: what callers are promised.
	Wait time.Duration
}

// API answers /api/.
type API struct {
	Config
	restv1.UnimplementedUserServiceServer
	restv1.UnimplementedSubscriptionServiceServer
	restv1.UnimplementedMailServiceServer
	restv1.UnimplementedMeditationServiceServer
	restv1.UnimplementedArticleServiceServer
	restv1.UnimplementedLikeServiceServer

	log   *slog.Logger
	mux   *runtime.ServeMux
	files map[string]staticFile // the document and its page
}

// New makes the API.
func New(cfg Config) (*API, error) {
	if cfg.Wait == 0 {
		cfg.Wait = generateTime - answerTime
	}
	a := &API{Config: cfg, log: cfg.Log}
	a.mux = runtime.NewServeMux(
		runtime.WithMarshalerOption(runtime.MIMEWildcard, leavesOut{&runtime.JSONPb{
			MarshalOptions:   protojson.MarshalOptions{EmitDefaultValues: true},
			UnmarshalOptions: protojson.UnmarshalOptions{DiscardUnknown: true},
		}}),
		runtime.WithErrorHandler(func(_ context.Context, _ *runtime.ServeMux, _ runtime.Marshaler, w http.ResponseWriter, r *http.Request, err error) {
			err = a.explain(r, err)
			a.broken(r, err)
			a.Refuse(w, r, err)
		}),
		runtime.WithIncomingHeaderMatcher(func(name string) (string, bool) { return idempotencyKey, name == idempotencyHeader }),
		runtime.WithOutgoingHeaderMatcher(func(string) (string, bool) { return "", false }),
		runtime.WithForwardResponseOption(accepted),
		runtime.WithDisablePathLengthFallback(),
	)
	if err := a.register(); err != nil {
		return nil, err
	}
	var err error
	a.files, err = a.document()
	return a, err
}

func (a *API) register() error {
	ctx := context.Background() // not used where the server is in this process
	for _, err := range []error{
		restv1.RegisterUserServiceHandlerServer(ctx, a.mux, a),
		restv1.RegisterSubscriptionServiceHandlerServer(ctx, a.mux, a),
		restv1.RegisterMailServiceHandlerServer(ctx, a.mux, a),
		restv1.RegisterMeditationServiceHandlerServer(ctx, a.mux, a),
		restv1.RegisterArticleServiceHandlerServer(ctx, a.mux, a),
		restv1.RegisterLikeServiceHandlerServer(ctx, a.mux, a),
	} {
		if err != nil {
			return fmt.Errorf("register the REST calls: %w", err)
		}
	}
	return nil
}

// explain says what comes where a call is not built, and hides what is the services' own business.
func (a *API) explain(r *http.Request, err error) error {
	if e := declared(err); e.Reason == errNotBuilt.Reason {
		copied := *e
		if sentence, ok := NotBuilt[r.Method+" "+r.URL.Path]; ok {
			copied.Public = sentence
		}
		return &copied
	}
	return public(err)
}
