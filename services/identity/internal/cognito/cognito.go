// Package cognito answers the sign-up API of AWS Cognito, so that its public SDKs work against this service: POST to the root, the
// operation in X-Amz-Target, JSON in and out. It has no rules: the domain decides.
//
// The API has no field for age. Serein's rule is that signing up confirms it, and that forms say so; a caller that sends the attribute
// custom:age_confirmed with anything but "true" is refused. custom:terms_version names the texts that were shown; without it identity
// records account.VersionUnknown, and the site asks such a member again.
//
// SDKs repeat a call whose answer did not come. A repeated call gets the first answer again, and nothing is done twice (repeats.go).
package cognito

import (
	"context"
	"crypto/subtle"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"github.com/google/uuid"

	"serein.app/services/identity/internal/account"
	"serein.app/services/platform/guard"
)

const (
	targetPrefix = "AWSCognitoIdentityProviderService."
	contentType  = "application/x-amz-json-1.1"
	// maxBody bounds a request, in bytes: a sign-up form is far smaller.
	maxBody = 64 << 10
)

// Accounts bounds calls and remembers which were done, and changes passwords; account.Service does.
type Accounts interface {
	ChangePassword(ctx context.Context, m account.Signed, present, password string) error
	AdmitAPI(ctx context.Context, address string) error
	Done(ctx context.Context, call string) (bool, error)
	MarkDone(ctx context.Context, call string) error
}

// Config is what a Handler needs.
type Config struct {
	// Registry is where people sign up.
	Registry account.Registry
	Accounts Accounts
	Provider Provider
	// ClientID is the client that sign-ups name: a public client, without a secret.
	ClientID string
	// Origins are the sites whose pages may call from a browser, as browsers write them.
	Origins []string
	// Address gives a caller's network address.
	Address func(*http.Request) string
	NewID   func() uuid.UUID
	Log     *slog.Logger
}

// Handler answers the API.
type Handler struct{ cfg Config }

// New is a Handler.
func New(cfg Config) *Handler { return &Handler{cfg: cfg} }

// Register adds the API's routes.
func (h *Handler) Register(handle func(pattern string, h http.Handler)) {
	handle("POST /{$}", h)
	handle("OPTIONS /{$}", http.HandlerFunc(h.preflight))
}

// operation runs one call. Errors: those of kinds.
type operation struct {
	// public: a caller needs no more than the id of the public client. The other operations need a client's secret or a member's token.
	public bool
	run    func(h *Handler, ctx context.Context, c *call) (any, error)
	// repeat tells a call from every other, so that it is known when it comes again; nil: none is. Empty: this one is not.
	repeat func(c *call) string
	// again is what one that comes again is answered: what the first was, and the same for everybody.
	again any
}

var operations = map[string]operation{
	"SignUp":                    {public: true, run: (*Handler).signUp},
	"ConfirmSignUp":             {public: true, run: (*Handler).confirmSignUp, repeat: byCode, again: struct{}{}},
	"ResendConfirmationCode":    {public: true, run: (*Handler).resendConfirmationCode, repeat: byInvocation, again: delivery{details("")}},
	"ForgotPassword":            {public: true, run: (*Handler).forgotPassword, repeat: byInvocation, again: delivery{details("")}},
	"ConfirmForgotPassword":     {public: true, run: (*Handler).confirmForgotPassword, repeat: byInvocation, again: struct{}{}},
	"InitiateAuth":              {run: (*Handler).initiateAuth},
	"GetTokensFromRefreshToken": {run: (*Handler).getTokensFromRefreshToken},
	"RevokeToken":               {run: (*Handler).revokeToken},
	"GetUser":                   {run: (*Handler).getUser},
	"ChangePassword":            {run: (*Handler).changePassword, repeat: byToken, again: struct{}{}},
	"GlobalSignOut":             {run: (*Handler).globalSignOut, repeat: byToken, again: struct{}{}},
}

// ServeHTTP runs one operation.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h.headers(w, r)
	answer, err := h.run(w, r)
	if err != nil {
		h.refuse(w, r, statusOf(err), err)
		return
	}
	h.write(w, http.StatusOK, answer)
}

// TooMany answers a call that came too early at the door.
func (h *Handler) TooMany(w http.ResponseWriter, r *http.Request, after time.Duration) {
	h.headers(w, r)
	h.refuse(w, r, http.StatusTooManyRequests, guard.TooSoon(after))
}

// Is says whether a request is one of this API's.
func (h *Handler) Is(r *http.Request) bool { return r.Method == http.MethodPost && r.URL.Path == "/" }

func (h *Handler) run(w http.ResponseWriter, r *http.Request) (any, error) {
	name, ok := strings.CutPrefix(r.Header.Get("X-Amz-Target"), targetPrefix)
	op, known := operations[name]
	if !ok || !known {
		return nil, errTarget
	}
	c, err := h.read(w, r, name)
	if err != nil {
		return nil, err
	}
	if op.public {
		err = h.admit(r.Context(), c)
	}
	if err != nil {
		return nil, err
	}
	return h.once(r.Context(), op, c)
}

// admit lets a call of the public client pass, so many from an address.
func (h *Handler) admit(ctx context.Context, c *call) error {
	if subtle.ConstantTimeCompare([]byte(c.ClientID), []byte(h.cfg.ClientID)) != 1 {
		return errClient
	}
	if c.SecretHash != "" {
		return errNoSecret
	}
	return h.cfg.Accounts.AdmitAPI(ctx, c.address)
}
