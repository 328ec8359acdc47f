package gateway

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"serein.app/proto/gen/serein/basket/v1/basketv1connect"
	billingv1 "serein.app/proto/gen/serein/billing/v1"
	"serein.app/proto/gen/serein/billing/v1/billingv1connect"
	contentv1 "serein.app/proto/gen/serein/content/v1"
	"serein.app/proto/gen/serein/content/v1/contentv1connect"
	errorsv1 "serein.app/proto/gen/serein/errors/v1"
	"serein.app/services/platform/crowd"
	"serein.app/services/platform/errs"
)

const basketOf = "/serein.web.v1.BasketService/"

func toAdd(id, size string) string {
	return fmt.Sprintf(`{"requestId":%q,"productId":%q,"size":%q}`, uuid.NewString(), id, size)
}

// keep gives the browser a cookie.
func (b *browser) keep(tb testing.TB, name, value string) {
	tb.Helper()
	u, err := url.Parse(b.base)
	require.NoError(tb, err)
	b.Jar.SetCookies(u, []*http.Cookie{{Name: name, Value: value, Path: "/", Secure: true}})
}

// basket is the browser's, as GetBasket answers it.
func (b *browser) basket(t *testing.T) map[string]any {
	t.Helper()
	got := b.call(t, basketOf+"GetBasket", "{}")
	require.Equal(t, http.StatusOK, got.StatusCode, got.body)
	basket, ok := tree(t, got.body)["basket"].(map[string]any)
	require.True(t, ok, got.body)
	return basket
}

func pounds(pence string) map[string]any { return map[string]any{"amount": pence, "currency": "gbp"} }

func TestABasketIsShownByTheNamesAndPricesOfNow(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	cheaper := line("tee", "M", 2)
	cheaper.ShownAmount, cheaper.ShownCurrency = 3000, "gbp"
	same := line("tote", "", 1)
	same.ShownAmount, same.ShownCurrency = 1600, "gbp"
	s.services.fill(s.uid(), cheaper, same, line("credits-20", "", 1), saved(line("serein-core", "month", 1)))
	s.services.mu.Lock()
	s.services.prices.DeliveryAmount, s.services.prices.PromotionCodes = 350, true
	s.services.mu.Unlock()
	got := s.member(t).basket(t)
	require.Equal(t, true, got["promotionCodes"])
	require.Equal(t, []any{"7", pounds("7799"), 4.0, true, pounds("350")}, []any{got["version"], got["total"], got["count"], got["delivery"], got["deliveryPrice"]})
	lines, _ := got["lines"].([]any)
	require.Len(t, lines, 3)
	require.Equal(t, map[string]any{
		"id": cheaper.GetId(), "productId": "tee", "kind": "BASKET_ITEM_KIND_PRODUCT", "name": "Pine tee", "size": "M", "quantity": 2.0,
		"price": pounds("2800"), "was": pounds("3000"), "picture": map[string]any{"url": "/media/" + picture, "alt": "A tee."},
	}, lines[0])
	require.NotContains(t, lines[1], "was")
	require.Equal(t, []any{"BASKET_ITEM_KIND_CREDIT_PACK", "20 credits", "20", true}, []any{at(t, lines[2], "kind"), at(t, lines[2], "name"), at(t, lines[2], "credits"), at(t, lines[2], "quantityFixed")})
	kept, _ := got["saved"].([]any)
	require.Len(t, kept, 1)
	require.Equal(t, []any{"Core", "month", pounds("799"), true, "BASKET_ITEM_KIND_MEMBERSHIP"},
		[]any{at(t, kept[0], "name"), at(t, kept[0], "size"), at(t, kept[0], "price"), at(t, kept[0], "quantityFixed"), at(t, kept[0], "kind")})
	require.NotEmpty(t, at(t, kept[0], "savedAt"))
}

func TestWhatCannotBeBoughtAnyMoreSaysSoInTheBasket(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	s.services.price("tote", "", func(p *billingv1.ItemPrice) { p.Purchasable = false })
	s.services.price("generate", "month", func(p *billingv1.ItemPrice) { p.Name = "Generate of old" })
	s.services.stock(func(shop *contentv1.GetShopResponse) {
		shop.Plans = append(shop.GetPlans()[:3:3], shop.GetPlans()[4:]...)
		shop.Items = append(shop.GetItems()[:4:4], shop.GetItems()[5:]...)
	})
	s.services.fill(s.uid(),
		line("tee", "M", 1), line("tee", "L", 1), line("tee", "XXL", 1), line("tee", "", 1), line("wrap", "", 1), line("tote", "", 1),
		line("serein-core", "week", 1), line("together", "month", 1), line("generate", "month", 1), line("gone", "", 3), line("credits-20", "M", 1))
	got := s.member(t).basket(t)
	lines, _ := got["lines"].([]any)
	names := map[string]any{}
	for i, l := range lines {
		require.Equal(t, i > 0, at(t, l, "unavailable") == true, l)
		id, _ := at(t, l, "productId").(string)
		names[id] = at(t, l, "name")
	}
	require.Equal(t, "Generate of old", names["generate"], "as billing still knows it")
	require.Equal(t, "Something we no longer sell", names["gone"])
	require.NotContains(t, lines[9], "price")
}

func TestWhileBillingIsAwayABasketIsShownByContentsPrices(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	b := s.member(t)
	s.services.fill(s.uid(), line("tote", "", 2))
	s.services.failing(billingv1connect.PriceServiceListPricesProcedure, errAway)
	got := b.basket(t)
	require.Equal(t, pounds("3200"), got["total"])
	lines, _ := got["lines"].([]any)
	require.Equal(t, true, at(t, lines[0], "unavailable"))
	require.NotContains(t, got, "deliveryPrice")
}

func TestAVisitorsBasketIsKnownByItsCookieFromTheFirstThingOn(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	b := s.gateways[0].browser(t)
	require.Empty(t, b.basket(t))
	require.Empty(t, b.cookie("__Host-basket"), "looking at the shop sets no cookie")
	require.Zero(t, s.services.asks(basketv1connect.BasketServiceGetBasketProcedure))

	added := b.call(t, basketOf+"AddToBasket", toAdd("tote", ""))
	require.Equal(t, http.StatusOK, added.StatusCode, added.body)
	require.Equal(t, "ADD_OUTCOME_ADDED", tree(t, added.body)["outcome"])
	require.Regexp(t, `^__Host-basket=[0-9a-f-]{36}; Path=/; Max-Age=2592000; HttpOnly; Secure; SameSite=Lax$`, added.Header.Get("Set-Cookie"))
	id := b.cookie("__Host-basket")
	require.EqualValues(t, 1, b.basket(t)["count"])
	require.NotContains(t, b.call(t, basketOf+"GetBasket", "{}").Header, "Set-Cookie", "looking does not lengthen it")
	again := b.call(t, basketOf+"AddToBasket", toAdd("tote", ""))
	require.Contains(t, again.Header.Get("Set-Cookie"), id, "a change does")
	require.EqualValues(t, 2, b.basket(t)["count"])
	require.Empty(t, s.gateways[0].browser(t).basket(t), "another browser has another")
}

func TestACookieThatIsNoneOfOursIsNobodysBasket(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	s.services.fill("x", line("tote", "", 1))
	for _, value := range []string{"x", strings.ToUpper(aGuest), "'--", s.uid() + "0"} {
		b := s.gateways[0].browser(t)
		b.keep(t, "__Host-basket", value)
		require.Empty(t, b.basket(t), value)
	}
	require.Zero(t, s.services.asks(basketv1connect.BasketServiceGetBasketProcedure))
}

// A member's uid is a UUID too. As a guest's id it must lead nowhere, and as a member's call no guest's id crosses.
func TestACookieOpensNoMembersBasket(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	b := s.member(t)
	s.services.fill(s.uid(), line("tote", "", 1))
	s.services.fill(aGuest, line("tee", "M", 5))
	b.keep(t, "__Host-basket", aGuest)
	changed := b.call(t, basketOf+"AddToBasket", toAdd("tote", ""))
	require.Equal(t, http.StatusOK, changed.StatusCode, changed.body)
	require.EqualValues(t, 2, at(t, tree(t, changed.body), "basket", "count"))
	require.EqualValues(t, 5, s.services.basketOf(aGuest).GetLines()[0].GetQuantity())
	require.NotContains(t, changed.Header.Get("Set-Cookie"), "basket")
}

func TestAVisitorsBasketIsMergedOnceAtSignInAndItsCookieGoes(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	b := s.guest(t, "tee", "M")
	s.services.fill(s.uid(), line("tote", "", 2))
	require.EqualValues(t, 1, b.basket(t)["count"])
	b.signIn(t, "")
	got := b.basket(t)
	require.EqualValues(t, 3, got["count"])
	require.Equal(t, true, got["merged"])
	require.Empty(t, b.cookie("__Host-basket"))
	require.NotContains(t, b.basket(t), "merged", "it is said once")

	require.Equal(t, http.StatusOK, b.call(t, "/serein.web.v1.SessionService/SignOut", "{}").StatusCode)
	require.Empty(t, b.basket(t), "the member's does not stay on the screen")
	b.signIn(t, "")
	require.EqualValues(t, 3, b.basket(t)["count"], "and is there again")
}

func TestCallsAtTheSameTimeMergeOnce(t *testing.T) {
	t.Parallel()
	s := start(t, 2)
	b := s.guest(t, "tee", "M")
	b.signIn(t, "")
	cookies := "__Host-serein=" + b.cookie("__Host-serein") + "; __Host-basket=" + aGuest
	var calls sync.WaitGroup
	for i := range 20 {
		calls.Go(func() {
			other := s.gateways[i%2].browser(t)
			got, err := other.try(t.Context(), http.MethodPost, basketOf+"GetBasket", strings.NewReader("{}"), "Content-Type", "application/json", "X-Serein", "1", "Cookie", cookies)
			if err != nil || got.StatusCode != http.StatusOK || !strings.Contains(got.body, `"count":1`) {
				t.Errorf("%v %s", err, got.body)
			}
		})
	}
	calls.Wait()
	require.Equal(t, 1, s.services.merges)
}

func TestABasketThatCouldNotBeMergedIsKeptForTheNextCall(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	b := s.guest(t, "tee", "M")
	b.signIn(t, "")
	s.services.failing(basketv1connect.BasketServiceMergeProcedure, errAway)
	require.Equal(t, "UNAVAILABLE", b.call(t, basketOf+"GetBasket", "{}").reason(t))
	require.Equal(t, aGuest, b.cookie("__Host-basket"))
	s.services.failing(basketv1connect.BasketServiceMergeProcedure, nil)
	s.services.fill(aGuest, line("tee", "M", 1))
	require.Equal(t, true, b.basket(t)["merged"])
}

func TestAMemberWhoseBasketIsTooFullToMergeSeesItAndCanMakeRoom(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	b := s.guest(t, "tee", "M")
	s.services.fill(s.uid(), line("tote", "", 2))
	b.signIn(t, "")
	s.services.failing(basketv1connect.BasketServiceMergeProcedure, errs.New(errs.Exhausted, errorsv1.Reason_REASON_BASKET_FULL, "Full."))
	got := b.basket(t)
	require.EqualValues(t, 2, got["count"])
	require.NotContains(t, got, "merged")
	require.Equal(t, aGuest, b.cookie("__Host-basket"))
	s.services.failing(basketv1connect.BasketServiceMergeProcedure, nil)
	s.services.fill(aGuest, line("tee", "M", 1))
	require.Equal(t, true, b.basket(t)["merged"])
}

func TestNothingIsChangedThatCouldNotBeShown(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	s.services.failing(contentv1connect.ShopServiceGetShopProcedure, errAway)
	b := s.gateways[0].browser(t)
	require.Equal(t, "UNAVAILABLE", b.call(t, basketOf+"AddToBasket", toAdd("tote", "")).reason(t))
	require.Zero(t, s.services.asks(basketv1connect.BasketServiceAddItemProcedure))
	require.Empty(t, b.cookie("__Host-basket"))
}

func TestEveryChangeAnswersTheBasketAsItIsThen(t *testing.T) {
	t.Parallel()
	for name, b := range map[string]func(*stack) *browser{
		"visitor": func(s *stack) *browser { return s.guest(t) }, "member": func(s *stack) *browser { return s.member(t) },
	} {
		s := start(t, 1)
		who := b(s)
		owner := map[string]string{"visitor": aGuest, "member": s.uid()}[name]
		tote := line("tote", "", 1)
		s.services.fill(owner, tote, line("tee", "M", 1))
		do := func(call, body string) map[string]any {
			got := who.call(t, basketOf+call, body)
			require.Equal(t, http.StatusOK, got.StatusCode, got.body)
			return tree(t, got.body)
		}
		require.EqualValues(t, 5, at(t, do("SetQuantity", `{"version":7,"lineId":"`+tote.GetId()+`","quantity":4}`), "basket", "count"))
		later := do("SaveForLater", `{"version":8,"lineId":"`+tote.GetId()+`","saved":true}`)
		require.EqualValues(t, 1, at(t, later, "basket", "count"))
		require.Equal(t, "ADD_OUTCOME_OTHERS_SAVED", later["outcome"])
		require.EqualValues(t, 5, at(t, do("SaveForLater", `{"version":9,"lineId":"`+tote.GetId()+`"}`), "basket", "count"))
		cleared := do("ClearBasket", `{"version":10}`)
		require.NotContains(t, at(t, cleared, "basket"), "count")
		require.Equal(t, true, at(t, cleared, "basket", "canUndo"))
		require.Equal(t, "12", at(t, do("UndoBasket", `{"version":11}`), "basket", "version"))
		replaced := do("AddToBasket", `{"requestId":"`+uuid.NewString()+`","productId":"serein-core","size":"year","replace":true}`)
		require.Equal(t, pounds("7990"), at(t, replaced, "basket", "total"))
	}
}

func TestEveryRefusalOfTheBasketIsToldAsItIs(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	b := s.guest(t, "tote", "")
	nothing := uuid.NewString()
	for _, c := range []struct{ call, body, reason string }{
		{"SetQuantity", `{"version":6,"lineId":"` + nothing + `","quantity":1}`, "VERSION_MISMATCH"},
		{"SetQuantity", `{"version":7,"lineId":"` + nothing + `","quantity":1}`, "LINE_NOT_FOUND"},
		{"SetQuantity", `{"version":7,"lineId":"` + nothing + `","quantity":-1}`, "INVALID_ARGUMENT"},
		{"SetQuantity", `{"version":7,"lineId":"` + nothing + `","quantity":100}`, "INVALID_ARGUMENT"},
		{"SetQuantity", `{"version":7,"lineId":"tote","quantity":1}`, "INVALID_ARGUMENT"},
		{"SaveForLater", `{"version":7,"lineId":"` + nothing + `"}`, "LINE_NOT_FOUND"},
		{"ClearBasket", `{"version":1}`, "VERSION_MISMATCH"},
		{"UndoBasket", `{"version":7}`, "NOTHING_TO_UNDO"},
		{"AddToBasket", toAdd("nowhere", ""), "ITEM_NOT_SOLD"},
		{"AddToBasket", toAdd("", ""), "INVALID_ARGUMENT"},
		{"AddToBasket", toAdd(strings.Repeat("x", 65), ""), "INVALID_ARGUMENT"},
		{"AddToBasket", toAdd("tote", strings.Repeat("x", 41)), "INVALID_ARGUMENT"},
		{"AddToBasket", `{"productId":"tote"}`, "INVALID_ARGUMENT"},
	} {
		require.Equal(t, c.reason, b.call(t, basketOf+c.call, c.body).reason(t), c.body)
	}
	require.EqualValues(t, 7, s.services.basketOf(aGuest).GetVersion())
}

func TestOneRequestAddsOnceHoweverOftenItComes(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	b, body := s.guest(t), toAdd("tote", "")
	for range 3 {
		require.EqualValues(t, 1, at(t, tree(t, b.call(t, basketOf+"AddToBasket", body).body), "basket", "count"))
	}
}

func TestWhatAMemberMayNotBuyDoesNotGetIntoTheirBasket(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	s.services.subscribed(s.uid(), membership("serein-core", "month"))
	b := s.member(t)
	for _, c := range [][3]string{
		{"serein-core", "month", "You already have this membership."}, {"serein-core", "year", "You have a membership. Change it"}, {"serein-premium", "month", "You have a membership. Change it"},
	} {
		refused := b.call(t, basketOf+"AddToBasket", toAdd(c[0], c[1]))
		require.Equal(t, "MEMBERSHIP_CURRENT", refused.reason(t))
		require.Contains(t, refused.body, c[2])
	}
	for _, c := range [][2]string{{"credits-20", ""}, {"tote", ""}} {
		require.Equal(t, http.StatusOK, b.call(t, basketOf+"AddToBasket", toAdd(c[0], c[1])).StatusCode)
	}
	visitor := s.gateways[0].browser(t)
	for _, c := range [][2]string{{"credits-20", ""}, {"serein-core", "month"}, {"tote", ""}} {
		require.Equal(t, http.StatusOK, visitor.call(t, basketOf+"AddToBasket", toAdd(c[0], c[1])).StatusCode, "nobody knows what they have")
	}
}

// The gateway asks billing again before it refuses, so that a member who has just paid need not wait until the view has received the
// event.
func TestANewMembershipMayTopUpAtOnce(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	b := s.member(t)
	b.shown(t) // the trial is known now
	s.services.subscribed(s.uid(), membership("serein-core", "month"))
	require.Equal(t, http.StatusOK, b.call(t, basketOf+"AddToBasket", toAdd("credits-20", "")).StatusCode)
	s.services.subscribed(s.uid(), nil)
	s.services.failing(billingv1connect.AccountServiceGetAccountProcedure, errAway)
	s.clock.Move(1e10)
	require.Equal(t, "UNAVAILABLE", b.call(t, basketOf+"AddToBasket", toAdd("credits-20", "")).reason(t), "nobody guesses")
	require.Equal(t, http.StatusOK, b.call(t, basketOf+"AddToBasket", toAdd("tote", "")).StatusCode)
}

func TestAdditionsOfOneAddressAreBoundedOverBothReplicas(t *testing.T) {
	t.Parallel()
	s := start(t, 2, scaled(1))
	var over answer
	for i := range 6 * crowd.Size {
		if got := s.gateways[i%2].browser(t).call(t, basketOf+"AddToBasket", toAdd("tote", "")); got.StatusCode != http.StatusOK {
			over = got
			break
		}
	}
	require.NotNil(t, over.Response)
	require.Equal(t, http.StatusTooManyRequests, over.StatusCode)
	require.NotEmpty(t, over.Header.Get("Retry-After"))
}
