package sales_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/proto"

	eventsv1 "serein.app/proto/gen/serein/events/v1"
	"serein.app/services/billing/internal/credits"
	"serein.app/services/billing/internal/plans"
	store "serein.app/services/billing/internal/postgres"
	"serein.app/services/billing/internal/providertest"
	"serein.app/services/billing/internal/sales"
	"serein.app/services/billing/internal/subscriptions"
	"serein.app/services/platform/errs"
	"serein.app/services/platform/itemkind"
	"serein.app/services/platform/outbox"
	"serein.app/services/platform/postgres"
	"serein.app/services/testkit"
)

// begin is when every test begins.
var begin = time.Date(2027, 3, 1, 9, 0, 0, 0, time.UTC)

// harness is a shop with its own database, clock and payment provider. Jobs are done when a test asks for it.
type harness struct {
	testkit.DB
	*sales.Service
	store    *store.Store
	provider *providertest.Provider
	shop     *shop
	counts   *counts
	jobs     providertest.Jobs
	// memberships are those of the shop's members.
	memberships *subscriptions.Service

	mu  sync.Mutex
	now time.Time
}

func setup(tb testing.TB) *harness {
	tb.Helper()
	return setupIn(tb, testkit.Postgres(tb, "billing", store.Migrate))
}

func setupIn(tb testing.TB, db testkit.DB) *harness {
	tb.Helper()
	h := &harness{DB: db, now: begin, shop: &shop{catalogue: catalogue()}, counts: &counts{lost: map[string]int{}}}
	out := outbox.New(h.Pool, nil, "billing", testkit.Logger(tb), h.clock)
	var err error
	h.store, err = store.New(h.Pool, out, h.clock, uuid.NewV7)
	require.NoError(tb, err)
	h.store.WorkBy(&h.jobs)
	h.provider = providertest.New(h.clock)
	h.store.KeepBooks(store.Books{VATPercent: 20})
	h.memberships = subscriptions.New(subscriptions.Ports{
		Store: h.store, Provider: h.provider, Metrics: h.counts, Log: testkit.Logger(tb), Now: h.clock, NewID: uuid.NewV7,
	})
	h.Service = sales.New(sales.Ports{
		Store: h.store, Provider: h.provider, Shop: h.shop, Metrics: h.counts, Log: testkit.Logger(tb), Now: h.clock, NewID: uuid.NewV7,
		Memberships: h.memberships,
		Terms:       sales.Terms{VATPercent: 20, DeliveryAmount: 395, DeliveryCountries: []string{"GB"}, PublicURL: "https://serein.example"},
	})
	h.jobs.Sales, h.jobs.Memberships = h.Service, h.memberships
	require.NoError(tb, h.SyncPrices(tb.Context()))
	return h
}

func (h *harness) clock() time.Time {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.now
}

func (h *harness) pass(d time.Duration) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.now = h.now.Add(d)
}

// work does the jobs that wait.
func (h *harness) work(tb testing.TB) {
	tb.Helper()
	h.jobs.Do(tb)
}

// deliver brings events as webhooks, and does what they call for.
func (h *harness) deliver(tb testing.TB, events ...sales.Event) {
	tb.Helper()
	for _, e := range events {
		require.NoError(tb, h.Receive(tb.Context(), providertest.Payload(e), providertest.Signature))
		h.work(tb)
	}
}

// shop is content's catalogue.
type shop struct {
	mu        sync.Mutex
	catalogue sales.Catalogue
	err       error
}

func (s *shop) Catalogue(context.Context) (sales.Catalogue, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.catalogue, s.err
}

func catalogue() sales.Catalogue {
	member := []string{"generator", "library", "articles", "journey", "top_up"}
	return sales.Catalogue{
		Plans: []plans.Plan{
			{ID: "free-trial", Name: "Free trial", Kind: plans.Trial, Order: 1, Entitlements: member[:4], TrialDays: 7, InvitedTrialDays: 14, TrialCredits: 8},
			{ID: "core", Name: "Core", Kind: plans.Member, Order: 2, Features: []string{"All of it"}, Entitlements: member},
			{ID: "premium", Name: "Premium", Kind: plans.Member, Order: 3, Entitlements: member},
			{ID: "enquiry", Name: "For workplaces", Kind: plans.Enquiry, Order: 4},
		},
		Items: []sales.Item{
			{ProductID: "core", Size: "month", Kind: itemkind.Membership, Name: "Core", Amount: 799, Currency: "gbp", Credits: 20},
			{ProductID: "core", Size: "year", Kind: itemkind.Membership, Name: "Core", Amount: 7990, Currency: "gbp", Credits: 240},
			{ProductID: "premium", Size: "month", Kind: itemkind.Membership, Name: "Premium", Amount: 1299, Currency: "gbp", Credits: 60},
			{ProductID: "pack-20", Kind: itemkind.CreditPack, Name: "20 credits", Amount: 599, Currency: "gbp", Credits: 20},
			{ProductID: "pack-100", Kind: itemkind.CreditPack, Name: "100 credits", Amount: 2299, Currency: "gbp", Credits: 100},
			{ProductID: "tee", Kind: itemkind.Product, Name: "Leaning Pine tee", Amount: 2400, Currency: "gbp", Sizes: []string{"S", "M", "L"}, SoldOut: []string{"L"}},
			{ProductID: "tote", Kind: itemkind.Product, Name: "Tote", Amount: 1200, Currency: "gbp"},
			{ProductID: "socks", Kind: itemkind.Product, Name: "Rain socks", Amount: 900, Currency: "gbp", NoneLeft: true},
		},
	}
}

// counts are what needs somebody.
type counts struct {
	mu                            sync.Mutex
	refused                       []string
	lost                          map[string]int
	unknown, mismatched, failures int
	mended, strange               int
}

func (c *counts) add(n *int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	*n++
}

func (c *counts) WebhookRefused(_ context.Context, reason string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.refused = append(c.refused, reason)
}

func (c *counts) WebhookLost(_ context.Context, found string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.lost[found]++
}
func (c *counts) SessionUnknown(context.Context)      { c.add(&c.unknown) }
func (c *counts) OrderMismatched(context.Context)     { c.add(&c.mismatched) }
func (c *counts) CatalogueFailed(context.Context)     { c.add(&c.failures) }
func (c *counts) SubscriptionMended(context.Context)  { c.add(&c.mended) }
func (c *counts) SubscriptionUnknown(context.Context) { c.add(&c.strange) }

// CancellationScheduled is not looked at.
func (*counts) CancellationScheduled(context.Context, sales.CancelReason) {}

func newMember() uuid.UUID { return uuid.Must(uuid.NewV7()) }

func wants(things ...string) []sales.RequestedLine {
	var all []sales.RequestedLine
	for i := 0; i < len(things); i += 2 {
		all = append(all, sales.RequestedLine{ProductID: things[i], Size: things[i+1], Quantity: 1})
	}
	return all
}

func request(uid uuid.UUID, things ...string) sales.Request {
	return sales.Request{UID: uid, Key: uuid.NewString(), Items: wants(things...), Email: "ada@example.com", GivenName: "Ada", FamilyName: "Łukasz"}
}

func (h *harness) begins(tb testing.TB, r sales.Request) sales.Order {
	tb.Helper()
	o, err := h.Start(tb.Context(), r)
	require.NoError(tb, err)
	return o
}

// buys pays for something and reads it back.
func (h *harness) buys(tb testing.TB, uid uuid.UUID, things ...string) sales.Order {
	tb.Helper()
	o := h.begins(tb, request(uid, things...))
	h.provider.Pay(o.SessionID)
	o, err := h.CompleteCheckout(tb.Context(), uid, o.ID)
	require.NoError(tb, err)
	require.Equal(tb, sales.Completed, o.State)
	return o
}

func (h *harness) order(tb testing.TB, id uuid.UUID) sales.Order {
	tb.Helper()
	o, err := h.store.Order(tb.Context(), id)
	require.NoError(tb, err)
	return o
}

func (h *harness) account(tb testing.TB, uid uuid.UUID) credits.Account {
	tb.Helper()
	a, err := h.store.Account(tb.Context(), uid)
	require.NoError(tb, err)
	return a
}

// trial starts a member's trial as identity's event does.
func (h *harness) trial(tb testing.TB, uid uuid.UUID) {
	tb.Helper()
	require.NoError(tb, postgres.InTx(tb.Context(), h.Pool, func(ctx context.Context, tx pgx.Tx) error {
		return h.store.StartTrial(ctx, tx, uid, nil, uuid.Nil)
	}))
}

func (h *harness) departs(tb testing.TB, uid uuid.UUID) {
	tb.Helper()
	require.NoError(tb, postgres.InTx(tb.Context(), h.Pool, func(ctx context.Context, tx pgx.Tx) error {
		return h.store.Depart(ctx, tx, uid)
	}))
}

func (h *harness) count(tb testing.TB, sql string, args ...any) (n int) {
	tb.Helper()
	require.NoError(tb, h.Pool.QueryRow(tb.Context(), sql, args...).Scan(&n))
	return n
}

// told is how many events of a kind were told.
func (h *harness) told(tb testing.TB, subject string) int {
	tb.Helper()
	return h.count(tb, `SELECT count(*) FROM outbox WHERE subject = $1`, "serein.billing."+subject+".v1")
}

// payloads are the events of a kind that were told, the oldest first.
func payloads[M proto.Message](tb testing.TB, h *harness, subject string) (all []M) {
	tb.Helper()
	rows, err := h.Pool.Query(tb.Context(), `SELECT payload FROM outbox WHERE subject = $1 ORDER BY seq`, "serein.billing."+subject+".v1")
	require.NoError(tb, err)
	bytes, err := pgx.CollectRows(rows, pgx.RowTo[[]byte])
	require.NoError(tb, err)
	for _, b := range bytes {
		var envelope eventsv1.Envelope
		require.NoError(tb, proto.Unmarshal(b, &envelope))
		payload, err := envelope.GetPayload().UnmarshalNew()
		require.NoError(tb, err)
		all = append(all, payload.(M)) //nolint:forcetypeassert // another kind fails the test as it should
	}
	return all
}

func requireReason(tb testing.TB, err error, reason string) {
	tb.Helper()
	require.Error(tb, err)
	require.Equal(tb, reason, errs.From(err).Word(), "%v", err)
}

// onlyOrder is the id of a member's one order.
func (h *harness) onlyOrder(tb testing.TB, uid uuid.UUID) (id uuid.UUID) {
	tb.Helper()
	require.NoError(tb, h.Pool.QueryRow(tb.Context(), `SELECT id FROM orders WHERE uid = $1`, uid).Scan(&id))
	return id
}

// sessionOf is a member's one page at the provider, as only the provider knows it.
func (h *harness) sessionOf(tb testing.TB, uid uuid.UUID) string {
	tb.Helper()
	customer, err := h.store.Customer(tb.Context(), uid)
	require.NoError(tb, err)
	sessions, err := h.provider.SessionsOf(tb.Context(), customer, begin)
	require.NoError(tb, err)
	require.Len(tb, sessions, 1)
	return sessions[0].ID
}
