package billing

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	billingv1 "serein.app/proto/gen/serein/billing/v1"
	"serein.app/proto/gen/serein/billing/v1/billingv1connect"
	eventsv1 "serein.app/proto/gen/serein/events/v1"
	"serein.app/services/billing/internal/metrics"
	"serein.app/services/billing/internal/providertest"
	billingrpc "serein.app/services/billing/internal/rpc"
	"serein.app/services/platform/bus"
	"serein.app/services/platform/config"
	"serein.app/services/platform/errs"
	"serein.app/services/platform/outbox"
	"serein.app/services/platform/postgres"
	"serein.app/services/platform/server"
	"serein.app/services/platform/service"
	"serein.app/services/platform/telemetry"
	"serein.app/services/testkit"
	"serein.app/services/testkit/natstest"
)

// harness is the whole service on its own database and broker.
type harness struct {
	testkit.DB
	broker   *natstest.Server
	provider *providertest.Provider
	pays     metrics.Provider // the same, or another
	shop     *shop
	// noGodControls switches operators' acts on plans off.
	noGodControls bool
	url           string
	tel           *telemetry.Telemetry
	// stop ends the service; run starts it again.
	stop func()
}

func start(tb testing.TB) *harness {
	tb.Helper()
	r := &harness{DB: testkit.Postgres(tb, Name, Migrate), broker: natstest.New(tb), provider: providertest.New(time.Now), shop: openShop(tb)}
	r.pays = r.provider
	r.run(tb)
	return r
}

func (r *harness) run(tb testing.TB) {
	tb.Helper()
	s, err := service.Start(tb.Context(), Name, service.Config{
		Server:   server.Config{Addr: "127.0.0.1:0"},
		Database: postgres.Config{URL: config.URL(r.URL), MaxConns: 8},
		Auth:     testkit.Auth(tb, Name), NATSURL: config.URL(r.broker.URL),
	}, billingrpc.Policy(), testkit.Telemetry(tb))
	require.NoError(tb, err)
	require.NoError(tb, build(s, r.config(), r.pays))
	r.url, r.stop = testkit.Serve(tb, s)
	r.tel = s.Tel
}

// config is what is sold by.
func (r *harness) config() Config {
	return Config{
		PublicURL: "https://serein.example", ContentURL: r.shop.url, PromotionCodes: true, VATPercent: 20, DeliveryAmount: 395,
		DeliveryCountries: []string{"GB"}, GodControls: !r.noGodControls,
	}
}

func (r *harness) credits(tb testing.TB, as string) billingv1connect.CreditServiceClient {
	tb.Helper()
	c, url, options := testkit.Dialer(tb, as).To(Name, r.url)
	return billingv1connect.NewCreditServiceClient(c, url, options)
}

func (r *harness) accounts(tb testing.TB, as string) billingv1connect.AccountServiceClient {
	tb.Helper()
	c, url, options := testkit.Dialer(tb, as).To(Name, r.url)
	return billingv1connect.NewAccountServiceClient(c, url, options)
}

func (r *harness) ledger(tb testing.TB, as string) billingv1connect.LedgerServiceClient {
	tb.Helper()
	c, url, options := testkit.Dialer(tb, as).To(Name, r.url)
	return billingv1connect.NewLedgerServiceClient(c, url, options)
}

func (r *harness) plans(tb testing.TB, as string) billingv1connect.PlanServiceClient {
	tb.Helper()
	c, url, options := testkit.Dialer(tb, as).To(Name, r.url)
	return billingv1connect.NewPlanServiceClient(c, url, options)
}

// trial is the plan of the catalogue that a member starts with.
func (r *harness) trial(tb testing.TB) *billingv1.Plan {
	tb.Helper()
	res, err := r.plans(tb, "gateway").ListPlans(tb.Context(), &billingv1.ListPlansRequest{})
	require.NoError(tb, err)
	for _, plan := range res.GetPlans() {
		if plan.GetKind() == billingv1.PlanKind_PLAN_KIND_TRIAL {
			return plan
		}
	}
	require.Fail(tb, "there is no trial")
	return nil
}

// topUp grants credits that never expire, as the owner of the database.
func (r *harness) topUp(tb testing.TB, uid string, amount int64) {
	tb.Helper()
	_, err := r.Pool.Exec(tb.Context(), `SELECT grant_credits($1, 'top_up', $2, 'gift:' || gen_random_uuid(), NULL, 'A gift', '', now())`, uid, amount)
	require.NoError(tb, err)
}

func newMember() string { return uuid.Must(uuid.NewV7()).String() }

func holdRequest(uid string, amount int64, key string) *billingv1.HoldRequest {
	return &billingv1.HoldRequest{
		Uid: uid, Amount: amount, IdempotencyKey: key, Reference: "meditation:" + key, TtlSeconds: 600,
	}
}

func requireReason(tb testing.TB, err error, reason string) *errs.Error {
	tb.Helper()
	require.Error(tb, err)
	e := errs.From(err)
	require.Equal(tb, reason, e.Word(), "%v", err)
	return e
}

// confirm publishes "user confirmed" as identity did before mailboxes had keys.
func confirm(tb testing.TB, b *bus.Bus, uid string, times int) {
	tb.Helper()
	confirmIn(tb, b, uid, nil, times)
}

// confirmIn publishes "user confirmed" of a mailbox, as one event that comes so many times.
func confirmIn(tb testing.TB, b *bus.Bus, uid string, mailboxKey []byte, times int) {
	tb.Helper()
	confirmAs(tb, b, &eventsv1.UserConfirmed{Uid: uid, Username: "ada", Email: "ada@example.com", GivenName: "Ada", MailboxKey: mailboxKey}, times)
}

func confirmAs(tb testing.TB, b *bus.Bus, event *eventsv1.UserConfirmed, times int) {
	tb.Helper()
	uid := event.GetUid()
	out := outbox.New(nil, b, "identity", testkit.Logger(tb), time.Now)
	row, err := out.Row(tb.Context(), outbox.Event{Aggregate: uid, UID: uid, Message: event})
	require.NoError(tb, err)
	_, err = b.EnsureStream(tb.Context(), "identity")
	require.NoError(tb, err)
	for i := range times {
		// Another message id each time, so that only the inbox can know the event again.
		n, err := b.Publish(tb.Context(), bus.StreamName("identity"), []bus.Message{{
			ID: fmt.Sprint(row.ID, "/", i), Subject: row.Subject, Data: row.Payload,
		}})
		require.NoError(tb, err)
		require.Equal(tb, 1, n)
	}
}

func (r *harness) bus(tb testing.TB) *bus.Bus {
	tb.Helper()
	b, err := bus.Connect(r.broker.URL, "test", testkit.Logger(tb))
	require.NoError(tb, err)
	tb.Cleanup(b.Close)
	require.Eventually(tb, func() bool {
		_, err := b.EnsureStream(tb.Context(), "identity")
		return err == nil
	}, testkit.Patience, 10*time.Millisecond)
	return b
}

func count(tb testing.TB, db *pgxpool.Pool, sql string, args ...any) int {
	tb.Helper()
	rows, err := db.Query(tb.Context(), sql, args...)
	require.NoError(tb, err)
	n, err := pgx.CollectExactlyOneRow(rows, pgx.RowTo[int])
	require.NoError(tb, err)
	return n
}
