package billing

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	billingv1 "serein.app/proto/gen/serein/billing/v1"
	"serein.app/services/billing/internal/providertest"
	"serein.app/services/billing/internal/stripe"
	"serein.app/services/platform/auth"
	"serein.app/services/platform/config"
	"serein.app/services/platform/errs"
	"serein.app/services/testkit"
	"serein.app/services/testkit/natstest"
	"serein.app/services/testkit/paymentsandbox"
)

const (
	apiKey        = "sk_test_0123456789abcdef0123456789abcdef"
	webhookSecret = "whsec_0123456789abcdef0123456789abcdef"
)

// selling is the whole service before the payment sandbox, through the adapter, with webhooks as the gateway brings them.
type selling struct {
	*harness
	seller
	sandbox *paymentsandbox.Sandbox
	stripe  StripeConfig
}

func sell(t *testing.T) *selling {
	t.Helper()
	sandbox, err := paymentsandbox.New(paymentsandbox.Config{Key: apiKey, Retry: 50 * time.Millisecond, SearchLag: -1})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, sandbox.Close()) })
	api := httptest.NewServer(sandbox)
	t.Cleanup(api.Close)
	s := &selling{
		harness: &harness{DB: testkit.Postgres(t, Name, Migrate), broker: natstest.New(t), provider: providertest.New(time.Now), shop: openShop(t)},
		sandbox: sandbox,
		stripe:  StripeConfig{APIKey: apiKey, WebhookSecrets: []config.Secret{webhookSecret}, APIURL: api.URL},
	}
	s.pays, err = stripe.New(s.stripe.provider())
	require.NoError(t, err)
	s.run(t)
	s.seller = s.opens(t)
	hook := httptest.NewServer(http.HandlerFunc(s.receive))
	t.Cleanup(hook.Close)
	sandbox.Notify(paymentsandbox.Webhook{URL: hook.URL, Secrets: []string{webhookSecret}})
	return s
}

// receive is the gateway's route: the body as it came.
func (s *selling) receive(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err == nil {
		_, err = s.ReceiveWebhook(r.Context(), &billingv1.ReceiveWebhookRequest{Payload: body, Signature: r.Header.Get("Stripe-Signature")})
	}
	switch errs.KindOf(err) {
	case errs.None:
	case errs.Invalid:
		w.WriteHeader(http.StatusBadRequest)
	default:
		w.WriteHeader(http.StatusServiceUnavailable)
	}
}

func (s *selling) account(t *testing.T, ctx context.Context) *billingv1.GetAccountResponse { //nolint:revive // as the tests read
	t.Helper()
	account, err := s.accounts(t, "gateway").GetAccount(ctx, &billingv1.GetAccountRequest{})
	require.NoError(t, err)
	return account
}

func (s *selling) begins(t *testing.T, ctx context.Context, things ...string) *billingv1.StartCheckoutResponse { //nolint:revive // likewise
	t.Helper()
	begun, err := s.StartCheckout(ctx, checkout(things...))
	require.NoError(t, err)
	return begun
}

func (s *selling) reads(t *testing.T, ctx context.Context, order string) *billingv1.Order { //nolint:revive // likewise
	t.Helper()
	res, err := s.CompleteCheckout(ctx, &billingv1.CompleteCheckoutRequest{OrderId: order})
	require.NoError(t, err)
	return res.GetOrder()
}

func TestEverythingIsSoldThroughTheProvidersOwnAPI(t *testing.T) {
	t.Parallel()
	s := sell(t)
	ctx := auth.WithMember(t.Context(), newMember())
	// A declined card leaves everything as it was, and the page open.
	membership := s.begins(t, ctx, "serein-core", "year")
	require.ErrorIs(t, s.sandbox.Pay(membership.GetSessionId(), paymentsandbox.Declined), paymentsandbox.ErrDeclined)
	require.Equal(t, billingv1.OrderState_ORDER_STATE_OPEN, s.reads(t, ctx, membership.GetOrderId()).GetState())
	require.ErrorIs(t, s.sandbox.Pay(membership.GetSessionId(), paymentsandbox.NeedsConfirmation), paymentsandbox.ErrConfirm)
	require.NoError(t, s.sandbox.Confirm(membership.GetSessionId(), true))
	require.Eventually(t, func() bool { return s.account(t, ctx).GetSubscription() != nil }, testkit.Patience, 20*time.Millisecond, "by the webhook alone")
	sub := s.account(t, ctx).GetSubscription()
	require.Equal(t, "year", sub.GetPeriod())
	require.WithinDuration(t, time.Now().AddDate(1, 0, 0), sub.GetEndsAt().AsTime(), 25*time.Hour)
	require.Equal(t, int64(240), s.account(t, ctx).GetBalance().GetPlanAvailable())

	things := s.begins(t, ctx, "tee", "M", "tee", "S", "pack-20", "")
	require.NoError(t, s.sandbox.Pay(things.GetSessionId(), paymentsandbox.Accepted))
	order := s.reads(t, ctx, things.GetOrderId())
	require.Equal(t, billingv1.OrderState_ORDER_STATE_COMPLETED, order.GetState())
	require.Equal(t, int64(2*2400+599+395), order.GetTotal())
	require.Equal(t, "BA1 1AA", order.GetAddress().GetPostalCode())
	require.Equal(t, int64(20), s.account(t, ctx).GetBalance().GetTopUpAvailable())
	require.NoError(t, s.sandbox.Settled(t.Context()))
	portal, err := s.OpenPortal(ctx, &billingv1.OpenPortalRequest{})
	require.NoError(t, err)
	require.Contains(t, portal.GetUrl(), "http")

	require.Equal(t, 1, count(t, s.Pool, `SELECT count(*)::int FROM customers`))
	require.Equal(t, 2, count(t, s.Pool, `SELECT count(*)::int FROM outbox WHERE subject = 'serein.billing.order.completed.v1'`))
}

// D7: each fault of the API in each call of a purchase, and it is charged once.
func TestAnAPIThatFailsInAnyWayChargesOnce(t *testing.T) {
	t.Parallel()
	s := sell(t)
	for _, fault := range []paymentsandbox.Fault{
		{Kind: paymentsandbox.Away},
		{Kind: paymentsandbox.Lost},
		{Kind: paymentsandbox.Slow, Delay: 200 * time.Millisecond},
		{Kind: paymentsandbox.Conflict},
		{Kind: paymentsandbox.Busy},
		{Kind: paymentsandbox.Down},
		{Kind: paymentsandbox.Broken},
	} {
		for _, path := range []string{"/v1/customers", "/v1/checkout/sessions", "/v1/subscriptions"} {
			fault.Path, fault.Times = path, 1
			ctx := auth.WithMember(t.Context(), newMember())
			req := checkout("serein-core", "month")
			s.sandbox.Fail(fault)
			begun := again(t, func() (*billingv1.StartCheckoutResponse, error) { return s.StartCheckout(ctx, req) })
			repeated, err := s.StartCheckout(ctx, req)
			require.NoError(t, err)
			require.Equal(t, begun.GetSessionId(), repeated.GetSessionId())
			require.NoError(t, s.sandbox.Pay(begun.GetSessionId(), paymentsandbox.Accepted))
			done := again(t, func() (*billingv1.CompleteCheckoutResponse, error) {
				return s.CompleteCheckout(ctx, &billingv1.CompleteCheckoutRequest{OrderId: begun.GetOrderId()})
			})
			require.Equal(t, billingv1.OrderState_ORDER_STATE_COMPLETED, done.GetOrder().GetState())
			require.Equal(t, int64(20), s.account(t, ctx).GetBalance().GetPlanAvailable())
			s.sandbox.Heal()
		}
	}
	require.NoError(t, s.sandbox.Settled(t.Context()))
	paid := slices.DeleteFunc(s.sandbox.Events(), func(e paymentsandbox.EventType) bool { return e.Type != "checkout.session.completed" })
	require.Len(t, paid, 21)
	require.Equal(t, 21, count(t, s.Pool, `SELECT count(*)::int FROM orders WHERE state = 'completed'`))
	require.Equal(t, 21, count(t, s.Pool, `SELECT count(*)::int FROM entries`))
}

// again asks until it is answered; what comes between is that the provider is away.
func again[T any](t *testing.T, ask func() (T, error)) T {
	t.Helper()
	for range 5 {
		answer, err := ask()
		if err == nil {
			return answer
		}
		requireReason(t, err, "PAYMENT_PROVIDER_UNAVAILABLE")
	}
	require.FailNow(t, "the provider did not come back")
	panic("unreachable")
}

func TestARefundAtTheProvidersPagesTakesTheCreditsBack(t *testing.T) {
	t.Parallel()
	s := sell(t)
	ctx := auth.WithMember(t.Context(), newMember())
	membership := s.begins(t, ctx, "serein-core", "month")
	require.NoError(t, s.sandbox.Pay(membership.GetSessionId(), paymentsandbox.Accepted))
	s.reads(t, ctx, membership.GetOrderId())
	pack := s.begins(t, ctx, "pack-20", "")
	require.NoError(t, s.sandbox.Pay(pack.GetSessionId(), paymentsandbox.Accepted))
	s.reads(t, ctx, pack.GetOrderId())
	payment := func(order string) (id string) {
		require.NoError(t, s.Pool.QueryRow(t.Context(), `SELECT payment_id FROM orders WHERE id = $1`, order).Scan(&id))
		return id
	}
	require.NoError(t, s.sandbox.Refund(payment(pack.GetOrderId()), 599))
	require.NoError(t, s.sandbox.Dispute(payment(membership.GetOrderId())))
	require.Eventually(t, func() bool {
		balance := s.account(t, ctx).GetBalance()
		return balance.GetTopUpAvailable() == 0 && balance.GetPlanAvailable() == 0
	}, testkit.Patience, 20*time.Millisecond)
	require.Equal(t, int64(599), s.reads(t, ctx, pack.GetOrderId()).GetRefunded())
	require.Equal(t, int64(799), s.reads(t, ctx, membership.GetOrderId()).GetRefunded())
	require.False(t, s.account(t, ctx).GetSubscription().GetRenews())
	require.NoError(t, s.sandbox.Settled(t.Context()))
	require.Eventually(t, func() bool {
		return slices.ContainsFunc(s.sandbox.Events(), func(e paymentsandbox.EventType) bool { return e.Type == "customer.subscription.deleted" })
	}, testkit.Patience, 20*time.Millisecond, "the membership is charged no more")
}

func TestACustomerThatWasDeletedAtTheProviderKeepsNobodyFromBuying(t *testing.T) {
	t.Parallel()
	s := sell(t)
	uid := newMember()
	ctx := auth.WithMember(t.Context(), uid)
	s.begins(t, ctx, "tote", "")
	known := func() (id string) {
		require.NoError(t, s.Pool.QueryRow(t.Context(), `SELECT customer_id FROM customers WHERE uid = $1`, uid).Scan(&id))
		return id
	}
	before := known()
	require.NoError(t, s.pays.DeleteCustomer(t.Context(), "delete", before))
	begun := s.begins(t, ctx, "tee", "S")
	require.NoError(t, s.sandbox.Pay(begun.GetSessionId(), paymentsandbox.Accepted))
	require.Equal(t, billingv1.OrderState_ORDER_STATE_COMPLETED, s.reads(t, ctx, begun.GetOrderId()).GetState())
	require.NotEqual(t, before, known())
}

// A10: through the adapter, which knows a signature and no more.
func TestASignedEventOfAnotherAccountOrModeIsKeptAndNotActedUpon(t *testing.T) {
	t.Parallel()
	s := sell(t)
	for why, data := range map[string]string{"account": `"account":"acct_other","livemode":false`, "live": `"livemode":true`} {
		body := []byte(`{"id":"evt_` + why + `","object":"event","api_version":"` + paymentsandbox.APIVersion + `","type":"checkout.session.completed",
			"created":` + strconv.FormatInt(time.Now().Unix(), 10) + `,"data":{"object":{"id":"cs_test_1","object":"checkout.session"}},` + data + `}`)
		signature := paymentsandbox.Sign(body, time.Now(), webhookSecret)
		for range 2 {
			_, err := s.ReceiveWebhook(t.Context(), &billingv1.ReceiveWebhookRequest{Payload: body, Signature: signature})
			require.NoError(t, err, "it is not sent again")
		}
		require.Equal(t, 1, count(t, s.Pool, `SELECT count(*)::int FROM webhook_events WHERE id = $1 AND refused = $2 AND applied_at IS NULL`, "evt_"+why, why))
	}
}

// A7: an empty or short secret, no secret, and a key of the other kind refuse to start.
func TestBillingDoesNotStartWithASecretThatCouldBeGuessed(t *testing.T) {
	t.Parallel()
	good := map[string]string{
		"DATABASE_URL": "postgres://x", "NATS_URL": "nats://x", "PUBLIC_URL": "https://serein.example", "CONTENT_URL": "http://content",
		"STRIPE_API_KEY": apiKey, "STRIPE_WEBHOOK_SECRET": webhookSecret + "," + webhookSecret, "VAT_NUMBER": "GB 123 4567 89",
		"RECEIPT_FROM": "Serein Ltd,2 Mill Lane",
	}
	cfg := testkit.Auth(t, Name)
	good["SERVICE_KEY"], good["SERVICE_KEYS"] = cfg.ServiceKey.Reveal(), cfg.Peers
	loaded, err := config.Load[Config](good)
	require.NoError(t, err)
	require.Equal(t, []string{"GB"}, loaded.DeliveryCountries)
	require.Equal(t, []string{"card"}, loaded.PaymentMethods)
	require.Len(t, loaded.Stripe.WebhookSecrets, 2)
	require.Equal(t, []string{"Serein Ltd", "2 Mill Lane"}, loaded.ReceiptFrom)
	for _, bad := range []struct{ name, value string }{
		{"STRIPE_WEBHOOK_SECRET", ""},
		{"STRIPE_WEBHOOK_SECRET", " "},
		{"STRIPE_WEBHOOK_SECRET", "short"},
		{"STRIPE_WEBHOOK_SECRET", webhookSecret + ","},
		{"STRIPE_WEBHOOK_SECRET", webhookSecret + ",short"},
		{"STRIPE_API_KEY", ""},
		{"STRIPE_API_KEY", "sk_test_short"},
		{"STRIPE_LIVE", "true"},
		{"STRIPE_API_URL", "nowhere"},
		{"PUBLIC_URL", "serein.example"},
		{"CONTENT_URL", ""},
		{"VAT_PERCENT", "101"},
		{"VAT_PERCENT", "-1"},
		{"DELIVERY_AMOUNT", "-1"},
		{"DELIVERY_COUNTRIES", "England"},
		{"PAYMENT_METHODS", "Card"},
	} {
		environ := map[string]string{}
		for name, value := range good {
			environ[name] = value
		}
		environ[bad.name] = bad.value
		_, err := config.Load[Config](environ)
		require.Error(t, err, "%s=%q", bad.name, bad.value)
		require.NotContains(t, err.Error(), webhookSecret)
		require.NotContains(t, err.Error(), apiKey)
	}
	good["VAT_PERCENT"] = "20"
	_, err = config.Load[Config](good)
	require.NoError(t, err)
	delete(good, "VAT_NUMBER")
	_, err = config.Load[Config](good)
	require.ErrorContains(t, err, "VAT_NUMBER")
}

// command is what an operator's command says.
func (s *selling) command(t *testing.T, name string, args ...string) (string, error) {
	t.Helper()
	return output(t, Program().Commands[name], map[string]string{
		"DATABASE_URL": s.URL, "STRIPE_API_KEY": apiKey, "STRIPE_WEBHOOK_SECRET": webhookSecret, "STRIPE_API_URL": s.stripe.APIURL,
	}, args...)
}

func TestAnOperatorSeesPricesThatDifferAndAcceptsTheCatalogues(t *testing.T) {
	t.Parallel()
	s := sell(t)
	run := func(name string, args ...string) (string, error) { return s.command(t, name, args...) }
	said, err := run("prices")
	require.NoError(t, err)
	require.Regexp(t, `serein-core:month +Core +799 gbp +agrees, price_\w+`, said)

	s.sells(t, "tote", 1500)
	require.Eventually(t, func() bool {
		said, err = run("prices")
		require.NoError(t, err)
		return strings.Contains(said, "has 1200 gbp")
	}, testkit.Patience, 50*time.Millisecond)
	_, err = s.StartCheckout(auth.WithMember(t.Context(), newMember()), checkout("tote", ""))
	requireReason(t, err, "ITEM_NOT_SOLD")
	said, err = run("accept-price", "tote")
	require.NoError(t, err)
	require.Regexp(t, `^tote costs 1500 gbp at the provider now, by price_\w+\.\n$`, said)
	s.begins(t, auth.WithMember(t.Context(), newMember()), "tote", "")
	_, err = run("accept-price", "yacht")
	require.Error(t, err)
}
