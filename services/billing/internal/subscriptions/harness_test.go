package subscriptions_test

import (
	"context"
	"log/slog"
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

// harness is a shop whose members' memberships live, with its own database, clock and payment provider.
type harness struct {
	testkit.DB
	*subscriptions.Service
	seller   *sales.Service
	store    *store.Store
	provider *providertest.Provider
	pays     payments // the same, or another
	logger   *slog.Logger
	jobs     providertest.Jobs

	mu     sync.Mutex
	now    time.Time
	mended int
	// strange counts the subscriptions at the provider that are no membership.
	strange int
	whys    []sales.CancelReason // of cancellations that were counted
	told    int                  // events of the provider that were delivered
}

// payments is all that is asked of a payment provider.
type payments interface {
	sales.Provider
	subscriptions.Provider
}

func setup(tb testing.TB) *harness {
	tb.Helper()
	return setupWith(tb, func(h *harness) payments { return h.provider })
}

func setupWith(tb testing.TB, provider func(h *harness) payments) *harness {
	tb.Helper()
	h := &harness{DB: testkit.Postgres(tb, "billing", store.Migrate), now: begin, logger: testkit.Logger(tb)}
	var err error
	h.store, err = store.New(h.Pool, outbox.New(h.Pool, nil, "billing", h.logger, h.clock), h.clock, uuid.NewV7)
	require.NoError(tb, err)
	h.store.WorkBy(&h.jobs)
	h.store.KeepBooks(store.Books{VATPercent: 20})
	h.provider = providertest.New(h.clock)
	h.pays = provider(h)
	h.Service = h.service(h.store)
	h.seller = sales.New(sales.Ports{
		Store: h.store, Provider: h.pays, Shop: shop{}, Metrics: h, Memberships: h.Service, Log: h.logger, Now: h.clock, NewID: uuid.NewV7,
		Terms: sales.Terms{VATPercent: 20, PublicURL: "https://serein.example"},
	})
	h.jobs.Sales, h.jobs.Memberships = h.seller, h.Service
	require.NoError(tb, h.seller.SyncPrices(tb.Context()))
	return h
}

// service is one more of them: another replica.
func (h *harness) service(s subscriptions.Store) *subscriptions.Service {
	return subscriptions.New(subscriptions.Ports{Store: s, Provider: h.pays, Metrics: h, Log: h.logger, Now: h.clock, NewID: uuid.NewV7})
}

func (h *harness) clock() time.Time {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.now
}

func (h *harness) pass(d time.Duration) { h.at(h.clock().Add(d)) }

func (h *harness) at(now time.Time) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.now = now
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
		require.NoError(tb, h.seller.Receive(tb.Context(), providertest.Payload(e), providertest.Signature))
		h.work(tb)
	}
}

// news are the provider's events since they were last asked for.
func (h *harness) news() []sales.Event {
	all := h.provider.Told()
	h.mu.Lock()
	defer h.mu.Unlock()
	fresh := all[h.told:]
	h.told = len(all)
	return fresh
}

// hear brings all that the provider has told since.
func (h *harness) hear(tb testing.TB) {
	tb.Helper()
	h.deliver(tb, h.news()...)
}

func (h *harness) sweep(tb testing.TB) {
	tb.Helper()
	require.NoError(tb, h.SweepDue(tb.Context()))
	h.work(tb)
}

// SubscriptionMended and the others are what needs somebody, and why members go; only the first three are looked at.
func (h *harness) SubscriptionMended(context.Context) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.mended++
}

func (h *harness) SubscriptionUnknown(context.Context) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.strange++
}

func (h *harness) CancellationScheduled(_ context.Context, why sales.CancelReason) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.whys = append(h.whys, why)
}
func (*harness) WebhookRefused(context.Context, string) {}
func (*harness) WebhookLost(context.Context, string)    {}
func (*harness) SessionUnknown(context.Context)         {}
func (*harness) OrderMismatched(context.Context)        {}
func (*harness) CatalogueFailed(context.Context)        {}

// shop is content's catalogue.
type shop struct{}

func (shop) Catalogue(context.Context) (sales.Catalogue, error) {
	member := []string{"generator", "library", "articles", "journey", "top_up"}
	return sales.Catalogue{
		Plans: []plans.Plan{
			{ID: "free-trial", Name: "Free trial", Kind: plans.Trial, Order: 1, Entitlements: member[:4], TrialDays: 7, InvitedTrialDays: 14, TrialCredits: 8},
			{ID: "core", Name: "Core", Kind: plans.Member, Order: 2, Description: "For a steady practice", Entitlements: member},
			{ID: "premium", Name: "Premium", Kind: plans.Member, Order: 3, Entitlements: member},
		},
		Items: []sales.Item{
			{ProductID: "core", Size: "month", Kind: itemkind.Membership, Name: "Core", Amount: 799, Currency: "gbp", Credits: 20},
			{ProductID: "core", Size: "year", Kind: itemkind.Membership, Name: "Core", Amount: 7990, Currency: "gbp", Credits: 240},
			{ProductID: "premium", Size: "month", Kind: itemkind.Membership, Name: "Premium", Amount: 1299, Currency: "gbp", Credits: 60},
			{ProductID: "pack-20", Kind: itemkind.CreditPack, Name: "20 credits", Amount: 599, Currency: "gbp", Credits: 20},
		},
	}, nil
}

// pay pays for something on the provider's page; billing has received no event of it yet.
func (h *harness) pay(tb testing.TB, uid uuid.UUID, product, size string) sales.Order {
	tb.Helper()
	o, err := h.seller.Start(tb.Context(), sales.Request{
		UID: uid, Key: uuid.NewString(), Email: "ada@example.com", Items: []sales.RequestedLine{{ProductID: product, Size: size, Quantity: 1}},
	})
	require.NoError(tb, err)
	h.provider.Pay(o.SessionID)
	return o
}

// buys pays for something and reads it back.
func (h *harness) buys(tb testing.TB, uid uuid.UUID, product, size string) sales.Order {
	tb.Helper()
	o, err := h.seller.CompleteCheckout(tb.Context(), uid, h.pay(tb, uid, product, size).ID)
	require.NoError(tb, err)
	require.Equal(tb, sales.Completed, o.State)
	h.hear(tb)
	return o
}

// member has a membership of Core by the month.
func (h *harness) member(tb testing.TB) (uid uuid.UUID, subscription string) {
	tb.Helper()
	uid = uuid.Must(uuid.NewV7())
	return uid, h.buys(tb, uid, "core", "month").Subscription
}

// turn lets the period end, and an hour pass, after which the provider bills.
func (h *harness) turn(tb testing.TB, subscription string) {
	tb.Helper()
	sub, err := h.provider.Subscription(tb.Context(), subscription)
	require.NoError(tb, err)
	h.at(sub.PeriodEnd.Add(time.Hour))
	h.provider.Turn(subscription)
}

func (h *harness) account(tb testing.TB, uid uuid.UUID) credits.Account {
	tb.Helper()
	a, err := h.store.Account(tb.Context(), uid)
	require.NoError(tb, err)
	return a
}

func (h *harness) status(tb testing.TB, uid uuid.UUID) plans.Status {
	tb.Helper()
	return h.account(tb, uid).Subscription.Status(h.clock())
}

func (h *harness) spend(tb testing.TB, uid uuid.UUID, amount int64) {
	tb.Helper()
	hold, _, err := h.store.Hold(tb.Context(), credits.HoldRequest{UID: uid, Amount: amount, Key: uuid.NewString(), Reference: "meditation:x", TTL: time.Hour})
	require.NoError(tb, err)
	require.NoError(tb, h.store.Capture(tb.Context(), hold.ID))
}

// orders are a member's, from the newest.
func (h *harness) orders(tb testing.TB, uid uuid.UUID) []sales.Order {
	tb.Helper()
	orders, err := h.seller.Orders(tb.Context(), uid, 1<<40, 100)
	require.NoError(tb, err)
	return orders
}

func (h *harness) trial(tb testing.TB, uid uuid.UUID) {
	tb.Helper()
	require.NoError(tb, postgres.InTx(tb.Context(), h.Pool, func(ctx context.Context, tx pgx.Tx) error {
		return h.store.StartTrial(ctx, tx, uid, nil, uuid.Nil)
	}))
}

func (h *harness) count(tb testing.TB, sql string, args ...any) (n int) {
	tb.Helper()
	require.NoError(tb, h.Pool.QueryRow(tb.Context(), sql, args...).Scan(&n))
	return n
}

// events are those of a kind that were told, the oldest first.
func events[M proto.Message](tb testing.TB, h *harness, subject string) (all []M) {
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

// requireSound checks the books: they sum to zero, and a member's balance is the sum of their entries.
func (h *harness) requireSound(tb testing.TB, uid uuid.UUID) {
	tb.Helper()
	require.Zero(tb, h.count(tb, `SELECT coalesce(sum(change), 0)::int FROM legs`))
	require.Equal(tb, int(h.account(tb, uid).Balance.Total()), h.count(tb, `SELECT coalesce(sum(change), 0)::int FROM legs WHERE uid = $1 AND account IN ('plan', 'top_up')`, uid))
}
