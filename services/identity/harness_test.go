package identity_test

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"
	"github.com/stretchr/testify/require"
	"golang.org/x/oauth2"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/anypb"

	eventsv1 "serein.app/proto/gen/serein/events/v1"
	mailv1 "serein.app/proto/gen/serein/mail/v1"
	"serein.app/proto/gen/serein/mail/v1/mailv1connect"
	"serein.app/services/identity"
	"serein.app/services/identity/internal/account"
	"serein.app/services/identity/internal/cognito"
	"serein.app/services/identity/internal/jobs"
	"serein.app/services/identity/internal/keys"
	"serein.app/services/identity/internal/oidcop"
	"serein.app/services/identity/internal/pages"
	"serein.app/services/identity/internal/passkey"
	"serein.app/services/identity/internal/password"
	"serein.app/services/identity/internal/postgres"
	"serein.app/services/identity/internal/secondstep"
	"serein.app/services/platform/clientip"
	"serein.app/services/platform/config"
	platformjobs "serein.app/services/platform/jobs"
	"serein.app/services/platform/outbox"
	"serein.app/services/platform/seclog"
	"serein.app/services/testkit"
)

// here is the network address that people ask from.
const here = "192.0.2.1"

const (
	gatewaySecret = "gateway-secret-0123456789-0123456789"
	serviceSecret = "reporter-secret-0123456789-012345678"
	deskSecret    = "desk-secret-0123456789-0123456789-012"
	redirectURI   = "https://app.test/auth/callback"
	companionURI  = "https://companion.test/callback"
	afterSignOut  = "https://app.test/"
	pocketURI     = "https://pocket.test/callback"
	goodPassword  = "three unrelated pebbles"
	signUpClient  = "serein-web"
	codeSecret    = "test-code-secret-0123456789-01234567"
	mailboxSecret = "test-mailbox-secret-0123456789-01234"
	keySecret     = "test-key-secret-0123456789-012345678"
)

// clock is a test's own time.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) Advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// mailbox stands in for the mail service and keeps what it was asked to send.
type mailbox struct {
	mailv1connect.UnimplementedMailServiceHandler
	mails chan *mailv1.SendMailRequest
	// devices are the letters of new devices: every second browser of a test's causes one, and few tests are about that.
	devices chan *mailv1.SendMailRequest
}

func newMailbox() *mailbox {
	return &mailbox{mails: make(chan *mailv1.SendMailRequest, 100), devices: make(chan *mailv1.SendMailRequest, 100)}
}

func (m *mailbox) SendMail(_ context.Context, req *mailv1.SendMailRequest) (*mailv1.SendMailResponse, error) {
	if req.GetNewDevice() != nil {
		m.devices <- req
		return &mailv1.SendMailResponse{}, nil
	}
	m.mails <- req
	return &mailv1.SendMailResponse{}, nil
}

// harness is a running identity service on its own database, with its own time.
type harness struct {
	t     testing.TB
	db    testkit.DB
	clock *clock
	mail  *mailbox
	codes *account.Codes
	// mailboxes are those that have had a trial.
	mailboxes *account.Mailboxes
	store     *postgres.Store
	ring      *keys.Ring
	accounts  *account.Service
	work      *countingHasher
	server    *httptest.Server
	// tls is the server's, from serve on; without it the server takes httptest's certificate.
	tls    *tls.Config
	routes atomic.Pointer[http.ServeMux]
	// provider is the one that serve began last.
	provider *oidcop.Provider
	// passkeys are those of a site whose pages have a domain in common.
	passkeys *passkey.Service
	// second is what members are asked for beside their password.
	second *secondstep.Service
	// notices tell clients of ended sessions; each serve gives them its clients.
	notices *noticesOf
	// log is the provider's.
	log *slog.Logger
	// browserSecret seals what browsers carry.
	browserSecret config.Secret
	// browserSecretPrevious is the one before it, empty for none.
	browserSecretPrevious config.Secret
	// security is nil until a test looks at it.
	security *seclog.Log
}

// countingHasher counts the work done, so that tests compare work and not time.
type countingHasher struct {
	*password.Hasher
	mu    sync.Mutex
	spent int
	// proved is called once, after the next password that was looked at.
	proved func()
}

func (h *countingHasher) add() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.spent++
}

func (h *countingHasher) Spent() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.spent
}

func (h *countingHasher) Hash(ctx context.Context, p string) (string, error) {
	h.add()
	return h.Hasher.Hash(ctx, p)
}

func (h *countingHasher) Verify(ctx context.Context, p, phc string) (bool, bool, error) {
	h.add()
	match, stale, err := h.Hasher.Verify(ctx, p, phc)
	h.mu.Lock()
	proved := h.proved
	h.proved = nil
	h.mu.Unlock()
	if proved != nil {
		proved()
	}
	return match, stale, err
}

func (h *countingHasher) VerifyDummy(ctx context.Context, p string) error {
	h.add()
	return h.Hasher.VerifyDummy(ctx, p)
}

// quick keeps tests fast; package password tests the real parameters.
var quick = password.Parameters{Memory: 64, Passes: 1, Lanes: 1}

func newID() uuid.UUID { return uuid.Must(uuid.NewV7()) }

func setup(tb testing.TB) *harness {
	tb.Helper()
	return setupTo(tb, testkit.Logger(tb))
}

// setupTo is setup with a given log: a fuzz target's testing.F cannot log while the target runs.
func setupTo(tb testing.TB, log *slog.Logger) *harness {
	tb.Helper()
	b := &harness{
		t: tb, db: testkit.Postgres(tb, identity.Name, identity.Migrate), clock: &clock{now: time.Now()},
		mail: newMailbox(), codes: account.NewCodes(codeSecret, ""), mailboxes: account.NewMailboxes(mailboxSecret),
		work: &countingHasher{Hasher: password.New(quick, 8, 10*time.Second)},
	}
	b.log, b.browserSecret = log, "test-browser-secret-0123456789-01234"
	send := &jobs.CodeMailWorker{Codes: b.codes, Mail: b.mail, Now: b.clock.Now, StopURL: "https://id.test" + oidcop.PathStop}
	tell := &jobs.AccountMailWorker{Mail: b.mail}
	rotation, leaving := &jobs.KeyRotationWorker{}, &jobs.LeavingMailWorker{Mail: b.mail}
	b.notices = &noticesOf{}
	workers := river.NewWorkers()
	river.AddWorker(workers, &jobs.LogoutNoticeWorker{Clients: b.notices})
	river.AddWorker(workers, send)
	river.AddWorker(workers, tell)
	river.AddWorker(workers, rotation)
	river.AddWorker(workers, leaving)
	queue, err := platformjobs.New(b.db.Pool, workers, map[string]int{river.QueueDefault: 2, jobs.LogoutQueue: 2}, nil, log, testkit.Telemetry(tb).Metrics)
	require.NoError(tb, err)
	out := outbox.New(b.db.Pool, nil, identity.Name, log, b.clock.Now)
	b.store = postgres.New(b.db.Pool, out, queue, jobs.For)
	b.ring, err = keys.New(b.store, keySecret, "", b.clock.Now)
	require.NoError(tb, err)
	b.store.MailLeavingBy(jobs.ForLeaving)
	send.Letters, tell.Accounts, leaving.Accounts, rotation.Ring = b.store, b.store, b.store, b.ring
	run(tb, platformjobs.Run(queue, log))
	b.accounts = b.newAccounts()
	return b
}

func (b *harness) newAccounts() *account.Service {
	return account.New(account.Config{
		Store: b.store, Throttle: b.store, Passwords: b.work, Codes: b.codes, Mailboxes: b.mailboxes, Now: b.clock.Now, NewID: newID, Log: b.log, Security: b.security,
	})
}

// noticesOf are those of the provider that runs now.
type noticesOf struct {
	atomic.Pointer[oidcop.LogoutNotices]
}

func (n *noticesOf) Tell(ctx context.Context, clientID string, uid, sid uuid.UUID) error {
	return n.Load().Tell(ctx, clientID, uid, sid)
}

// run runs a loop until the test ends.
func run(tb testing.TB, loop func(context.Context) error) {
	tb.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- loop(ctx) }()
	tb.Cleanup(func() {
		cancel()
		require.NoError(tb, <-done)
	})
}

// clientConfig is a client as it is configured.
type clientConfig = oidcop.ClientConfig

// clients of the tests: a gateway (as the product's, signed with ES256), another web client, one that acts in a member's name, a service account, an
// app that can keep no secret, and one of ours that brings passwords.
func clients() []clientConfig {
	return []clientConfig{
		{ID: "gateway", Secret: gatewaySecret, RedirectURIs: []string{redirectURI}, PostLogoutRedirectURIs: []string{afterSignOut}, FirstParty: true, SigningAlgorithm: keys.ES256},
		{ID: "other", Secret: serviceSecret, RedirectURIs: []string{"https://other.test/callback"}},
		{
			ID: "companion", Name: "The Companion", Secret: serviceSecret, RedirectURIs: []string{companionURI},
			Scopes: []string{"serein.user.read", "serein.user.write", "offline_access"},
		},
		{ID: "reporter", Secret: serviceSecret, Scopes: []string{"billing.ledger.read", "billing.plans.read", "serein.mail.send"}},
		{ID: "pocket", Name: "Pocket", Public: true, RedirectURIs: []string{pocketURI}, PostLogoutRedirectURIs: []string{"https://pocket.test/"}, Scopes: []string{"serein.user.read", "offline_access"}},
		{ID: "desk", Secret: deskSecret, RedirectURIs: []string{"https://desk.test/callback"}, FirstParty: true, PasswordAuth: true},
	}
}

// serve starts the provider and the sign-up API over real HTTPS.
func (b *harness) serve() *harness {
	b.t.Helper()
	require.NoError(b.t, b.ring.Rotate(b.t.Context()))
	b.server = httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { b.routes.Load().ServeHTTP(w, r) }))
	b.server.TLS = b.tls
	b.server.StartTLS()
	b.t.Cleanup(b.server.Close)
	return b.serveWith(func([]clientConfig) {})
}

// serveWith replaces what the running server serves, as a restart with other clients does.
func (b *harness) serveWith(change func([]clientConfig)) *harness {
	b.t.Helper()
	configured := clients()
	change(configured)
	return b.serveClients(b.registered(configured))
}

func (b *harness) serveClients(registered *oidcop.Clients) *harness {
	b.t.Helper()
	hosted, err := pages.New("https://app.test")
	require.NoError(b.t, err)
	b.passkeys, err = passkey.New(passkey.Config{
		Store: b.store, Accounts: b.accounts, Issuer: "https://id.app.test", Site: "https://app.test", Secret: b.browserSecret,
		Now: b.clock.Now, NewID: newID, Security: b.security,
	})
	require.NoError(b.t, err)
	b.second, err = secondstep.New(secondstep.Config{
		Store: b.store, Accounts: b.accounts, BrowserSecret: b.browserSecret, KeySecret: keySecret, Now: b.clock.Now, NewID: newID, Log: b.log, Security: b.security,
	})
	require.NoError(b.t, err)
	provider, err := oidcop.New(oidcop.Config{
		Issuer: b.server.URL, Store: b.store, Account: b.accounts, Ring: b.ring, Pages: hosted,
		Now: b.clock.Now, NewID: newID, Log: b.log, Security: b.security, Clients: registered,
		BrowserSecret: b.browserSecret, BrowserSecretPrevious: b.browserSecretPrevious, Passkeys: b.passkeys, SecondStep: b.second,
		Proxies: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")},
	})
	require.NoError(b.t, err)
	b.provider = provider
	notices, err := oidcop.NewLogoutNotices(oidcop.LogoutConfig{
		Issuer: b.server.URL, Clients: registered, Ring: b.ring, Now: b.clock.Now, NewID: newID, Meters: testkit.Telemetry(b.t).Metrics,
	})
	require.NoError(b.t, err)
	b.notices.Store(notices)
	mux := http.NewServeMux()
	provider.Register(mux.Handle)
	cognito.New(cognito.Config{
		Registry: account.Own{Service: b.accounts}, Accounts: b.accounts, Provider: provider, ClientID: signUpClient, Origins: []string{"https://app.test"},
		Address: clientip.Proxies(nil).Key, NewID: newID, Log: b.log,
	}).Register(mux.Handle)
	b.routes.Store(mux)
	return b
}

// registered are clients that stay as they are.
func (b *harness) registered(configured []clientConfig) *oidcop.Clients {
	b.t.Helper()
	list, err := json.Marshal(configured)
	require.NoError(b.t, err)
	return b.openClients(string(list))
}

func (b *harness) openClients(value string) *oidcop.Clients {
	b.t.Helper()
	opened, err := oidcop.OpenClients(value, testkit.Telemetry(b.t).Metrics, b.log)
	require.NoError(b.t, err)
	b.store.TellClients(opened.Told)
	return opened
}

func form(username, email string) account.SignUp {
	return account.SignUp{
		Username: username, Email: email, GivenName: "Amara", FamilyName: "Lindqvist", Password: goodPassword,
		AgeConfirmed: true, TermsVersion: shownTexts, Address: here,
	}
}

// nextMail waits for the next mail.
func (b *harness) nextMail() *mailv1.SendMailRequest {
	b.t.Helper()
	select {
	case m := <-b.mail.mails:
		return m
	case <-time.After(testkit.Patience):
		b.t.Fatal("no mail came")
		return nil
	}
}

// member signs up and confirms.
func (b *harness) member(username string) account.Account {
	b.t.Helper()
	ctx := b.t.Context()
	up, err := b.accounts.SignUp(ctx, form(username, username+"@example.org"))
	require.NoError(b.t, err)
	require.NoError(b.t, b.accounts.Confirm(ctx, here, username, b.nextMail().GetConfirmationCode().GetCode()))
	a, err := b.accounts.ByUID(ctx, up.Subject)
	require.NoError(b.t, err)
	return a
}

// insertMember adds a confirmed account without sign-up, for tests that need many.
func (b *harness) insertMember(tb require.TestingT) uuid.UUID {
	uid := newID()
	_, err := b.db.Pool.Exec(b.t.Context(), `INSERT INTO accounts (uid, username, username_key, email, email_key,
		given_name, family_name, password_hash, referral_code, created_at, confirmed_at)
		VALUES ($1, $2, $2, $2, $2, 'Amara', 'Lindqvist', '', $2, $3, $3)`, uid, uid.String(), b.clock.Now())
	require.NoError(tb, err)
	return uid
}

// outbox lists what is published under a subject, in order.
func (b *harness) outbox(subject string) []*anypb.Any {
	b.t.Helper()
	rows, err := b.db.Pool.Query(b.t.Context(), `SELECT payload FROM outbox WHERE subject = $1 ORDER BY seq`, subject)
	require.NoError(b.t, err)
	raw, err := pgx.CollectRows(rows, pgx.RowTo[[]byte])
	require.NoError(b.t, err)
	payloads := make([]*anypb.Any, len(raw))
	for i := range raw {
		var envelope eventsv1.Envelope
		require.NoError(b.t, proto.Unmarshal(raw[i], &envelope))
		payloads[i] = envelope.GetPayload()
	}
	return payloads
}

// count reads one number.
func (b *harness) count(sql string, args ...any) int {
	b.t.Helper()
	var n int
	require.NoError(b.t, b.db.Pool.QueryRow(b.t.Context(), sql, args...).Scan(&n))
	return n
}

// browser is one person's browser: it keeps cookies and follows redirects up to the client's
// own address.
type browser struct {
	t testing.TB
	b *harness
	*http.Client
	// userAgent is what the browser calls itself (empty: as Go does), address the one that a proxy has seen (empty: none).
	userAgent, address string
}

func (b *harness) browser() *browser {
	b.t.Helper()
	jar, err := cookiejar.New(nil)
	require.NoError(b.t, err)
	c := *b.server.Client()
	c.Jar = jar
	c.CheckRedirect = func(req *http.Request, _ []*http.Request) error {
		if strings.HasSuffix(req.URL.Host, ".test") {
			return http.ErrUseLastResponse
		}
		return nil
	}
	return &browser{t: b.t, b: b, Client: &c}
}

// page is an answer that was read.
type page struct {
	status int
	header http.Header
	body   string
	at     *url.URL
}

func (p page) location(tb testing.TB) *url.URL {
	tb.Helper()
	u, err := url.Parse(p.header.Get("Location"))
	require.NoError(tb, err)
	return u
}

var hidden = regexp.MustCompile(`type="hidden" name="([a-z_]+)" value="([^"]*)"`)

// fields of the page's form that are hidden.
func (p page) fields() url.Values {
	v := url.Values{}
	for _, m := range hidden.FindAllStringSubmatch(p.body, -1) {
		v.Set(m[1], m[2])
	}
	return v
}

// rp is the relying party, built from the libraries that others use.
type rp struct {
	oauth2.Config
	provider *oidc.Provider
	ctx      context.Context
}

func (b *harness) rp() *rp {
	b.t.Helper()
	ctx := oidc.ClientContext(b.t.Context(), b.server.Client())
	provider, err := oidc.NewProvider(ctx, b.server.URL)
	require.NoError(b.t, err)
	return &rp{ctx: ctx, provider: provider, Config: oauth2.Config{
		ClientID: "gateway", ClientSecret: gatewaySecret, RedirectURL: redirectURI, Endpoint: provider.Endpoint(),
		Scopes: []string{"openid", "profile", "email", "phone", "offline_access"},
	}}
}

func (br *browser) do(req *http.Request) page {
	br.t.Helper()
	if br.userAgent != "" {
		req.Header.Set("User-Agent", br.userAgent)
	}
	if br.address != "" {
		req.Header.Set("X-Forwarded-For", br.address)
	}
	res, err := br.Do(req)
	require.NoError(br.t, err)
	defer func() { _ = res.Body.Close() }()
	body, err := io.ReadAll(res.Body)
	require.NoError(br.t, err)
	return page{status: res.StatusCode, header: res.Header, body: string(body), at: res.Request.URL}
}

// get opens an address as a link of the product's own page does.
func (br *browser) get(address string) page { return br.getFrom("same-site", address) }

// getFrom opens an address as a browser does that says who sent it; empty: that does not say.
func (br *browser) getFrom(site, address string) page {
	br.t.Helper()
	req, err := http.NewRequestWithContext(br.t.Context(), http.MethodGet, address, nil)
	require.NoError(br.t, err)
	if site != "" {
		req.Header.Set("Sec-Fetch-Site", site)
	}
	return br.do(req)
}

func (br *browser) post(path string, values url.Values) page {
	br.t.Helper()
	req, err := http.NewRequestWithContext(br.t.Context(), http.MethodPost, br.b.server.URL+path, strings.NewReader(values.Encode()))
	require.NoError(br.t, err)
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	return br.do(req)
}

// open begins an authorization and gives the sign-in page (or the redirect, where none is needed).
func (br *browser) open(client *rp, verifier string, extra ...oauth2.AuthCodeOption) page {
	br.t.Helper()
	options := append([]oauth2.AuthCodeOption{oauth2.S256ChallengeOption(verifier), oauth2.SetAuthURLParam("nonce", "n-1")}, extra...)
	return br.get(client.AuthCodeURL("state-1", options...))
}

// submit fills in the sign-in page.
func (br *browser) submit(p page, login, password string) page {
	br.t.Helper()
	values := p.fields()
	values.Set("login", login)
	values.Set("password", password)
	return br.post("/sign-in", values)
}

// answer presses a button of the page that asks whether an app may act for the member.
func (br *browser) answer(p page, button string) page {
	br.t.Helper()
	require.Equal(br.t, "/sign-in/consent", p.at.Path, p.body)
	values := p.fields()
	values.Set("answer", button)
	return br.post("/sign-in/consent", values)
}

// signIn goes all the way to tokens.
func (br *browser) signIn(client *rp, login string) *oauth2.Token {
	br.t.Helper()
	verifier := oauth2.GenerateVerifier()
	answer := br.submit(br.open(client, verifier), login, goodPassword)
	if answer.at.Path == "/sign-in/consent" {
		answer = br.answer(answer, "allow")
	}
	require.Equal(br.t, http.StatusFound, answer.status, answer.body)
	token, err := client.Exchange(client.ctx, answer.location(br.t).Query().Get("code"), oauth2.VerifierOption(verifier))
	require.NoError(br.t, err)
	return token
}

func (b *harness) clientPost(path, id, secret string, form url.Values) page {
	b.t.Helper()
	req, err := http.NewRequestWithContext(b.t.Context(), http.MethodPost, b.server.URL+path, strings.NewReader(form.Encode()))
	require.NoError(b.t, err)
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	if id != "" {
		req.SetBasicAuth(url.QueryEscape(id), url.QueryEscape(secret))
	}
	res, err := b.server.Client().Do(req)
	require.NoError(b.t, err)
	defer func() { _ = res.Body.Close() }()
	body, err := io.ReadAll(res.Body)
	require.NoError(b.t, err)
	return page{status: res.StatusCode, header: res.Header, body: string(body)}
}
