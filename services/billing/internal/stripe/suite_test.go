package stripe

import (
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"serein.app/services/billing/internal/sales"
	"serein.app/services/platform/config"
	"serein.app/services/testkit/paymentsandbox"
	"serein.app/services/testkit/stripespec"
)

const (
	key    = "sk_test_suite"
	secret = "whsec_0123456789abcdef0123456789abcdef"
)

// provider is the adapter before somebody who answers as Stripe.
func provider(t *testing.T, at http.Handler) *Provider {
	t.Helper()
	server := httptest.NewServer(at)
	t.Cleanup(server.Close)
	p, err := New(Config{APIKey: key, WebhookSecrets: []config.Secret{secret}, APIURL: server.URL})
	require.NoError(t, err)
	return p
}

// sandboxed is the adapter before the sandbox, all of whose requests and answers are held against Stripe's description.
func sandboxed(t *testing.T, c paymentsandbox.Config) (*Provider, *paymentsandbox.Sandbox) {
	t.Helper()
	c.Key = key
	sandbox, err := paymentsandbox.New(c)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, sandbox.Close()) })
	return provider(t, stripespec.Check(t, sandbox)), sandbox
}

// purchase is a customer with a price and an open checkout of it.
type purchase struct {
	customer string
	price    sales.ProviderPrice
	session  sales.Session
}

func packPrice() sales.NewPrice {
	return sales.NewPrice{LookupKey: "credits-20", ProductID: "credits-20", Name: "20 credits", Amount: 599, Currency: "gbp"}
}

func planPrice() sales.NewPrice {
	return sales.NewPrice{
		LookupKey: "premium:month", ProductID: "premium", Name: "Premium", Amount: 1999, Currency: "gbp", Period: "month",
	}
}

func dearerPrice() sales.NewPrice {
	return sales.NewPrice{LookupKey: "deep:month", ProductID: "deep", Name: "Deep", Amount: 3499, Currency: "gbp", Period: "month"}
}

func yearPrice() sales.NewPrice {
	return sales.NewPrice{LookupKey: "premium:year", ProductID: "premium", Name: "Premium", Amount: 19999, Currency: "gbp", Period: "year"}
}

// begin opens a checkout, with what change says.
func begin(t *testing.T, p *Provider, price sales.NewPrice, change func(*sales.NewSession)) purchase {
	t.Helper()
	ctx := t.Context()
	made, err := p.CreatePrice(ctx, "price:"+price.LookupKey, price)
	require.NoError(t, err)
	customer, err := p.CreateCustomer(ctx, "customer:"+price.LookupKey, sales.Customer{UID: "uid-1", Email: "amara@example.com", Name: "Amara"})
	require.NoError(t, err)
	asked := sales.NewSession{
		OrderID: "S-10001", UID: "uid-1", Customer: customer, Subscription: price.Period != "", Currency: price.Currency,
		Lines:      []sales.SessionLine{{PriceID: made.ID, Quantity: 1}},
		SuccessURL: "https://serein.example/order-success", CancelURL: "https://serein.example/basket",
		ExpiresAt: time.Now().Add(time.Hour),
	}
	if change != nil {
		change(&asked)
	}
	session, err := p.CreateSession(ctx, "order:"+asked.OrderID, asked)
	require.NoError(t, err)
	return purchase{customer, made, session}
}

// The same calls before the sandbox and before stripe-mock: what the adapter sends is by Stripe's description, and what it
// reads is what Stripe answers. stripe-mock keeps nothing, so that only shapes can be asked for here.
func TestTheSandboxAndStripesOwnMockTakeTheSameRequests(t *testing.T) {
	t.Parallel()
	mock, err := stripespec.Mock()
	require.NoError(t, err)
	sandboxAdapter, sandbox := sandboxed(t, paymentsandbox.Config{SearchLag: -1})
	for name, one := range map[string]struct {
		*Provider
		pay func(t *testing.T, session string)
	}{
		"sandbox": {sandboxAdapter, func(t *testing.T, session string) {
			t.Helper()
			require.NoError(t, sandbox.Pay(session, paymentsandbox.Accepted))
		}},
		"stripe-mock": {provider(t, mock), func(*testing.T, string) {}},
	} {
		t.Run(name, func(t *testing.T) {
			for _, price := range []sales.NewPrice{packPrice(), planPrice()} {
				everyCall(t, one.Provider, price, one.pay)
			}
		})
	}
}

func everyCall(t *testing.T, p *Provider, price sales.NewPrice, pay func(*testing.T, string)) {
	t.Helper()
	ctx, at := t.Context(), time.Now().Add(-time.Hour)
	everyCodeCall(t, p, price)
	made := begin(t, p, price, func(s *sales.NewSession) {
		s.OrderID, s.PromotionCodes = price.LookupKey, true
		s.Lines[0].Note = "Medium"
		if !s.Subscription {
			s.Delivery, s.DeliveryName, s.DeliveryAmount, s.Countries = true, "Delivery", 350, []string{"GB", "IE"}
		}
	})
	require.NotEmpty(t, made.session.ID)
	_, err := p.Prices(ctx, []string{price.LookupKey, "nothing"})
	require.NoError(t, err)
	_, err = p.FindCustomer(ctx, "uid-1")
	require.NoError(t, err)
	pay(t, made.session.ID)
	session, err := p.Session(ctx, made.session.ID)
	require.NoError(t, err)
	require.NotEmpty(t, session.Lines)
	_, err = p.SessionsOf(ctx, made.customer, at)
	require.NoError(t, err)
	payment := orElse(session.Payment, "pi_1")
	read, err := p.Payment(ctx, payment)
	require.NoError(t, err)
	require.NotEmpty(t, read.Currency)
	require.NoError(t, p.Refund(ctx, "refund:"+price.LookupKey, payment))
	if price.Period != "" {
		subscription := orElse(session.Subscription, "sub_1")
		read, err := p.Subscription(ctx, subscription)
		require.NoError(t, err)
		require.NotEmpty(t, read.PriceID)
		everySubscriptionCall(t, p, subscription, read)
		require.NoError(t, p.EndSubscription(ctx, "end:1", subscription))
	}
	_, err = p.Balance(ctx, made.customer)
	require.NoError(t, err)
	require.NoError(t, p.ChangeBalance(ctx, "balance:"+price.LookupKey, made.customer, -500, "gbp", "S-10001"))
	url, err := p.PortalURL(ctx, made.customer, "https://serein.example/members")
	require.NoError(t, err)
	require.NotEmpty(t, url)
	events, err := p.Events(ctx, at)
	require.NoError(t, err)
	require.NotEmpty(t, events)
	require.NoError(t, p.DeleteCustomer(ctx, "delete:"+made.customer, made.customer))
}

func everySubscriptionCall(t *testing.T, p *Provider, subscription string, read sales.ProviderSubscription) {
	t.Helper()
	ctx, now := t.Context(), time.Now()
	listed, _, err := p.Subscriptions(ctx, "")
	require.NoError(t, err)
	require.NotEmpty(t, listed)
	_, more, err := p.Subscriptions(ctx, subscription)
	require.NoError(t, err)
	require.False(t, more)
	invoices, err := p.Invoices(ctx, subscription, now.Add(-time.Hour))
	require.NoError(t, err)
	require.NotEmpty(t, invoices)
	require.NotEmpty(t, invoices[0].Status)
	require.NotEmpty(t, invoices[0].Lines)
	card := orElse(read.Charged().ID, "pm_1") // stripe-mock's example has no card
	require.NoError(t, p.ChargeTo(ctx, "card:1", subscription, card))
	if err = p.PayInvoice(ctx, "pay:1", invoices[0].ID, card); err != nil { // which stripe-mock would pay for ever
		require.ErrorIs(t, err, sales.ErrRefused)
	}
	dearer, err := p.CreatePrice(ctx, "price:dearer", dearerPrice())
	require.NoError(t, err)
	preview, err := p.PreviewChange(ctx, subscription, dearer.ID, now)
	require.NoError(t, err)
	require.NotEmpty(t, preview.Currency)
	changed, err := p.ChangePrice(ctx, "change:1", subscription, dearer.ID, now)
	require.NoError(t, err)
	require.NotEmpty(t, changed.PriceID)
	for _, why := range []sales.CancelReason{sales.Unused, ""} {
		_, err = p.CancelAtPeriodEnd(ctx, "cancel:"+string(why), subscription, why != "", why)
		require.NoError(t, err)
	}
}

func everyCodeCall(t *testing.T, p *Provider, price sales.NewPrice) {
	t.Helper()
	ctx, code := t.Context(), Code{Text: "SPRING", Percent: 12.5, Most: 5, Until: time.Now().Add(time.Hour)}
	if price.Period != "" {
		code = Code{Text: "SPRING", Amount: 500, Currency: "gbp", Months: 3}
	}
	require.NoError(t, p.CreateCode(ctx, "code:"+price.LookupKey, code))
	codes, err := p.Codes(ctx)
	require.NoError(t, err)
	require.NotEmpty(t, codes)
	// stripe-mock knows the code that its own example has.
	require.NoError(t, p.EndCode(ctx, "end-code:"+price.LookupKey, codes[0].Text))
}

func orElse(id, otherwise string) string {
	if id == "" {
		return otherwise
	}
	return id
}
