package gateway

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	billingv1 "serein.app/proto/gen/serein/billing/v1"
	"serein.app/proto/gen/serein/content/v1/contentv1connect"
)

const ordersOf = "/serein.web.v1.OrderService/"

func (b *browser) order(t *testing.T, id string) answer {
	t.Helper()
	return b.call(t, ordersOf+"GetOrder", `{"orderId":"`+id+`"}`)
}

func TestAnOrderIsShownWithAllThatWasPaid(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	s.services.ordered(s.uid(), paid())
	got := s.member(t).order(t, anOrder)
	require.Equal(t, http.StatusOK, got.StatusCode, got.body)
	require.Equal(t, map[string]any{
		"id": anOrder, "number": "S-10023", "state": "ORDER_STATE_COMPLETED", "createdAt": "2026-11-03T09:00:00Z", "completedAt": "2026-11-03T09:00:00Z",
		"items": []any{map[string]any{"name": "Pine tee", "size": "M", "quantity": 2.0, "price": pounds("2800"), "kind": "ORDER_ITEM_KIND_PRODUCT", "picture": map[string]any{"url": "/media/" + picture, "alt": "A tee."}}},
		"total": pounds("5950"), "vat": pounds("992"), "vatPercent": 20.0, "delivery": pounds("350"), "refunded": pounds("100"),
		"address": []any{"Ada Lovelace", "1 Quiet Lane", "London", "N1 1AA", "United Kingdom"},
	}, at(t, tree(t, got.body), "order"))
}

func TestAnOrderIsShownWithoutPicturesWhereContentDoesNotAnswer(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	s.services.failing(contentv1connect.ShopServiceGetShopProcedure, errAway)
	s.services.ordered(s.uid(), paid())
	b := s.member(t)
	one := at(t, tree(t, b.order(t, anOrder).body), "order", "items", 0)
	listed := at(t, tree(t, b.call(t, ordersOf+"ListOrders", "{}").body), "orders", 0, "items", 0)
	require.Equal(t, one, listed)
	require.Equal(t, map[string]any{"name": "Pine tee", "size": "M", "quantity": 2.0, "price": pounds("2800"), "kind": "ORDER_ITEM_KIND_PRODUCT"}, one)
}

func TestAnOrderWithoutVATDeliveryAndRefundsHasNoLinesOfThem(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	b := s.member(t)
	plain := &billingv1.Order{Id: anOrder, Number: "S-1", Currency: "gbp", Total: 799, Items: []*billingv1.OrderedItem{{
		ProductId: "serein-core", Name: "Core", Size: "month", Quantity: 1, UnitAmount: 799, Credits: 20, Kind: billingv1.ItemKind_ITEM_KIND_MEMBERSHIP,
	}}}
	s.services.ordered(s.uid(), plain)
	for state := range billingv1.OrderState_name {
		s.services.mu.Lock()
		plain.State = billingv1.OrderState(state)
		s.services.mu.Unlock()
		shown, ok := at(t, tree(t, b.order(t, anOrder).body), "order").(map[string]any)
		require.True(t, ok)
		if state > 0 {
			require.Equal(t, billingv1.OrderState_name[state], shown["state"], "every state has its own")
		}
		for _, name := range []string{"vat", "delivery", "refunded", "address", "completedAt"} {
			require.NotContains(t, shown, name)
		}
		require.Equal(t, []any{"month", "20", "ORDER_ITEM_KIND_MEMBERSHIP"}, []any{at(t, shown, "items", 0, "size"), at(t, shown, "items", 0, "credits"), at(t, shown, "items", 0, "kind")})
	}
}

func TestAnAddressAbroadNamesItsCountry(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	b := s.member(t)
	for code, name := range map[string]string{"IE": "Ireland", "DE": "Germany", "US": "United States", "??": "??"} {
		o := paid()
		o.Address.Country = code
		s.services.ordered(s.uid(), o)
		lines, _ := at(t, tree(t, b.order(t, anOrder).body), "order", "address").([]any)
		require.Equal(t, name, lines[len(lines)-1])
	}
}

func TestAnotherMembersOrderAndReceiptAreLikeThoseThatDoNotExist(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	s.services.ordered(s.uid(), paid())
	owner, other, visitor := s.member(t), s.other(t), s.gateways[0].browser(t)
	const unknown = "0192f0c1-0000-7000-8000-0000000000d9"
	require.Equal(t, http.StatusOK, owner.order(t, anOrder).StatusCode)
	require.Equal(t, "ORDER_NOT_FOUND", other.order(t, anOrder).reason(t))
	require.Equal(t, other.order(t, unknown).body, other.order(t, anOrder).body)
	require.Equal(t, "INVALID_ARGUMENT", other.order(t, "nonsense").reason(t))

	receipt := func(b *browser, id string) answer { return b.get(t, "/media/receipts/"+id) }
	foreign, nowhere := receipt(other, anOrder), receipt(other, unknown)
	require.Equal(t, http.StatusNotFound, foreign.StatusCode)
	nowhere.Header.Del("Date")
	foreign.Header.Del("Date")
	require.Equal(t, []any{nowhere.body, nowhere.Header}, []any{foreign.body, foreign.Header})
	require.Equal(t, http.StatusUnauthorized, receipt(visitor, anOrder).StatusCode)
	for _, id := range []string{"nonsense", strings.ToUpper(anOrder), "S-10023", "..%2f..", anOrder + ".pdf"} {
		require.Equal(t, http.StatusNotFound, receipt(owner, id).StatusCode, id)
	}
}

func TestAReceiptIsAFileThatNobodyKeepsOnTheWay(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	s.services.ordered(s.uid(), paid())
	b := s.member(t)
	got := b.get(t, "/media/receipts/"+anOrder)
	require.Equal(t, http.StatusOK, got.StatusCode, got.body)
	require.Equal(t, "%PDF-1.7 of S-10023 for Ada Lovelace, ada@example.org", got.body)
	for name, want := range map[string]string{
		"Content-Type": "application/pdf", "Cache-Control": "private, no-store", "Content-Disposition": "attachment; filename=serein-receipt-S-10023.pdf",
		"X-Content-Type-Options": "nosniff", "Cross-Origin-Resource-Policy": "same-origin",
	} {
		require.Equal(t, want, got.Header.Get(name), name)
	}
	require.Equal(t, http.StatusForbidden, b.get(t, "/media/receipts/"+anOrder, "Authorization", "Bearer "+s.token(nil, everyScope)).StatusCode, "no scope opens it")
	s.services.billing.Close()
	require.Equal(t, http.StatusServiceUnavailable, b.get(t, "/media/receipts/"+anOrder).StatusCode)
}

func TestOrdersAreListedPageByPage(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	for n := range 21 {
		o := paid()
		o.Number = fmt.Sprintf("S-%d", n)
		s.services.ordered(s.uid(), o)
	}
	b := s.member(t)
	first := tree(t, b.call(t, ordersOf+"ListOrders", "{}").body)
	require.Len(t, first["orders"], 20)
	require.Equal(t, "S-20", at(t, first, "orders", 0, "number"))
	rest := tree(t, b.call(t, ordersOf+"ListOrders", `{"pageToken":"20"}`).body)
	require.Len(t, rest["orders"], 1)
	require.NotContains(t, rest, "nextPageToken")
	require.Equal(t, map[string]any{}, tree(t, s.other(t).call(t, ordersOf+"ListOrders", "{}").body))
}

// What an order gave is shown with the next page, on every replica, though no event has been heard.
func TestWhatAnOrderGaveIsShownAtOnceOnEveryReplica(t *testing.T) {
	t.Parallel()
	s := start(t, 2)
	here := s.member(t)
	there := &browser{Client: here.Client, base: s.gateways[1].URL}
	for _, b := range []*browser{here, there} {
		require.Equal(t, "Free trial", at(t, b.shown(t), "plan", "name"))
	}
	s.services.ordered(s.uid(), paid())
	s.services.subscribed(s.uid(), membership("serein-core", "month"))
	require.Equal(t, http.StatusOK, here.order(t, anOrder).StatusCode)
	for _, b := range []*browser{there, here} {
		require.Equal(t, "Core", at(t, b.shown(t), "plan", "name"))
	}
}
