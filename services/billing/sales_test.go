package billing

import (
	"bytes"
	"context"
	"flag"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/proto"

	billingv1 "serein.app/proto/gen/serein/billing/v1"
	"serein.app/proto/gen/serein/billing/v1/billingv1connect"
	contentv1 "serein.app/proto/gen/serein/content/v1"
	eventsv1 "serein.app/proto/gen/serein/events/v1"
	"serein.app/services/billing/internal/providertest"
	"serein.app/services/platform/auth"
	"serein.app/services/platform/bus"
	"serein.app/services/platform/outbox"
	"serein.app/services/platform/service"
	"serein.app/services/testkit"
)

// seller are the four services of what is sold, as the gateway calls them.
type seller struct {
	billingv1connect.PriceServiceClient
	billingv1connect.CheckoutServiceClient
	billingv1connect.OrderServiceClient
	billingv1connect.WebhookServiceClient
}

func (r *harness) seller(tb testing.TB, as string) seller {
	tb.Helper()
	c, url, options := testkit.Dialer(tb, as).To(Name, r.url)
	return seller{
		billingv1connect.NewPriceServiceClient(c, url, options), billingv1connect.NewCheckoutServiceClient(c, url, options),
		billingv1connect.NewOrderServiceClient(c, url, options), billingv1connect.NewWebhookServiceClient(c, url, options),
	}
}

// opens waits until everything of the catalogue can be bought.
func (r *harness) opens(tb testing.TB) seller {
	tb.Helper()
	s := r.seller(tb, "gateway")
	require.Eventually(tb, func() bool {
		res, err := s.ListPrices(tb.Context(), &billingv1.ListPricesRequest{})
		require.NoError(tb, err)
		for _, p := range res.GetPrices() {
			if !p.GetPurchasable() {
				return false
			}
		}
		return len(res.GetPrices()) > 0
	}, testkit.Patience, 20*time.Millisecond)
	return s
}

func checkout(things ...string) *billingv1.StartCheckoutRequest {
	req := &billingv1.StartCheckoutRequest{IdempotencyKey: uuid.NewString(), Email: "ada@example.com", GivenName: "Ada"}
	for i := 0; i < len(things); i += 2 {
		req.Items = append(req.Items, &billingv1.CheckoutItem{ProductId: things[i], Size: things[i+1], Quantity: 1})
	}
	return req
}

func (r *harness) webhooks(tb testing.TB, s seller) {
	tb.Helper()
	for _, e := range r.provider.Told() {
		_, err := s.ReceiveWebhook(tb.Context(), &billingv1.ReceiveWebhookRequest{Payload: providertest.Payload(e), Signature: providertest.Signature})
		require.NoError(tb, err)
	}
}

func TestAMembershipIsBoughtByTheWebhookAlone(t *testing.T) {
	t.Parallel()
	r := start(t)
	s, uid := r.opens(t), newMember()
	ctx := auth.WithMember(t.Context(), uid)
	begun, err := s.StartCheckout(ctx, checkout("serein-core", "month"))
	require.NoError(t, err)
	require.Contains(t, begun.GetUrl(), "https://pay.example/")
	r.provider.Pay(begun.GetSessionId())
	r.webhooks(t, s)
	r.webhooks(t, s)
	var account *billingv1.GetAccountResponse
	require.Eventually(t, func() bool {
		account, err = r.accounts(t, "gateway").GetAccount(ctx, &billingv1.GetAccountRequest{})
		require.NoError(t, err)
		return account.GetSubscription() != nil
	}, testkit.Patience, 20*time.Millisecond)
	require.Equal(t, "serein-core", account.GetSubscription().GetPlanId())
	require.Equal(t, "month", account.GetSubscription().GetPeriod())
	require.True(t, account.GetSubscription().GetRenews())
	require.False(t, account.GetSubscription().GetHadTrial())
	require.Equal(t, int64(20), account.GetBalance().GetPlanAvailable())

	done, err := s.CompleteCheckout(ctx, &billingv1.CompleteCheckoutRequest{OrderId: begun.GetOrderId()})
	require.NoError(t, err)
	order := done.GetOrder()
	require.Equal(t, billingv1.OrderState_ORDER_STATE_COMPLETED, order.GetState())
	require.Equal(t, int64(133), order.GetVat(), "7.99 contains 1.33 at 20 per cent")
	listed, err := s.ListOrders(ctx, &billingv1.ListOrdersRequest{})
	require.NoError(t, err)
	require.Len(t, listed.GetOrders(), 1)
	receipt, err := s.GetReceipt(ctx, &billingv1.GetReceiptRequest{OrderId: order.GetId()})
	require.NoError(t, err)
	require.True(t, bytes.HasPrefix(receipt.GetPdf(), []byte("%PDF-")))
	require.Equal(t, order.GetNumber(), receipt.GetNumber())
	_, err = s.GetReceipt(auth.WithMember(t.Context(), newMember()), &billingv1.GetReceiptRequest{OrderId: order.GetId()})
	requireReason(t, err, "ORDER_NOT_FOUND")

	completed := &eventsv1.OrderCompleted{}
	r.event(t, completed)
	require.Equal(t, order.GetNumber(), completed.GetNumber())
	require.Equal(t, int64(799), completed.GetTotal())
	require.Equal(t, "serein-core", completed.GetLines()[0].GetProductId())
	require.Equal(t, int64(20), completed.GetLines()[0].GetCredits())
	require.Equal(t, "membership", completed.GetLines()[0].GetKind())
}

// event reads the first published event of into's kind.
func (r *harness) event(tb testing.TB, into proto.Message) {
	tb.Helper()
	subject, err := bus.Subject(into)
	require.NoError(tb, err)
	var payload []byte
	require.NoError(tb, r.Pool.QueryRow(tb.Context(), `SELECT payload FROM outbox WHERE subject = $1 ORDER BY seq LIMIT 1`, subject).Scan(&payload))
	var envelope eventsv1.Envelope
	require.NoError(tb, proto.Unmarshal(payload, &envelope))
	require.NoError(tb, envelope.GetPayload().UnmarshalTo(into))
}

// publish tells an event as another service does.
func (r *harness) publish(tb testing.TB, service, uid string, message proto.Message) {
	tb.Helper()
	b := r.bus(tb)
	row, err := outbox.New(nil, b, service, testkit.Logger(tb), time.Now).Row(tb.Context(), outbox.Event{Aggregate: uid, UID: uid, Message: message})
	require.NoError(tb, err)
	_, err = b.EnsureStream(tb.Context(), service)
	require.NoError(tb, err)
	n, err := b.Publish(tb.Context(), bus.StreamName(service), []bus.Message{{ID: row.ID.String(), Subject: row.Subject, Data: row.Payload}})
	require.NoError(tb, err)
	require.Equal(tb, 1, n)
}

func TestOrdersArePagedNewestFirst(t *testing.T) {
	t.Parallel()
	r := start(t)
	s, uid := r.opens(t), newMember()
	ctx := auth.WithMember(t.Context(), uid)
	for range 5 {
		begun, err := s.StartCheckout(ctx, checkout("tote", ""))
		require.NoError(t, err)
		r.provider.Pay(begun.GetSessionId())
		_, err = s.CompleteCheckout(ctx, &billingv1.CompleteCheckoutRequest{OrderId: begun.GetOrderId()})
		require.NoError(t, err)
	}
	var numbers []string
	for token := ""; ; {
		page, err := s.ListOrders(ctx, &billingv1.ListOrdersRequest{PageSize: 2, PageToken: token})
		require.NoError(t, err)
		for _, o := range page.GetOrders() {
			numbers = append(numbers, o.GetNumber())
			require.Equal(t, "BA1 1AA", o.GetAddress().GetPostalCode())
		}
		if token = page.GetNextPageToken(); token == "" {
			break
		}
	}
	require.Len(t, numbers, 5)
	require.IsDecreasing(t, numbers)
	_, err := s.ListOrders(ctx, &billingv1.ListOrdersRequest{PageToken: "!"})
	requireReason(t, err, "PAGE_TOKEN_INVALID")
}

func TestOnlyTheGatewaySellsAndOnlyToMembers(t *testing.T) {
	t.Parallel()
	r := start(t)
	s := r.seller(t, "gateway")
	ctx := t.Context()
	for name, call := range map[string]func(context.Context, seller) error{
		"StartCheckout": func(ctx context.Context, s seller) error {
			_, err := s.StartCheckout(ctx, checkout("tote", ""))
			return err
		},
		"CompleteCheckout": func(ctx context.Context, s seller) error {
			_, err := s.CompleteCheckout(ctx, &billingv1.CompleteCheckoutRequest{OrderId: uuid.NewString()})
			return err
		},
		"OpenPortal": func(ctx context.Context, s seller) error {
			_, err := s.OpenPortal(ctx, &billingv1.OpenPortalRequest{})
			return err
		},
		"ListOrders": func(ctx context.Context, s seller) error {
			_, err := s.ListOrders(ctx, &billingv1.ListOrdersRequest{})
			return err
		},
		"GetReceipt": func(ctx context.Context, s seller) error {
			_, err := s.GetReceipt(ctx, &billingv1.GetReceiptRequest{OrderId: uuid.NewString()})
			return err
		},
	} {
		requireReason(t, call(ctx, s), "UNAUTHENTICATED")
		requireReason(t, call(auth.WithMember(ctx, newMember()), r.seller(t, "generation")), "FORBIDDEN")
		t.Log(name)
	}
	_, err := r.seller(t, "generation").ReceiveWebhook(ctx, &billingv1.ReceiveWebhookRequest{Payload: []byte("{}"), Signature: "x"})
	requireReason(t, err, "FORBIDDEN")
	_, err = s.ReceiveWebhook(ctx, &billingv1.ReceiveWebhookRequest{Payload: []byte("{}"), Signature: "x"})
	requireReason(t, err, "WEBHOOK_INVALID")
}

// What an editor changes is sold by within moments, not after a minute.
func TestATierThatChangesIsLookedAtAtOnce(t *testing.T) {
	t.Parallel()
	r := start(t)
	s := r.opens(t)
	r.shop.sell(func(res *contentv1.GetShopResponse) { res.Items[0].Name = "Core Plus" })
	r.publish(t, "content", newMember(), &eventsv1.MembershipTierChanged{PlanId: "serein-core", Version: 2})
	require.Eventually(t, func() bool {
		res, err := s.ListPrices(t.Context(), &billingv1.ListPricesRequest{})
		require.NoError(t, err)
		for _, p := range res.GetPrices() {
			if p.GetName() == "Core Plus" {
				return true
			}
		}
		return false
	}, testkit.Patience, 20*time.Millisecond)
}

func TestADeletedAccountsSubscriptionEndsAtTheProvider(t *testing.T) {
	t.Parallel()
	r := start(t)
	s, uid := r.opens(t), newMember()
	ctx := auth.WithMember(t.Context(), uid)
	begun, err := s.StartCheckout(ctx, checkout("serein-core", "year"))
	require.NoError(t, err)
	paid := r.provider.Pay(begun.GetSessionId())
	_, err = s.CompleteCheckout(ctx, &billingv1.CompleteCheckoutRequest{OrderId: begun.GetOrderId()})
	require.NoError(t, err)
	r.publish(t, "identity", uid, &eventsv1.UserDeleted{Uid: uid, DeletionId: uuid.NewString()})
	require.Eventually(t, func() bool { return r.provider.Ended(paid.Subscription) }, testkit.Patience, 20*time.Millisecond)
	require.Eventually(t, func() bool {
		return count(t, r.Pool, `SELECT count(*)::int FROM departures WHERE done_at IS NOT NULL`) == 1
	}, testkit.Patience, 20*time.Millisecond)
}

func TestAMemberWhoseAddressAndNameChangeIsKnownByThemAtTheProvider(t *testing.T) {
	t.Parallel()
	r := start(t)
	s, uid := r.opens(t), newMember()
	ctx := auth.WithMember(t.Context(), uid)
	begun, err := s.StartCheckout(ctx, checkout("serein-core", "year"))
	require.NoError(t, err)
	r.provider.Pay(begun.GetSessionId())
	_, err = s.CompleteCheckout(ctx, &billingv1.CompleteCheckoutRequest{OrderId: begun.GetOrderId()})
	require.NoError(t, err)
	r.publish(t, "identity", uid, &eventsv1.UserUpdated{Uid: uid, Fields: []string{"email"}, Email: "new@example.com"})
	r.publish(t, "identity", uid, &eventsv1.UserUpdated{Uid: uid, Fields: []string{"given_name", "family_name"}, GivenName: "Amara", FamilyName: "Lake"})
	require.Eventually(t, func() bool {
		known := r.provider.Contact(uid)
		return known.Email == "new@example.com" && known.Name == "Amara Lake"
	}, testkit.Patience, 20*time.Millisecond)
}

// sells changes a product's price in the catalogue, and has it looked at.
func (r *harness) sells(tb testing.TB, product string, value int64) {
	tb.Helper()
	r.shop.sell(func(res *contentv1.GetShopResponse) {
		for _, i := range res.GetItems() {
			if i.GetProductId() == product {
				i.Price.Value = value
			}
		}
	})
	r.publish(tb, "content", newMember(), &eventsv1.MembershipTierChanged{PlanId: product, Version: 2})
}

// output runs an operator's command.
func output(tb testing.TB, command service.Command, environ map[string]string, args ...string) (string, error) {
	tb.Helper()
	flags := flag.NewFlagSet("test", flag.ContinueOnError)
	if command.Flags != nil {
		command.Flags(flags)
	}
	require.NoError(tb, flags.Parse(args))
	var out strings.Builder
	err := command.Run(tb.Context(), environ, flags, &out)
	return out.String(), err
}
