package gateway

import (
	"net/http"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/proto"

	billingv1 "serein.app/proto/gen/serein/billing/v1"
	"serein.app/proto/gen/serein/billing/v1/billingv1connect"
	errorsv1 "serein.app/proto/gen/serein/errors/v1"
	mailv1 "serein.app/proto/gen/serein/mail/v1"
	"serein.app/proto/gen/serein/mail/v1/mailv1connect"
	"serein.app/services/platform/errs"
)

func TestASubscriptionAnswersEveryFieldOfTheSpecification(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	b := s.member(t)
	s.services.balance[s.uid()] = &billingv1.Balance{PlanAvailable: 14, TopUpAvailable: 20}
	has := paysFor("serein-core", "month", active)
	s.services.subscribed(s.uid(), has)
	want := map[string]any{
		"subId": "serein-core", "subscription": "serein-core", "planName": "Core", "startDate": "2026-11-03T09:00:00Z", "duration": 30.0,
		"meditationCredits": 14.0, "extraBespokeMeditationCredits": 20.0, "hasCompletedTrial": true, "isActiveSub": true, "active": true,
		"cancelAtPeriodEnd": false, "size": "month", "priceId": "price_core", "billing": "month", "price": 7.99, "description": "For an evening.",
	}
	require.Equal(t, want, b.record(t)["subscription"])

	leaving := proto.CloneOf(has)
	leaving.Status, leaving.Renews = billingv1.SubscriptionStatus_SUBSCRIPTION_STATUS_CANCELLING, false
	s.services.subscribed(s.uid(), leaving)
	want["cancelAtPeriodEnd"], want["willCancelOn"] = true, float64(has.GetEndsAt().GetSeconds())
	require.Equal(t, want, b.record(t)["subscription"])

	ended := proto.CloneOf(leaving)
	ended.Status, ended.Active = billingv1.SubscriptionStatus_SUBSCRIPTION_STATUS_ENDED, false
	s.services.subscribed(s.uid(), ended)
	got := b.record(t)["subscription"]
	require.Equal(t, []any{false, false, false, nil}, []any{at(t, got, "isActiveSub"), at(t, got, "active"), at(t, got, "cancelAtPeriodEnd"), at(t, got, "willCancelOn")})
}

// switched is the subscription of an answer.
func switched(t *testing.T, a answer) map[string]any {
	t.Helper()
	require.Equal(t, http.StatusOK, a.StatusCode, a.body)
	shown, _ := tree(t, a.body)["subscription"].(map[string]any)
	return shown
}

func TestAPlanIsSwitchedByItsPriceAndShownAtOnce(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	b := s.member(t)
	of := s.services.price("serein-premium", "month", func(*billingv1.ItemPrice) {})
	for _, price := range []string{"serein-premium:month", of.GetId()} {
		s.services.subscribed(s.uid(), paysFor("serein-core", "month", active))
		require.Equal(t, "serein-core", at(t, b.record(t)["subscription"], "subId"))
		got := switched(t, b.own(t, http.MethodPost, "/api/switch-subscription",
			`{"uid":"`+s.uid()+`","newPriceId":"`+price+`","updates":{"subId":"serein-core","meditationCredits":999,"planName":"Mine"}}`, "Idempotency-Key", mine))
		require.Equal(t, []any{"serein-premium", "Premium", 12.99, 8.0}, []any{got["subId"], got["planName"], got["price"], got["meditationCredits"]})
		require.True(t, proto.Equal(&billingv1.ChangePlanRequest{IdempotencyKey: mine, PlanId: "serein-premium", Period: "month"}, s.services.lastly["ChangePlan"]),
			"at the price of that moment: a program confirms none")
		require.Equal(t, "Premium", at(t, b.shown(t), "plan", "name"))
	}
	s.services.subscribed(s.uid(), paysFor("serein-core", "month", active))
	const body = `{"newPriceId":"serein-premium:month"}`
	require.Equal(t, http.StatusOK, s.rest(t, s.token(nil, "serein.billing.write"), http.MethodPost, "/api/switch-subscription", body).StatusCode)
	req, _ := s.services.lastly["ChangePlan"].(*billingv1.ChangePlanRequest)
	require.NoError(t, uuid.Validate(req.GetIdempotencyKey()), "without a key each request is another")
}

// A member who tries plans that they cannot change to is not kept from changing to one that they can.
func TestARefusedSwitchDoesNotCountTowardsTheLimit(t *testing.T) {
	t.Parallel()
	s := start(t, 1, scaled(1))
	b := s.member(t)
	s.services.subscribed(s.uid(), paysFor("serein-core", "month", active))
	const path, body = "/api/switch-subscription", `{"newPriceId":"serein-premium:month"}`
	s.services.failing(billingv1connect.SubscriptionServiceChangePlanProcedure, errs.New(errs.FailedPrecondition, errorsv1.Reason_REASON_MEMBERSHIP_CURRENT, "It is yours."))
	for range 20 {
		b.own(t, http.MethodPost, path, body).failed(t, http.StatusConflict, "MEMBERSHIP_CURRENT")
	}
	s.services.failing(billingv1connect.SubscriptionServiceChangePlanProcedure, nil)
	require.Equal(t, http.StatusOK, b.own(t, http.MethodPost, path, body).StatusCode)
}

// The specification: an error field signals failure, and begins so. Whatever refuses it says what stands: nothing was changed, or it
// is not known.
func TestASwitchThatFailsSaysSoAndWhatStands(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	b := s.member(t)
	const body = `{"newPriceId":"serein-premium:month"}`
	const path = "/api/switch-subscription"
	stands := func(got failure, status int) {
		t.Helper()
		want := "Failed to switch subscription. Nothing was changed or charged. "
		if status >= http.StatusInternalServerError {
			want = "Failed to switch subscription. We did not hear whether it went through"
		}
		require.True(t, strings.HasPrefix(got.Error, want), got.Error)
	}
	failed := func(body string, status int, reason, field string) {
		t.Helper()
		got := b.own(t, http.MethodPost, path, body).failed(t, status, reason)
		stands(got, status)
		require.Equal(t, field, got.Field, body)
	}
	failed(body, http.StatusNotFound, "SUBSCRIPTION_NOT_FOUND", "")
	s.services.subscribed(s.uid(), paysFor("serein-core", "month", active))
	asked := s.services.asks(billingv1connect.SubscriptionServiceChangePlanProcedure)
	for _, price := range []string{"", "serein-premium", "serein-premium:week", "credits-20", "tee", "' OR 1=1 --"} {
		failed(`{"newPriceId":"`+price+`"}`, http.StatusBadRequest, "ITEM_NOT_SOLD", "newPriceId")
	}
	failed(`{"newPriceId":"`+strings.Repeat("x", 256)+`"}`, http.StatusBadRequest, "INVALID_ARGUMENT", "newPriceId")
	for _, uid := range []string{someone, "nonsense"} {
		failed(`{"newPriceId":"serein-premium:month","uid":"`+uid+`"}`, http.StatusNotFound, "USER_NOT_FOUND", "")
	}
	s.services.price("generate", "month", func(p *billingv1.ItemPrice) { p.Purchasable = false })
	s.clock.Move(1e10)
	failed(`{"newPriceId":"generate:month"}`, http.StatusBadRequest, "ITEM_NOT_SOLD", "newPriceId")
	require.Equal(t, asked, s.services.asks(billingv1connect.SubscriptionServiceChangePlanProcedure))
	for _, c := range []struct {
		err    error
		status int
		reason string
		field  string
	}{
		{errs.New(errs.FailedPrecondition, errorsv1.Reason_REASON_CHANGE_NOT_PAID, "The card was refused."), http.StatusConflict, "CHANGE_NOT_PAID", ""},
		{errs.New(errs.FailedPrecondition, errorsv1.Reason_REASON_CHANGE_NOT_POSSIBLE, "Keep it first."), http.StatusConflict, "CHANGE_NOT_POSSIBLE", ""},
		{errs.New(errs.Invalid, errorsv1.Reason_REASON_ITEM_NOT_SOLD, "No more.").On("plan_id"), http.StatusBadRequest, "ITEM_NOT_SOLD", "newPriceId"},
		{errs.New(errs.Unavailable, errorsv1.Reason_REASON_PAYMENT_PROVIDER_UNAVAILABLE, "Resting."), http.StatusServiceUnavailable, "PAYMENT_PROVIDER_UNAVAILABLE", ""},
		{errs.ErrInternal, http.StatusInternalServerError, "INTERNAL", ""},
	} {
		s.services.failing(billingv1connect.SubscriptionServiceChangePlanProcedure, c.err)
		failed(body, c.status, c.reason, c.field)
	}
	require.Equal(t, "serein-core", at(t, b.record(t)["subscription"], "subId"))
	require.Contains(t, b.own(t, http.MethodPost, path, "[]").failed(t, http.StatusBadRequest, "INVALID_ARGUMENT").Error, "changed or charged. The body is not")
	stands(s.rest(t, s.account(everyScope), http.MethodPost, path, body).failed(t, http.StatusForbidden, "FORBIDDEN"), http.StatusForbidden)
	stands(s.rest(t, "", http.MethodPost, path, body).failed(t, http.StatusUnauthorized, "UNAUTHENTICATED"), http.StatusUnauthorized)
	stands(b.own(t, http.MethodPost, path, `{"newPriceId":"`+strings.Repeat("x", 70_000)+`"}`).failed(t, http.StatusRequestEntityTooLarge, "REQUEST_TOO_LARGE"), http.StatusBadRequest)
	s.services.failing(billingv1connect.SubscriptionServiceChangePlanProcedure, errs.New(errs.FailedPrecondition, errorsv1.Reason_REASON_CHANGE_NOT_PAID, "The card was refused."))
	require.Equal(t, "Failed to switch subscription. Nothing was changed or charged. The card was refused.",
		b.own(t, http.MethodPost, path, body).failed(t, http.StatusConflict, "CHANGE_NOT_PAID").Error)
}

func TestAMembershipIsCancelledAndKeptOverREST(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	b := s.member(t)
	const path = "/api/cancel-subscription"
	b.own(t, http.MethodPost, path, "{}").failed(t, http.StatusNotFound, "SUBSCRIPTION_NOT_FOUND")
	s.services.subscribed(s.uid(), paysFor("serein-core", "month", active))
	for _, c := range []struct {
		body string
		ends bool
	}{
		{"{}", true},
		{`{"cancelAtPeriodEnd":false}`, false},
		{`{"cancelAtPeriodEnd":true,"uid":"` + s.uid() + `"}`, true},
		{`{"cancelAtPeriodEnd":null}`, true},
		{`{"cancelAtPeriodEnd":false}`, false},
	} {
		got := switched(t, b.own(t, http.MethodPost, path, c.body))
		require.Equal(t, c.ends, got["cancelAtPeriodEnd"], c.body)
		require.Equal(t, c.ends, got["willCancelOn"] != nil, c.body)
		require.Equal(t, c.ends, at(t, b.record(t)["subscription"], "cancelAtPeriodEnd"), c.body)
	}
	b.own(t, http.MethodPost, path, `{"uid":"`+someone+`"}`).failed(t, http.StatusNotFound, "USER_NOT_FOUND")
	b.own(t, http.MethodPost, path, `{"cancelAtPeriodEnd":"yes"}`).failed(t, http.StatusBadRequest, "INVALID_ARGUMENT")
	s.rest(t, s.account(everyScope), http.MethodPost, path, `{"uid":"`+s.uid()+`"}`).failed(t, http.StatusForbidden, "FORBIDDEN")
}

// What was done stands, though the credits after it cannot be told.
func TestAChangeStandsThoughItsCreditsAreNotToldOverREST(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	b := s.member(t)
	s.services.subscribed(s.uid(), paysFor("serein-core", "month", active))
	s.services.failing(billingv1connect.AccountServiceGetAccountProcedure, errAway)
	got := switched(t, b.own(t, http.MethodPost, "/api/cancel-subscription", "{}"))
	require.Equal(t, []any{true, 0.0}, []any{got["cancelAtPeriodEnd"], got["meditationCredits"]})
}

const freeLetter = `{"to":"amara@example.org","cc":"grace@example.org","subject":"A quiet evening","html":"<p>Hello</p>"}`

func TestMailWithFreeTextIsForAdminsAndProgramsThatMay(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	b := s.member(t)
	const path = "/api/sendMail"
	b.own(t, http.MethodPost, path, freeLetter).failed(t, http.StatusForbidden, "ADMIN_REQUIRED")
	s.services.is(s.uid(), true)
	s.clock.Move(1e10)
	s.rest(t, s.token(nil, everyScope), http.MethodPost, path, freeLetter).failed(t, http.StatusForbidden, "ADMIN_REQUIRED")
	s.rest(t, s.account("serein.user.read"), http.MethodPost, path, freeLetter).failed(t, http.StatusForbidden, "SCOPE_REQUIRED")
	require.Zero(t, s.services.asks(mailv1connect.LetterServiceSendFreeLetterProcedure))

	sent := b.own(t, http.MethodPost, path, freeLetter, "Idempotency-Key", mine)
	require.Equal(t, http.StatusOK, sent.StatusCode, sent.body)
	require.Equal(t, "{}", sent.body)
	require.True(t, proto.Equal(&mailv1.SendFreeLetterRequest{
		IdempotencyKey: mine, To: "amara@example.org", Cc: "grace@example.org", Subject: "A quiet evening", Html: "<p>Hello</p>",
	}, s.services.free[mine]))
	require.Equal(t, "gateway", s.services.callerOf(mailv1connect.LetterServiceSendFreeLetterProcedure))
	require.Equal(t, s.uid(), s.services.subjectOf(mailv1connect.LetterServiceSendFreeLetterProcedure).UID, "mail records who sent it")
	require.Equal(t, http.StatusOK, b.own(t, http.MethodPost, path, freeLetter, "Idempotency-Key", mine).StatusCode)
	require.Len(t, s.services.free, 1)
	for range 2 {
		require.Equal(t, http.StatusOK, s.rest(t, s.accountOf("press", "serein.mail.send"), http.MethodPost, path, freeLetter).StatusCode)
	}
	require.Len(t, s.services.free, 3, "without a key each request is another")
	require.Equal(t, "client:press", s.services.callerOf(mailv1connect.LetterServiceSendFreeLetterProcedure))
}

func TestMailsRefusalsOfALetterCrossREST(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	s.services.is(s.uid(), true)
	b := s.member(t)
	for _, c := range []struct {
		err    *errs.Error
		status int
		field  string
	}{
		{errs.New(errs.Invalid, errorsv1.Reason_REASON_ADDRESS_INVALID, "No address.").On("to"), http.StatusBadRequest, "to"},
		{errs.New(errs.Exhausted, errorsv1.Reason_REASON_LETTERS_LIMIT, "Enough for today."), http.StatusTooManyRequests, ""},
		{errs.New(errs.Conflict, errorsv1.Reason_REASON_IDEMPOTENCY_KEY_REUSED, "Another letter."), http.StatusConflict, ""},
	} {
		s.services.failing(mailv1connect.LetterServiceSendFreeLetterProcedure, c.err)
		require.Equal(t, c.field, b.own(t, http.MethodPost, "/api/sendMail", freeLetter).failed(t, c.status, c.err.Word()).Field)
	}
	s.services.failing(mailv1connect.LetterServiceSendFreeLetterProcedure, nil)
	long := strings.Replace(freeLetter, "<p>Hello</p>", strings.Repeat("x", 49153), 1)
	require.Equal(t, "html", b.own(t, http.MethodPost, "/api/sendMail", long).failed(t, http.StatusBadRequest, "INVALID_ARGUMENT").Field)
	require.Equal(t, "to", b.own(t, http.MethodPost, "/api/sendMail", `{"subject":"x","html":"x"}`).failed(t, http.StatusBadRequest, "INVALID_ARGUMENT").Field)
}
