package oidcop

import (
	"cmp"
	"errors"
	"log/slog"
	"net/http"
	"net/url"
	"slices"
	"time"

	"github.com/google/uuid"
	httphelper "github.com/zitadel/oidc/v3/pkg/http"
	"github.com/zitadel/oidc/v3/pkg/oidc"
	"github.com/zitadel/oidc/v3/pkg/op"

	"serein.app/services/identity/internal/account"
	"serein.app/services/identity/internal/keys"
	"serein.app/services/identity/internal/pages"
	"serein.app/services/platform/clientip"
	"serein.app/services/platform/config"
	"serein.app/services/platform/guard"
	"serein.app/services/platform/seal"
	"serein.app/services/platform/seclog"
)

// The provider's paths.
const (
	pathAuthorize  = "/oauth/authorize"
	pathToken      = "/oauth/token" //nolint:gosec // a path
	pathUserinfo   = "/oauth/userinfo"
	pathRevoke     = "/oauth/revoke"
	pathIntrospect = "/oauth/introspect"
	pathEndSession = "/oauth/end-session"
	pathKeys       = "/oauth/keys"
	pathSignIn     = "/sign-in"
	pathConfirm    = "/sign-in/confirm"
	pathConsent    = "/sign-in/consent"
	pathKeep       = "/sign-in/keep"
	pathSignedOut  = "/signed-out"
)

// maxForm bounds a form's body, in bytes.
const maxForm = 64 << 10

// Config is what a Provider needs.
type Config struct {
	// Issuer is the provider's public address, without a slash at its end.
	Issuer  string
	Clients *Clients
	Store   Store
	Account *account.Service
	Ring    *keys.Ring
	Pages   *pages.Pages
	// BrowserSecret seals what browsers carry.
	BrowserSecret config.Secret
	// BrowserSecretPrevious opens what was sealed with the secret before it, and knows the refresh tokens that
	// a replica that still has it gives as successors; empty: nothing.
	BrowserSecretPrevious config.Secret
	// Passkeys let members in without their password.
	Passkeys Passkeys
	// SecondStep is what some are asked for beside it.
	SecondStep SecondStep
	// Proxies may say whom they forward for.
	Proxies clientip.Proxies
	// LimitScale multiplies the rate limits; 0: as they are.
	LimitScale float64
	Now        func() time.Time
	NewID      func() uuid.UUID
	Log        *slog.Logger
	// Security may be nil.
	Security *seclog.Log
}

// Provider answers the protocol and shows the sign-in page.
type Provider struct {
	cfg     Config
	storage *storage
	// devices seals what a known browser holds.
	devices *seal.Sealer
	limits  limits
	op      *op.Provider
	// origin is what our own pages send as Origin.
	origin string
}

// New checks the issuer and makes the provider.
func New(cfg Config) (*Provider, error) {
	if err := config.CheckURL(cfg.Issuer); err != nil {
		return nil, err
	}
	issuer, err := url.Parse(cfg.Issuer)
	if err != nil {
		return nil, err
	}
	sealer, err := seal.New(cfg.BrowserSecret, cfg.BrowserSecretPrevious, "identity authorization request")
	if err != nil {
		return nil, err
	}
	devices, err := seal.New(cfg.BrowserSecret, cfg.BrowserSecretPrevious, "identity device")
	if err != nil {
		return nil, err
	}
	s := &storage{
		clients: cfg.Clients, store: cfg.Store, accounts: cfg.Account, ring: cfg.Ring, sealer: sealer,
		now: cfg.Now, newID: cfg.NewID, log: cfg.Log, security: cfg.Security,
		successorKeys: successorKeys(cfg.BrowserSecret, cfg.BrowserSecretPrevious),
	}
	provider, err := op.NewProvider(&op.Config{
		DefaultLogoutRedirectURI: pathSignedOut, CodeMethodS256: true, AuthMethodPost: true, GrantTypeRefreshToken: true,
	}, s, op.StaticIssuer(cfg.Issuer),
		// CheckURL has allowed http for this machine only.
		op.WithAllowInsecure(), op.WithCrypto(opaque{}), op.WithLogger(cfg.Log),
		op.WithAccessTokenVerifierOpts(op.WithSupportedAccessTokenSigningAlgorithms(algorithmNames()...)),
		op.WithIDTokenHintVerifierOpts(op.WithSupportedIDTokenHintSigningAlgorithms(algorithmNames()...)))
	if err != nil {
		return nil, err
	}
	return &Provider{cfg: cfg, storage: s, devices: devices, limits: newLimits(cmp.Or(cfg.LimitScale, 1)), op: provider, origin: guard.Origin(issuer)}, nil
}

// opaque stands where the library would encrypt codes and tokens: without authentication, and both
// with one key. Our codes mean nothing and are looked up by their hash; our tokens are signed.
type opaque struct{}

func (opaque) Encrypt(string) (string, error) {
	return "", errors.New("codes and tokens are not encrypted")
}

func (opaque) Decrypt(string) (string, error) {
	return "", errors.New("tokens are signed, not encrypted")
}

// Register adds the provider's routes. Only what is offered has one: the library's router also
// opens device authorization and a callback that would finish a sign-in in
// another browser.
func (p *Provider) Register(handle func(pattern string, h http.Handler)) {
	handle("GET "+oidc.DiscoveryEndpoint, p.protocol(p.public(p.discovery)))
	handle("GET "+pathKeys, p.protocol(p.public(p.keySet)))
	handle("POST "+pathToken, p.protocol(p.ownOrigin(p.proved(p.token))))
	handle("POST "+pathRevoke, p.protocol(p.ownOrigin(p.proved(p.revoke))))
	handle("POST "+pathIntrospect, p.protocol(p.proved(p.introspect)))
	for path, methods := range map[string]string{
		oidc.DiscoveryEndpoint: "GET", pathKeys: "GET", pathToken: "POST", pathRevoke: "POST", pathUserinfo: "GET, POST",
	} {
		handle("OPTIONS "+path, p.preflight(methods))
	}
	handle("GET "+pathUserinfo, p.protocol(p.userinfo))
	handle("POST "+pathUserinfo, p.protocol(p.userinfo))
	handle("GET "+pathAuthorize, p.bounded(p.counted(p.authorize)))
	handle("POST "+pathAuthorize, p.bounded(p.counted(p.authorize)))
	handle("GET "+pathEndSession, p.page(p.counted(p.endSession)))
	handle("POST "+pathEndSession, p.page(p.counted(p.endSession)))
	handle("GET "+pathSignIn, p.page(p.counted(p.showSignIn)))
	handle("POST "+pathSignIn, p.ownPages(p.page(p.countedForm(p.submitSignIn, p.signInAgain))))
	handle("GET "+pathConfirm, p.page(p.showConfirm))
	handle("POST "+pathConfirm, p.ownPages(p.page(p.countedForm(p.submitConfirm, p.confirmAgain))))
	handle("GET "+pathConsent, p.page(p.showConsent))
	handle("POST "+pathConsent, p.ownPages(p.page(p.countedForm(p.submitConsent, p.consentAgain))))
	p.registerReset(handle)
	p.registerPasskeys(handle)
	p.registerSecondStep(handle)
	p.registerStop(handle)
	handle("GET "+pathKeep, p.page(p.showKeep))
	handle("POST "+pathKeep, p.ownPages(p.page(p.countedForm(p.submitKeep, p.keepAgain))))
	handle("GET "+pathSignedOut, p.page(p.signedOut))
	handle("GET "+pages.AssetPath, http.HandlerFunc(p.cfg.Pages.ServeAsset))
}

// ownPages refuses a form that another site's page has sent. A browser that does not say what site it
// was names the page's origin, and there the scheme counts too.
func (p *Provider) ownPages(next http.Handler) http.Handler {
	protected := http.NewCrossOriginProtection().Handler(next)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if origin := r.Header.Get("Origin"); origin != "" && origin != p.origin && r.Header.Get("Sec-Fetch-Site") == "" {
			http.Error(w, "the form came from another page", http.StatusForbidden)
			return
		}
		protected.ServeHTTP(w, r)
	})
}

// protocol is for what programs call: forms are bounded and parsed before the library sees
// them, since it goes on after some faults of form and header that it has answered.
func (p *Provider) protocol(next http.HandlerFunc) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.Body = http.MaxBytesReader(w, r.Body, maxForm)
		pages.Secure(w.Header(), "")
		w.Header().Set("Cache-Control", "no-store")
		if err := parseForm(r); err != nil {
			op.RequestError(w, r, oidc.ErrInvalidRequest().WithDescription("the form cannot be read").WithParent(err), p.cfg.Log)
			return
		}
		next(w, r.WithContext(op.ContextWithIssuer(r.Context(), p.cfg.Issuer)))
	})
}

// page is for what people see. A parameter that is there twice is nothing a browser sends us.
func (p *Provider) page(next http.HandlerFunc) http.Handler {
	return p.bounded(func(w http.ResponseWriter, r *http.Request) {
		if repeated(r.Form) {
			p.cfg.Pages.Message(w, http.StatusBadRequest, badRequest)
			return
		}
		next(w, r)
	})
}

// bounded bounds and parses a form.
func (p *Provider) bounded(next http.HandlerFunc) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.Body = http.MaxBytesReader(w, r.Body, maxForm)
		pages.Secure(w.Header(), "")
		w.Header().Set("Cache-Control", "no-store")
		if err := r.ParseForm(); err != nil {
			p.cfg.Pages.Message(w, http.StatusBadRequest, badRequest)
			return
		}
		next(w, r.WithContext(op.ContextWithIssuer(r.Context(), p.cfg.Issuer)))
	})
}

func (p *Provider) keySet(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Cache-Control", "public, max-age=60")
	op.Keys(w, r, p.storage)
}

// metadata is what discovery answers: what the library knows and what it has no field for.
type metadata struct {
	oidc.DiscoveryConfiguration
	// IssuerInAnswers: every answer to an authorization request names the issuer (RFC 9207, 3).
	IssuerInAnswers bool `json:"authorization_response_iss_parameter_supported"`
}

func (p *Provider) discovery(w http.ResponseWriter, _ *http.Request) {
	secret := []oidc.AuthMethod{oidc.AuthMethodBasic, oidc.AuthMethodPost}
	methods := append(slices.Clone(secret), oidc.AuthMethodNone)
	issuer := p.cfg.Issuer
	w.Header().Set("Cache-Control", "public, max-age=300")
	httphelper.MarshalJSON(w, &metadata{IssuerInAnswers: true, DiscoveryConfiguration: oidc.DiscoveryConfiguration{
		Issuer:                            issuer,
		AuthorizationEndpoint:             issuer + pathAuthorize,
		TokenEndpoint:                     issuer + pathToken,
		UserinfoEndpoint:                  issuer + pathUserinfo,
		RevocationEndpoint:                issuer + pathRevoke,
		IntrospectionEndpoint:             issuer + pathIntrospect,
		EndSessionEndpoint:                issuer + pathEndSession,
		JwksURI:                           issuer + pathKeys,
		ScopesSupported:                   p.scopes(),
		ResponseTypesSupported:            []string{string(oidc.ResponseTypeCode)},
		ResponseModesSupported:            []string{string(oidc.ResponseModeQuery)},
		GrantTypesSupported:               []oidc.GrantType{oidc.GrantTypeCode, oidc.GrantTypeRefreshToken, oidc.GrantTypeClientCredentials},
		SubjectTypesSupported:             []string{"public"},
		BackChannelLogoutSupported:        true,
		BackChannelLogoutSessionSupported: true,
		CodeChallengeMethodsSupported:     []oidc.CodeChallengeMethod{oidc.CodeChallengeMethodS256},
		TokenEndpointAuthMethodsSupported: methods, RevocationEndpointAuthMethodsSupported: methods,
		IntrospectionEndpointAuthMethodsSupported: secret,
		IDTokenSigningAlgValuesSupported:          algorithmNames(),
		ClaimsSupported: []string{
			"sub", "iss", "aud", "exp", "iat", "auth_time", "nonce", "sid", "amr",
			"email", "email_verified", "given_name", "family_name", "name", "preferred_username",
		},
	}})
}
