package stripe

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"serein.app/services/billing/internal/sales"
	"serein.app/services/platform/config"
	"serein.app/services/testkit/paymentsandbox"
)

func TestWhatWasPaidIsReadBackAsItWasOrdered(t *testing.T) {
	t.Parallel()
	p, sandbox := sandboxed(t, paymentsandbox.Config{})
	made := begin(t, p, packPrice(), func(s *sales.NewSession) {
		s.Lines[0].Quantity = 2
		s.Delivery, s.DeliveryName, s.DeliveryAmount, s.Countries = true, "Delivery", 350, []string{"GB"}
	})
	require.Equal(t, sales.SessionOpen, made.session.State)
	require.False(t, made.session.Paid)
	require.Empty(t, made.session.Payment)

	require.NoError(t, sandbox.Pay(made.session.ID, paymentsandbox.Accepted))
	session, err := p.Session(t.Context(), made.session.ID)
	require.NoError(t, err)
	require.Equal(t, sales.SessionComplete, session.State)
	require.True(t, session.Paid)
	require.False(t, session.Live)
	require.Equal(t, "S-10001", session.OrderID)
	require.Equal(t, "uid-1", session.UID)
	require.Equal(t, int64(2*599+350), session.Amount)
	require.Equal(t, int64(350), session.Delivery)
	require.Equal(t, []sales.PaidLine{{PriceID: made.price.ID, Quantity: 2, Amount: 2 * 599}}, session.Lines)
	require.Equal(t, "GB", session.Address.Country)
	require.Empty(t, session.Subscription)

	payment, err := p.Payment(t.Context(), session.Payment)
	require.NoError(t, err)
	require.Equal(t, sales.Payment{
		ID: session.Payment, Customer: made.customer, Amount: session.Amount, Currency: "gbp", Card: payment.Card,
		PaidBy: sales.Means{Kind: "card", Brand: "visa", Last4: "4242"},
	}, payment)
	require.NotEmpty(t, payment.Card.Fingerprint)
	require.Equal(t, payment.PaidBy, session.PaidBy)
	listed, err := p.SessionsOf(t.Context(), made.customer, time.Now().Add(-time.Minute))
	require.NoError(t, err)
	require.Equal(t, []sales.Session{session}, listed)
}

// A person types it on the provider's page: what no database keeps, or what turns a parcel's label round, is left out.
func TestAnAddressIsReadWithoutWhatIsNoLetter(t *testing.T) {
	t.Parallel()
	p, sandbox := sandboxed(t, paymentsandbox.Config{})
	made := begin(t, p, packPrice(), func(s *sales.NewSession) {
		s.Delivery, s.DeliveryName, s.Countries = true, "Delivery", []string{"GB"}
	})
	require.NoError(t, sandbox.PayAs(made.session.ID, paymentsandbox.Payer{Card: paymentsandbox.Accepted, Address: &paymentsandbox.Address{
		Name: "Zoë\x00 𠮷no 🙂", Line1: " 1\u202e Mill\r\nLane\x1b", Line2: "\u2066\x7f", City: "Bath", PostalCode: "BA1\t1AA", Country: "GB",
	}}))
	session, err := p.Session(t.Context(), made.session.ID)
	require.NoError(t, err)
	require.Equal(t, &sales.Address{Name: "Zoë 𠮷no 🙂", Line1: "1 Mill Lane", City: "Bath", PostalCode: "BA1 1AA", Country: "GB"}, session.Address)
}

func TestWhatACodeTakesOffIsReadBackBesideWhatWasOrdered(t *testing.T) {
	t.Parallel()
	p, sandbox := sandboxed(t, paymentsandbox.Config{})
	spring := Code{Text: "SPRING", Percent: 12.5, Most: 2, Until: time.Now().Add(time.Hour).UTC().Truncate(time.Second)}
	require.NoError(t, p.CreateCode(t.Context(), "code:1", spring))
	require.ErrorIs(t, p.CreateCode(t.Context(), "code:2", Code{Text: "SPRING", Amount: 100, Currency: "gbp"}), sales.ErrRefused)
	made := begin(t, p, packPrice(), func(s *sales.NewSession) {
		s.Lines[0].Quantity, s.PromotionCodes = 2, true
		s.Delivery, s.DeliveryName, s.DeliveryAmount, s.Countries = true, "Delivery", 350, []string{"GB"}
	})
	require.NoError(t, sandbox.Apply(made.session.ID, "SPRING"))
	require.NoError(t, sandbox.Pay(made.session.ID, paymentsandbox.Accepted))
	session, err := p.Session(t.Context(), made.session.ID)
	require.NoError(t, err)
	require.Equal(t, int64(150), session.Discount, "an eighth of 11.98, rounded")
	require.Equal(t, int64(2*599-150+350), session.Amount)
	require.Equal(t, int64(350), session.Delivery)
	require.Equal(t, []sales.PaidLine{{PriceID: made.price.ID, Quantity: 2, Amount: 2 * 599}}, session.Lines)
	payment, err := p.Payment(t.Context(), session.Payment)
	require.NoError(t, err)
	require.Equal(t, session.Amount, payment.Amount)

	spring.Used = 1
	codes, err := p.Codes(t.Context())
	require.NoError(t, err)
	require.Equal(t, []Code{spring}, codes)
	require.NoError(t, p.EndCode(t.Context(), "end:1", "SPRING"))
	require.ErrorIs(t, p.EndCode(t.Context(), "end:2", "SPRING"), sales.ErrNotFound)
	codes, err = p.Codes(t.Context())
	require.NoError(t, err)
	require.Empty(t, codes)
}

func TestWhatACodeTakesAllOffHasNoPayment(t *testing.T) {
	t.Parallel()
	p, sandbox := sandboxed(t, paymentsandbox.Config{})
	require.NoError(t, p.CreateCode(t.Context(), "code:1", Code{Text: "GIFT", Percent: 100}))
	for _, price := range []sales.NewPrice{packPrice(), planPrice()} {
		made := begin(t, p, price, func(s *sales.NewSession) { s.OrderID, s.PromotionCodes = price.LookupKey, true })
		require.NoError(t, sandbox.Apply(made.session.ID, "gift"))
		require.NoError(t, sandbox.Pay(made.session.ID, paymentsandbox.Accepted))
		session, err := p.Session(t.Context(), made.session.ID)
		require.NoError(t, err)
		require.True(t, session.Paid)
		require.Zero(t, session.Amount)
		require.Equal(t, price.Amount, session.Discount)
		require.Empty(t, session.Payment)
		require.Equal(t, price.Period != "", session.Subscription != "")
	}
}

func TestAMembershipNamesItsSubscriptionAndTheFirstPayment(t *testing.T) {
	t.Parallel()
	p, sandbox := sandboxed(t, paymentsandbox.Config{})
	made := begin(t, p, planPrice(), nil)
	require.NoError(t, sandbox.Pay(made.session.ID, paymentsandbox.Accepted))
	session, err := p.Session(t.Context(), made.session.ID)
	require.NoError(t, err)
	require.NotEmpty(t, session.Payment)
	subscription, err := p.Subscription(t.Context(), session.Subscription)
	require.NoError(t, err)
	require.Equal(t, "uid-1", subscription.UID)
	require.Equal(t, "active", subscription.Status)
	require.Equal(t, made.price.ID, subscription.PriceID)
	require.Equal(t, subscription.PeriodStart.Month()%12+1, subscription.PeriodEnd.Month(), "from the 31st of January to the 28th of February")
	payment, err := p.Payment(t.Context(), session.Payment)
	require.NoError(t, err)
	require.Equal(t, subscription.Card.Fingerprint, payment.Card.Fingerprint)
	require.Equal(t, subscription.Card.ID, payment.Card.ID)

	require.NoError(t, p.EndSubscription(t.Context(), "end:1", subscription.ID))
	require.NoError(t, p.EndSubscription(t.Context(), "end:2", subscription.ID), "ended already")
	ended, err := p.Subscription(t.Context(), subscription.ID)
	require.NoError(t, err)
	require.False(t, ended.EndedAt.IsZero())
	require.ErrorIs(t, p.EndSubscription(t.Context(), "end:3", "sub_nobody"), sales.ErrNotFound)

	require.NoError(t, p.UpdateCustomer(t.Context(), "update:1", made.customer, sales.Customer{Email: "new@example.com"}))
	require.NoError(t, p.DeleteCustomer(t.Context(), "delete:1", made.customer))
	require.NoError(t, p.DeleteCustomer(t.Context(), "delete:2", made.customer), "deleted already")
	require.ErrorIs(t, p.UpdateCustomer(t.Context(), "update:2", made.customer, sales.Customer{Name: "Amara"}), sales.ErrNotFound)
	_, err = p.FindCustomer(t.Context(), "uid-1")
	require.ErrorIs(t, err, sales.ErrNotFound)
	kept, err := p.Payment(t.Context(), session.Payment)
	require.NoError(t, err, "the books stay")
	require.Equal(t, payment.Amount, kept.Amount)
	require.NoError(t, p.Refund(t.Context(), "refund:1", session.Payment), "and what was paid can still go back")
}

func TestAPriceTakesItsLookupKeyAndItsNameWithIt(t *testing.T) {
	t.Parallel()
	p, _ := sandboxed(t, paymentsandbox.Config{})
	first, err := p.CreatePrice(t.Context(), "price:1", packPrice())
	require.NoError(t, err)
	dearer := packPrice()
	dearer.Amount, dearer.Name = 649, "Twenty credits"
	second, err := p.CreatePrice(t.Context(), "price:2", dearer)
	require.NoError(t, err)
	require.NotEqual(t, first.ID, second.ID)
	found, err := p.Prices(t.Context(), []string{"credits-20", "credits-40"})
	require.NoError(t, err)
	require.Equal(t, map[string]sales.ProviderPrice{"credits-20": second}, found)
	require.Equal(t, "Twenty credits", second.Name)
}

func TestTheSameKeyDoesTheSameThingOnce(t *testing.T) {
	t.Parallel()
	p, sandbox := sandboxed(t, paymentsandbox.Config{})
	expires := time.Now().Add(time.Hour)
	same := func(s *sales.NewSession) { s.ExpiresAt = expires }
	made, again := begin(t, p, packPrice(), same), begin(t, p, packPrice(), same)
	require.Equal(t, made.session.ID, again.session.ID)
	require.Equal(t, made.customer, again.customer)
	require.NoError(t, sandbox.Pay(made.session.ID, paymentsandbox.Accepted))
	session, err := p.Session(t.Context(), made.session.ID)
	require.NoError(t, err)
	for _, key := range []string{"refund:1", "refund:1", "refund:2"} {
		require.NoError(t, p.Refund(t.Context(), key, session.Payment))
	}
	payment, err := p.Payment(t.Context(), session.Payment)
	require.NoError(t, err)
	require.Equal(t, int64(599), payment.Refunded)
}

func TestAnExpiredCheckoutIsFineToExpireAndAPaidOneIsNot(t *testing.T) {
	t.Parallel()
	p, sandbox := sandboxed(t, paymentsandbox.Config{})
	open := begin(t, p, packPrice(), nil)
	require.NoError(t, p.ExpireSession(t.Context(), "expire:1", open.session.ID))
	require.NoError(t, p.ExpireSession(t.Context(), "expire:2", open.session.ID))
	paid := begin(t, p, packPrice(), func(s *sales.NewSession) { s.OrderID = "S-10002" })
	require.NoError(t, sandbox.Pay(paid.session.ID, paymentsandbox.Accepted))
	require.ErrorIs(t, p.ExpireSession(t.Context(), "expire:3", paid.session.ID), sales.ErrRefused)
}

func TestACustomerIsFoundAgainByUidAndBySafeOnesAlone(t *testing.T) {
	t.Parallel()
	p, _ := sandboxed(t, paymentsandbox.Config{SearchLag: -1})
	made, err := p.CreateCustomer(t.Context(), "customer:1", sales.Customer{UID: "uid-1", Email: "amara@example.com"})
	require.NoError(t, err)
	found, err := p.FindCustomer(t.Context(), "uid-1")
	require.NoError(t, err)
	require.Equal(t, made, found)
	for _, nobody := range []string{"uid-2", "", "uid-1' OR metadata['uid']:'uid-2", `uid\1`} {
		_, err := p.FindCustomer(t.Context(), nobody)
		require.ErrorIs(t, err, sales.ErrNotFound, nobody)
	}
}

func TestFaultsOfTheProviderAreToldApart(t *testing.T) {
	t.Parallel()
	p, sandbox := sandboxed(t, paymentsandbox.Config{})
	for kind, want := range map[paymentsandbox.FaultKind]error{
		paymentsandbox.Away: sales.ErrProviderUnavailable, paymentsandbox.Lost: sales.ErrProviderUnavailable, paymentsandbox.Conflict: sales.ErrProviderUnavailable,
		paymentsandbox.Busy: sales.ErrProviderUnavailable, paymentsandbox.Down: sales.ErrProviderFault, paymentsandbox.Broken: sales.ErrProviderFault,
	} {
		sandbox.Fail(paymentsandbox.Fault{Kind: kind, Times: 1})
		_, err := p.CreateCustomer(t.Context(), string(kind), sales.Customer{UID: "uid-1", Email: "amara@example.com"})
		require.ErrorIs(t, err, want, kind)
		require.ErrorIs(t, err, sales.ErrProviderUnavailable, kind)
		require.Equal(t, want == sales.ErrProviderFault, errors.Is(err, sales.ErrProviderFault), kind) //nolint:errorlint // the kind itself
		require.NotContains(t, err.Error(), "amara")
		sandbox.Heal()
	}
	_, err := p.Session(t.Context(), "cs_test_nothing")
	require.ErrorIs(t, err, sales.ErrNotFound)
	refused := p.Refund(t.Context(), "refund:1", "pi_nothing")
	require.ErrorIs(t, refused, sales.ErrRefused)
	require.NotErrorIs(t, refused, sales.ErrNoCustomer)
	made := begin(t, p, packPrice(), nil)
	require.NoError(t, p.DeleteCustomer(t.Context(), "delete:1", made.customer))
	_, err = p.CreateSession(t.Context(), "order:S-10002", sales.NewSession{
		OrderID: "S-10002", UID: "uid-1", Customer: made.customer, Currency: "gbp", Lines: []sales.SessionLine{{PriceID: made.price.ID, Quantity: 1}},
		SuccessURL: "https://serein.example/order-success", ExpiresAt: time.Now().Add(time.Hour),
	})
	require.ErrorIs(t, err, sales.ErrNoCustomer)
	require.ErrorIs(t, err, sales.ErrRefused)
}

func TestAnAnswerThatWasLostIsGivenAgainByItsKey(t *testing.T) {
	t.Parallel()
	p, sandbox := sandboxed(t, paymentsandbox.Config{SearchLag: -1})
	sandbox.Fail(paymentsandbox.Fault{Kind: paymentsandbox.Lost, Times: 1})
	asked := sales.Customer{UID: "uid-1", Email: "amara@example.com"}
	_, err := p.CreateCustomer(t.Context(), "customer:1", asked)
	require.ErrorIs(t, err, sales.ErrProviderUnavailable)
	there, err := p.FindCustomer(t.Context(), "uid-1")
	require.NoError(t, err)
	again, err := p.CreateCustomer(t.Context(), "customer:1", asked)
	require.NoError(t, err)
	require.Equal(t, there, again)
}

func TestASlowProviderIsAwayWhenTheCallersTimeIsOver(t *testing.T) {
	t.Parallel()
	p, sandbox := sandboxed(t, paymentsandbox.Config{})
	sandbox.Fail(paymentsandbox.Fault{Kind: paymentsandbox.Slow, Delay: time.Minute})
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	_, err := p.FindCustomer(ctx, "uid-secret")
	require.ErrorIs(t, err, sales.ErrProviderUnavailable)
	require.NotContains(t, err.Error(), "uid-secret")
}

func TestWhatIsNoAnswerOfTheAPIIsAwayAndIsNotRepeated(t *testing.T) {
	t.Parallel()
	p := provider(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusBadGateway)
		_, _ = w.Write([]byte("<html>token-of-a-proxy</html>"))
	}))
	_, err := p.Session(t.Context(), "cs_test_1")
	require.ErrorIs(t, err, sales.ErrProviderUnavailable)
	require.NotContains(t, err.Error(), "token-of-a-proxy")
}

func TestAWrongKeyIsAFaultOfOurs(t *testing.T) {
	t.Parallel()
	sandbox, err := paymentsandbox.New(paymentsandbox.Config{Key: "sk_test_another"})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, sandbox.Close()) })
	_, err = provider(t, sandbox).Session(t.Context(), "cs_test_1")
	require.Error(t, err)
	for _, kind := range []error{sales.ErrProviderUnavailable, sales.ErrNotFound, sales.ErrRefused} {
		require.NotErrorIs(t, err, kind)
	}
	require.NotContains(t, err.Error(), key)
}

// Members check out at the same time: their calls do not shake hands with the provider each time.
func TestCallsAtOnceUseTheirConnectionsAgain(t *testing.T) {
	t.Parallel()
	const atOnce = 8
	var opened atomic.Int64
	var come sync.WaitGroup // nobody is answered before all have come
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		come.Done()
		come.Wait()
		w.WriteHeader(http.StatusNotFound)
		_, _ = w.Write([]byte(`{"error":{"type":"invalid_request_error"}}`))
	}))
	server.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateNew {
			opened.Add(1)
		}
	}
	server.Start()
	t.Cleanup(server.Close)
	p, err := New(Config{APIKey: key, WebhookSecrets: []config.Secret{secret}, APIURL: server.URL})
	require.NoError(t, err)
	for range 3 {
		come.Add(atOnce)
		var all errgroup.Group
		for range atOnce {
			all.Go(func() error {
				if _, err := p.Session(t.Context(), "cs_test_1"); !errors.Is(err, sales.ErrNotFound) {
					return fmt.Errorf("answered %w", err)
				}
				return nil
			})
		}
		require.NoError(t, all.Wait())
	}
	require.Equal(t, int64(atOnce), opened.Load())
}

func TestNothingListensIsAway(t *testing.T) {
	t.Parallel()
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	require.NoError(t, listener.Close())
	p, err := New(Config{APIKey: key, WebhookSecrets: []config.Secret{secret}, APIURL: "http://" + listener.Addr().String()})
	require.NoError(t, err)
	_, err = p.Session(t.Context(), "cs_test_1")
	require.ErrorIs(t, err, sales.ErrProviderUnavailable)
}

func TestAConfigurationThatCouldBeForgedOrMixedUpDoesNotStart(t *testing.T) {
	t.Parallel()
	good := Config{APIKey: key, WebhookSecrets: []config.Secret{secret}}
	_, err := New(good)
	require.NoError(t, err)
	for name, change := range map[string]func(*Config){
		"no webhook secret":       func(c *Config) { c.WebhookSecrets = nil },
		"an empty webhook secret": func(c *Config) { c.WebhookSecrets = []config.Secret{secret, ""} },
		"a short webhook secret":  func(c *Config) { c.WebhookSecrets = []config.Secret{config.Secret(strings.Repeat("x", 31))} },
		"no key":                  func(c *Config) { c.APIKey = "" },
		"a live key in tests":     func(c *Config) { c.APIKey = "sk_live_1" },
		"a test key in live":      func(c *Config) { c.Live = true },
		"live without TLS":        func(c *Config) { c.Live, c.APIKey, c.APIURL = true, "sk_live_1", "http://api.example" },
		"an address that is none": func(c *Config) { c.APIURL = "nonsense" },
	} {
		bad := good
		change(&bad)
		_, err := New(bad)
		require.Error(t, err, name)
		require.NotContains(t, err.Error(), secret)
	}
}
