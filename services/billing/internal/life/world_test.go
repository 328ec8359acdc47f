package life_test

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"serein.app/services/billing/internal/plans"
	store "serein.app/services/billing/internal/postgres"
	"serein.app/services/billing/internal/providertest"
	"serein.app/services/billing/internal/sales"
	"serein.app/services/billing/internal/stripe"
	"serein.app/services/billing/internal/subscriptions"
	"serein.app/services/platform/bus"
	"serein.app/services/platform/config"
	"serein.app/services/platform/itemkind"
	"serein.app/services/platform/outbox"
	"serein.app/services/testkit"
	"serein.app/services/testkit/paymentsandbox"
)

const (
	apiKey = "sk_test_0123456789abcdef0123456789abcdef"
	secret = "whsec_0123456789abcdef0123456789abcdef"
)

// begin is when every life begins; its first months have the end of a daylight-saving time and a February in them.
var begin = time.Date(2027, 8, 31, 9, 0, 0, 0, time.UTC)

// site is what many lives share: a database, and the addresses of the provider and of our webhook.
type site struct {
	testkit.DB
	admin     *pgxpool.Pool
	provider  *stripe.Provider
	api, hook *httptest.Server
	at        atomic.Pointer[world]
	// bus takes our events, and ear hears them; without one nobody does.
	bus *bus.Bus
	ear ear
}

func open(tb testing.TB) *site {
	tb.Helper()
	s := &site{DB: testkit.Postgres(tb, "billing", store.Migrate)}
	var err error
	s.admin, err = pgxpool.New(tb.Context(), s.AdminURL)
	require.NoError(tb, err)
	tb.Cleanup(s.admin.Close)
	s.api = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { s.at.Load().sandbox.ServeHTTP(w, r) }))
	tb.Cleanup(s.api.Close)
	s.hook = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { s.at.Load().receive(w, r) }))
	tb.Cleanup(s.hook.Close)
	s.provider, err = stripe.New(stripe.Config{APIKey: apiKey, WebhookSecrets: []config.Secret{secret}, APIURL: s.api.URL})
	require.NoError(tb, err)
	return s
}

// world is a shop with its members, its clock and its payment provider.
type world struct {
	*site
	t       require.TestingT
	moment  atomic.Int64
	sandbox *paymentsandbox.Sandbox

	store *store.Store
	out   *outbox.Outbox
	items map[string]sales.Item

	// halt ends the relay of our events.
	halt func()

	// Jobs are done where a step says so; they know the services.
	providertest.Jobs
	// told is the provider's last event that was looked at; those in kept were not delivered.
	told   string
	kept   []string
	counts counts

	members []*member
	byUID   map[uuid.UUID]*member
	byPlan  map[string]*member // by the provider's id of a membership
	paid    map[string]*payment
	// entries are the hashes of the ledger's as it was looked at last.
	entries map[string]string
	// dies and lives are how many changes from now on die before their commit, and after it.
	dies, lives int
}

// newWorld empties the database and starts a world at the beginning.
func newWorld(t require.TestingT, s *site) *world {
	w := &world{site: s, t: t, byUID: map[uuid.UUID]*member{}, byPlan: map[string]*member{}, paid: map[string]*payment{}, halt: func() {}}
	w.moment.Store(begin.UnixNano())
	w.empty()
	s.ear.forget()
	var err error
	w.sandbox, err = paymentsandbox.New(paymentsandbox.Config{Key: apiKey, Now: w.clock, SearchLag: -1})
	require.NoError(t, err)
	s.at.Store(w)
	w.sandbox.SetDelivery(paymentsandbox.Delivery{Hold: true})
	w.sandbox.Notify(paymentsandbox.Webhook{URL: s.hook.URL, Secrets: []string{secret}})
	w.start()
	require.NoError(t, w.Sales.SyncPrices(context.Background()))
	items, err := w.store.Items(context.Background())
	require.NoError(t, err)
	w.items = map[string]sales.Item{}
	for _, item := range items {
		w.items[item.LookupKey()] = item
	}
	w.planned() // as at every start: from here on no event of the provider's is passed over
	return w
}

func (w *world) close() {
	w.halt()
	require.NoError(w.t, w.sandbox.Close())
}

// empty deletes the rows of earlier lives. TRUNCATE would create new files for every table, which takes longer than a life. It needs the
// server's administrator, since the ledger is append-only for every other role.
func (w *world) empty() {
	_, err := w.admin.Exec(context.Background(), `DO $$ DECLARE lived text; BEGIN
		SET LOCAL session_replication_role = replica;
		FOR lived IN SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'plans' AND tablename !~ '^(goose|river)' LOOP
			EXECUTE 'DELETE FROM ' || quote_ident(lived);
		END LOOP;
	END $$`)
	require.NoError(w.t, err)
	// The server of the tests has no autovacuum: every look at the books would read the dead rows of all lives before.
	var lived string
	require.NoError(w.t, w.admin.QueryRow(context.Background(), `SELECT string_agg(quote_ident(tablename), ', ') FROM pg_tables WHERE schemaname = 'public'`).Scan(&lived))
	_, err = w.admin.Exec(context.Background(), "VACUUM "+lived)
	require.NoError(w.t, err)
}

// start creates new services over the same database, as the process after a crashed one does.
func (w *world) start() {
	log := slog.New(slog.DiscardHandler)
	w.halt()
	w.out = outbox.New(w.Pool, w.bus, "billing", log, w.clock)
	var err error
	w.store, err = store.New(w.Pool, w.out, w.clock, uuid.NewV7)
	require.NoError(w.t, err)
	w.store.WorkBy(w)
	w.store.KeepBooks(store.Books{VATPercent: 20})
	watched := &watched{Provider: w.provider, in: w}
	kept := &keeps{Store: w.store, in: w}
	w.Memberships = subscriptions.New(subscriptions.Ports{Store: kept, Provider: watched, Metrics: &w.counts, Log: log, Now: w.clock, NewID: uuid.NewV7})
	w.Sales = sales.New(sales.Ports{
		Store: kept, Provider: watched, Shop: shop{}, Metrics: &w.counts, Memberships: w.Memberships, Log: log, Now: w.clock, NewID: uuid.NewV7,
		Terms: sales.Terms{VATPercent: 20, PublicURL: "https://serein.example"},
	})
	w.publishes()
}

func (w *world) clock() time.Time { return time.Unix(0, w.moment.Load()).UTC() }

// receive is the gateway's route for webhooks.
func (w *world) receive(rw http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		rw.WriteHeader(http.StatusBadRequest)
		return
	}
	if err := w.Sales.Receive(r.Context(), body, r.Header.Get("Stripe-Signature")); err != nil {
		rw.WriteHeader(http.StatusServiceUnavailable)
	}
}

// TakeBalance waits as the other jobs do, and is held against the model when it is done.
func (w *world) TakeBalance(_ context.Context, _ pgx.Tx, id uuid.UUID) error {
	return w.Later(func(ctx context.Context) error {
		m, o := w.ordered(id.String())
		left := min(o.of.creditedOf(o.bill), -m.customer.balance)
		err := w.Memberships.TakeBalance(ctx, id)
		require.True(w.t, err != nil || left <= 0 || o.balanced, "%d of its money are left", left)
		return err
	})
}

// work does the jobs that wait.
func (w *world) work() { w.Do(w.t) }

// counts are what needs somebody.
type counts struct{ refused, unknown, mismatched, mended, strange int }

func (c *counts) WebhookRefused(context.Context, string) { c.refused++ }
func (c *counts) WebhookLost(context.Context, string)    {}
func (c *counts) SessionUnknown(context.Context)         { c.unknown++ }
func (c *counts) OrderMismatched(context.Context)        { c.mismatched++ }
func (c *counts) CatalogueFailed(context.Context)        {}
func (c *counts) SubscriptionMended(context.Context)     { c.mended++ }
func (c *counts) SubscriptionUnknown(context.Context)    { c.strange++ }

// CancellationScheduled is not looked at.
func (*counts) CancellationScheduled(context.Context, sales.CancelReason) {}

// shop is content's catalogue.
type shop struct{}

func (shop) Catalogue(context.Context) (sales.Catalogue, error) {
	may := []string{"generator", "library", "articles", "journey", "top_up"}
	membership := func(plan, name, period string, amount, credits int64) sales.Item {
		return sales.Item{ProductID: plan, Size: period, Kind: itemkind.Membership, Name: name, Amount: amount, Currency: "gbp", Credits: credits}
	}
	return sales.Catalogue{
		Plans: []plans.Plan{
			{ID: "free-trial", Name: "Free trial", Kind: plans.Trial, Order: 1, Entitlements: may[:4], TrialDays: 7, InvitedTrialDays: 14, TrialCredits: 8},
			{ID: "core", Name: "Core", Kind: plans.Member, Order: 2, Entitlements: may},
			{ID: "premium", Name: "Premium", Kind: plans.Member, Order: 3, Entitlements: may},
		},
		Items: []sales.Item{
			membership("core", "Core", "month", 799, 20), membership("core", "Core", "year", 7990, 240),
			membership("premium", "Premium", "month", 1299, 60), membership("premium", "Premium", "year", 12990, 720),
			{ProductID: "pack-20", Kind: itemkind.CreditPack, Name: "20 credits", Amount: 599, Currency: "gbp", Credits: 20},
			{ProductID: "pack-100", Kind: itemkind.CreditPack, Name: "100 credits", Amount: 2299, Currency: "gbp", Credits: 100},
		},
	}, nil
}
