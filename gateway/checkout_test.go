package gateway

import (
	"net/http"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"serein.app/proto/gen/serein/basket/v1/basketv1connect"
	billingv1 "serein.app/proto/gen/serein/billing/v1"
	"serein.app/proto/gen/serein/billing/v1/billingv1connect"
	errorsv1 "serein.app/proto/gen/serein/errors/v1"
	"serein.app/services/platform/errs"
)

const checkout = basketOf + "Checkout"

// asked is what billing was asked to make an order of; nil where it was not asked by that key.
func (s *stack) asked(key string) *billingv1.StartCheckoutRequest {
	s.services.mu.Lock()
	defer s.services.mu.Unlock()
	return s.services.started[s.uid()+key]
}

// bought are the things of an order as one line each.
func bought(req *billingv1.StartCheckoutRequest) [][3]any {
	var out [][3]any
	for _, i := range req.GetItems() {
		out = append(out, [3]any{i.GetProductId(), i.GetSize(), int(i.GetQuantity())})
	}
	return out
}

func TestACheckoutOrdersTheBasketAsItsOwnerSawIt(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	s.services.fill(s.uid(), line("tee", "M", 2), line("credits-20", "", 1), saved(line("tote", "", 9)))
	b, key := s.member(t), uuid.NewString()
	got := b.call(t, checkout, `{"requestId":"`+key+`","version":7,"uid":"`+someone+`","total":1,"items":[{"productId":"wrap","amount":1}]}`)
	require.Equal(t, http.StatusOK, got.StatusCode, got.body)
	require.Equal(t, map[string]any{"orderId": anOrder, "url": payHere + anOrder}, tree(t, got.body))
	asked := s.asked(key)
	require.Equal(t, [][3]any{{"tee", "M", 2}, {"credits-20", "", 1}}, bought(asked))
	require.Equal(t, []string{"ada@example.org", "Ada", "Lovelace"}, []string{asked.GetEmail(), asked.GetGivenName(), asked.GetFamilyName()})
	require.Len(t, s.services.checked, 1)
	require.Equal(t, []any{int64(7), anOrder}, []any{s.services.checked[0].GetVersion(), s.services.checked[0].GetOrderId()})
	require.Len(t, s.services.basketOf(s.uid()).GetLines(), 3, "the paid order empties it, not the click")
}

func TestAPlanThatWasChosenBeforeSigningUpIsBoughtWithoutTheBasket(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	s.services.fill(s.uid(), line("tee", "M", 2))
	b, key := s.member(t), uuid.NewString()
	got := b.call(t, checkout, `{"requestId":"`+key+`","planId":"serein-core","period":"year"}`)
	require.Equal(t, http.StatusOK, got.StatusCode, got.body)
	require.Equal(t, [][3]any{{"serein-core", "year", 1}}, bought(s.asked(key)))
	require.Zero(t, s.services.asks(basketv1connect.BasketServiceGetBasketProcedure))
	require.Empty(t, s.services.checked)
}

func TestACheckoutThatCannotBeLeavesEverythingAsItWas(t *testing.T) {
	t.Parallel()
	key := uuid.NewString()
	refusals := map[errorsv1.Reason]errs.Kind{
		errorsv1.Reason_REASON_ITEM_NOT_SOLD: errs.FailedPrecondition, errorsv1.Reason_REASON_ITEM_SOLD_OUT: errs.FailedPrecondition,
		errorsv1.Reason_REASON_MEMBERSHIP_ALONE: errs.FailedPrecondition, errorsv1.Reason_REASON_MEMBERSHIP_CURRENT: errs.FailedPrecondition,
		errorsv1.Reason_REASON_TOP_UP_NOT_ALLOWED: errs.FailedPrecondition, errorsv1.Reason_REASON_IDEMPOTENCY_KEY_REUSED: errs.Conflict,
		errorsv1.Reason_REASON_PAYMENT_PROVIDER_UNAVAILABLE: errs.Unavailable,
	}
	s := start(t, 1)
	b := s.member(t)
	for body, reason := range map[string]string{
		`{"requestId":"` + key + `","version":0}`:                            "CHECKOUT_EMPTY",
		`{"requestId":"` + key + `","version":3}`:                            "VERSION_MISMATCH",
		`{"requestId":"` + key + `","planId":"serein-core"}`:                 "INVALID_ARGUMENT",
		`{"requestId":"` + key + `","planId":"serein-core","period":"week"}`: "INVALID_ARGUMENT",
		`{"requestId":"no","version":0}`:                                     "INVALID_ARGUMENT",
		`{"version":0}`:                                                      "INVALID_ARGUMENT",
	} {
		require.Equal(t, reason, b.call(t, checkout, body).reason(t), body)
	}
	s.services.fill(s.uid(), saved(line("tote", "", 1)))
	require.Equal(t, "CHECKOUT_EMPTY", b.call(t, checkout, `{"requestId":"`+key+`","version":7}`).reason(t), "what is for later is not bought")
	require.Zero(t, s.services.asks(billingv1connect.CheckoutServiceStartCheckoutProcedure))

	s.services.fill(s.uid(), line("tote", "", 1))
	for reason, kind := range refusals {
		s.services.failing(billingv1connect.CheckoutServiceStartCheckoutProcedure, errs.New(kind, reason, "In billing's own words."))
		got := b.call(t, checkout, `{"requestId":"`+key+`","version":7}`)
		require.Equal(t, (&errs.Error{Reason: reason}).Word(), got.reason(t))
		require.Contains(t, got.body, "In billing's own words.")
	}
	require.Empty(t, s.services.checked)
	require.Len(t, s.services.basketOf(s.uid()).GetLines(), 1)
}

func TestVisitorsAreAskedToSignInBeforeTheyPay(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	b := s.guest(t, "tote", "")
	require.Equal(t, http.StatusUnauthorized, b.call(t, checkout, `{"requestId":"`+uuid.NewString()+`","version":7}`).StatusCode)
	for _, call := range []string{"GetOrder", "ListOrders"} {
		require.Equal(t, http.StatusUnauthorized, b.call(t, ordersOf+call, `{"orderId":"`+anOrder+`"}`).StatusCode, call)
	}
}

func TestABasketThatChangesUnderTheCheckoutIsLookedAtAgain(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	b := s.member(t)
	s.services.fill(s.uid(), line("tote", "", 1))
	s.services.failing(basketv1connect.BasketServiceCheckOutProcedure, errVersion)
	require.Equal(t, "VERSION_MISMATCH", b.call(t, checkout, `{"requestId":"`+uuid.NewString()+`","version":7}`).reason(t))
	s.services.failing(basketv1connect.BasketServiceCheckOutProcedure, errAway)
	got := b.call(t, checkout, `{"requestId":"`+uuid.NewString()+`","version":7}`)
	require.Equal(t, http.StatusOK, got.StatusCode, "the order stands: %s", got.body)
}

func TestCheckoutsOfAMemberAreBoundedWithThoseOverREST(t *testing.T) {
	t.Parallel()
	s := start(t, 1, scaled(1))
	b := s.member(t)
	for range 15 {
		b.call(t, checkout, `{"requestId":"`+uuid.NewString()+`","planId":"serein-core","period":"year"}`)
	}
	b.own(t, http.MethodPost, "/api/checkout", `{"mode":"subscription","lineItems":[{"price":"serein-core:month"}]}`).failed(t, http.StatusTooManyRequests, "TOO_MANY_REQUESTS")
	require.Equal(t, http.StatusTooManyRequests, b.call(t, membershipOf+"OpenPortal", "{}").StatusCode)
	s.services.subscribed(s.uid(), paysFor("serein-core", "month", active))
	require.Equal(t, http.StatusTooManyRequests, b.call(t, membershipOf+"ChangePlan", toChange("")).StatusCode)
	b.own(t, http.MethodPost, "/api/switch-subscription", `{"newPriceId":"serein-premium:month"}`).failed(t, http.StatusTooManyRequests, "TOO_MANY_REQUESTS")
	require.Equal(t, http.StatusOK, b.call(t, membershipOf+"CancelMembership", "{}").StatusCode, "nobody waits for that")
	require.Equal(t, http.StatusOK, b.own(t, http.MethodPost, "/api/cancel-subscription", `{"cancelAtPeriodEnd":false}`).StatusCode)
}
