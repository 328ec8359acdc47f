package gateway

import (
	"net/http"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	billingv1 "serein.app/proto/gen/serein/billing/v1"
	"serein.app/proto/gen/serein/billing/v1/billingv1connect"
	errorsv1 "serein.app/proto/gen/serein/errors/v1"
	"serein.app/proto/gen/serein/identity/v1/identityv1connect"
	"serein.app/services/platform/errs"
)

// providersID is the provider's id of a price.
func (s *stack) providersID(id, size string) string {
	return s.services.price(id, size, func(*billingv1.ItemPrice) {}).GetId()
}

func TestBothModesOrderThePricesThatAreNamedAndNothingElseOfTheRequest(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	b := s.member(t)
	core, pack := s.providersID("serein-core", "year"), s.providersID("credits-40", "")
	const lies = `"email":"eve@example.org","firstName":"Eve","lastName":"X","subscription":{"hasCompletedTrial":false,"meditationCredits":9999,"size":"life",
		"subId":"serein-premium","planName":"Free","extraBespokeMeditationCredits":9999},"amount":1,"currency":"jpy"`
	for body, want := range map[string][][3]any{
		`{"mode":"subscription","lineItems":[{"price":"` + core + `","quantity":1}],` + lies + `}`:                                   {{"serein-core", "year", 1}},
		`{"mode":"subscription","lineItems":[{"price":"serein-core:year","quantity":99,"amount":1}],` + lies + `}`:                   {{"serein-core", "year", 1}},
		`{"mode":"payment","planId":"` + pack + `","lineItems":[{"priceId":"` + pack + `","quantity":-5}],` + lies + `}`:             {{"credits-40", "", 1}},
		`{"mode":"payment","lineItems":[{"price":"credits-20"}]}`:                                                                    {{"credits-20", "", 1}},
		`{"mode":"subscription","lineItems":[{"priceId":"serein-core:month","price":""}]}`:                                           {{"serein-core", "month", 1}},
		`{"mode":"payment","lineItems":[{"priceId":"credits-20","price":"credits-40"}]}`:                                             {{"credits-20", "", 1}},
		`{"mode":"payment","planId":"` + pack + `"}`:                                                                                 {{"credits-40", "", 1}},
		`{"mode":"payment","lineItems":[{"priceId":"credits-20"},{"priceId":"` + pack + `"},{"priceId":"credits-20"}]}`:              {{"credits-20", "", 1}, {"credits-40", "", 1}},
		`{"mode":"payment","uid":"` + s.uid() + `","metadata":{"uid":"` + s.uid() + `"},"lineItems":[{"priceId":"credits-20"}]}`:     {{"credits-20", "", 1}},
		`{"mode":"payment","lineItems":[{"priceId":"tote","quantity":2147483647}]}`:                                                  {{"tote", "", 1}},
		`{"mode":"payment","lineItems":[{"priceId":"tote","size":"M"},{"priceId":"tote","size":"S"},{"priceId":"tote","size":"M"}]}`: {{"tote", "M", 1}, {"tote", "S", 1}},
	} {
		key := uuid.NewString()
		got := b.own(t, http.MethodPost, "/api/checkout", body, "Idempotency-Key", key)
		require.Equal(t, http.StatusOK, got.StatusCode, "%s: %s", body, got.body)
		require.Equal(t, map[string]any{"sessionId": itsSession, "url": payHere + anOrder}, tree(t, got.body))
		asked := s.asked(key)
		require.Equal(t, want, bought(asked), body)
		require.Equal(t, []string{"ada@example.org", "Ada", "Lovelace"}, []string{asked.GetEmail(), asked.GetGivenName(), asked.GetFamilyName()})
	}
	require.Equal(t, http.StatusOK, s.rest(t, s.token(nil, "serein.billing.write"), http.MethodPost, "/api/checkout", `{"mode":"payment","planId":"credits-20"}`).StatusCode)
}

func TestACheckoutOverRESTThatIsWrongIsToldSoAndOrdersNothing(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	b := s.member(t)
	s.services.price("credits-40", "", func(p *billingv1.ItemPrice) { p.Purchasable = false })
	for _, c := range []struct {
		body   string
		status int
		reason string
		field  string
	}{
		{`{"mode":"subscription"}`, 400, "CHECKOUT_EMPTY", "lineItems"},
		{`{"mode":"payment","lineItems":[]}`, 400, "CHECKOUT_EMPTY", "lineItems"},
		{`{"mode":"subscription","planId":"serein-core:month"}`, 400, "CHECKOUT_EMPTY", "lineItems"},
		{`{"mode":"payment","lineItems":[{}]}`, 400, "ITEM_NOT_SOLD", "lineItems"},
		{`{"mode":"payment","lineItems":[{"priceId":"price_unknown"}]}`, 400, "ITEM_NOT_SOLD", "lineItems"},
		{`{"mode":"payment","lineItems":[{"priceId":"credits-20"},{"priceId":"price_unknown"}]}`, 400, "ITEM_NOT_SOLD", "lineItems"},
		{`{"mode":"subscription","lineItems":[{"price":"serein-core"}]}`, 400, "ITEM_NOT_SOLD", "lineItems"},
		{`{"mode":"subscription","lineItems":[{"price":"serein-core:week"}]}`, 400, "ITEM_NOT_SOLD", "lineItems"},
		{`{"mode":"payment","lineItems":[{"priceId":"credits-40"}]}`, 400, "ITEM_NOT_SOLD", "lineItems"},
		{`{"mode":"payment","planId":"' OR 1=1 --"}`, 400, "ITEM_NOT_SOLD", "lineItems"},
		{`{"mode":"payment","lineItems":[{"priceId":"serein-core:month"}]}`, 400, "INVALID_ARGUMENT", "mode"},
		{`{"mode":"subscription","lineItems":[{"price":"credits-20"}]}`, 400, "INVALID_ARGUMENT", "mode"},
		{`{"mode":"setup","lineItems":[{"price":"serein-core:month"}]}`, 400, "INVALID_ARGUMENT", "mode"},
		{`{"lineItems":[{"price":"serein-core:month"}]}`, 400, "INVALID_ARGUMENT", "mode"},
		{`{"mode":7,"lineItems":[{"price":"serein-core:month"}]}`, 400, "INVALID_ARGUMENT", ""},
		{`{"mode":"payment","lineItems":{"priceId":"credits-20"}}`, 400, "INVALID_ARGUMENT", ""},
		{`{"mode":"payment","lineItems":[{"priceId":20}]}`, 400, "INVALID_ARGUMENT", ""},
		{`{"mode":"payment","lineItems":[{"priceId":"credits-20","quantity":99999999999}]}`, 400, "INVALID_ARGUMENT", ""},
		{`{"mode":"payment","lineItems":[` + strings.TrimSuffix(strings.Repeat(`{"priceId":"credits-20"},`, 101), ",") + `]}`, 400, "INVALID_ARGUMENT", "lineItems"},
		{`{"mode":"payment","planId":"credits-20","uid":"` + someone + `"}`, 404, "USER_NOT_FOUND", ""},
		{`{"mode":"payment","planId":"credits-20","metadata":{"uid":"` + someone + `"}}`, 404, "USER_NOT_FOUND", ""},
		{`{"mode":"payment","planId":"credits-20","uid":"nonsense"}`, 404, "USER_NOT_FOUND", ""},
	} {
		got := b.own(t, http.MethodPost, "/api/checkout", c.body).failed(t, c.status, c.reason)
		require.Equal(t, c.field, got.Field, c.body)
	}
	require.Zero(t, s.services.asks(billingv1connect.CheckoutServiceStartCheckoutProcedure))
	s.services.is(s.uid(), true)
	b.own(t, http.MethodPost, "/api/checkout", `{"mode":"payment","planId":"credits-20","uid":"`+someone+`"}`).failed(t, http.StatusNotFound, "USER_NOT_FOUND")
	s.rest(t, s.account(everyScope), http.MethodPost, "/api/checkout", `{"mode":"payment","planId":"credits-20","uid":"`+s.uid()+`"}`).failed(t, http.StatusForbidden, "FORBIDDEN")
}

// A member who looks for what they can buy is not kept from buying it.
func TestARefusedCheckoutDoesNotCountTowardsTheLimit(t *testing.T) {
	t.Parallel()
	s := start(t, 1, scaled(1))
	b := s.member(t)
	for range 20 {
		b.own(t, http.MethodPost, "/api/checkout", `{"mode":"payment","lineItems":[{"priceId":"price_unknown"}]}`).failed(t, http.StatusBadRequest, "ITEM_NOT_SOLD")
		require.Equal(t, http.StatusBadRequest, b.call(t, checkout, `{"requestId":"`+uuid.NewString()+`","planId":"serein-core"}`).StatusCode, "a plan without a period")
	}
	require.Equal(t, http.StatusOK, b.own(t, http.MethodPost, "/api/checkout", `{"mode":"payment","planId":"credits-20"}`).StatusCode)
}

func TestBillingsRefusalsOfACheckoutCrossREST(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	b := s.member(t)
	const body = `{"mode":"payment","lineItems":[{"priceId":"credits-20"}]}`
	for _, c := range []struct {
		err    *errs.Error
		status int
		field  string
	}{
		{errs.New(errs.FailedPrecondition, errorsv1.Reason_REASON_TOP_UP_NOT_ALLOWED, "Not yet."), http.StatusConflict, ""},
		{errs.New(errs.FailedPrecondition, errorsv1.Reason_REASON_MEMBERSHIP_CURRENT, "It is yours."), http.StatusConflict, ""},
		{errs.New(errs.Invalid, errorsv1.Reason_REASON_ITEM_NOT_SOLD, "No more.").On("items"), http.StatusBadRequest, "lineItems"},
		{errs.New(errs.Unavailable, errorsv1.Reason_REASON_PAYMENT_PROVIDER_UNAVAILABLE, "Resting."), http.StatusServiceUnavailable, ""},
	} {
		s.services.failing(billingv1connect.CheckoutServiceStartCheckoutProcedure, c.err)
		require.Equal(t, c.field, b.own(t, http.MethodPost, "/api/checkout", body).failed(t, c.status, c.err.Word()).Field)
	}
	s.services.failing(billingv1connect.CheckoutServiceStartCheckoutProcedure, nil)
	s.services.failing(identityv1connect.UserServiceGetUserProcedure, errs.New(errs.NotFound, errorsv1.Reason_REASON_USER_NOT_FOUND, "Nobody."))
	require.Equal(t, http.StatusOK, b.own(t, http.MethodPost, "/api/checkout", body).StatusCode, "a member of another provider")

	away := start(t, 1)
	away.services.failing(billingv1connect.PriceServiceListPricesProcedure, errAway)
	away.member(t).own(t, http.MethodPost, "/api/checkout", body).failed(t, http.StatusServiceUnavailable, "UNAVAILABLE")
}
