package gateway

import (
	"net/http"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/timestamppb"

	basketv1 "serein.app/proto/gen/serein/basket/v1"
	"serein.app/proto/gen/serein/basket/v1/basketv1connect"
	billingv1 "serein.app/proto/gen/serein/billing/v1"
	"serein.app/proto/gen/serein/billing/v1/billingv1connect"
	errorsv1 "serein.app/proto/gen/serein/errors/v1"
	"serein.app/proto/gen/serein/identity/v1/identityv1connect"
	"serein.app/proto/gen/serein/mail/v1/mailv1connect"
	webv1 "serein.app/proto/gen/serein/web/v1"
	"serein.app/services/platform/errs"
)

const membershipOf = "/serein.web.v1.MembershipService/"

// paysFor is a membership with all that billing knows of it.
func paysFor(id, period string, status billingv1.SubscriptionStatus) *billingv1.Subscription {
	out := membership(id, period)
	out.Status, out.PriceId, out.Amount, out.Currency, out.PeriodCredits, out.GrantedCredits = status, "price_core", 799, "gbp", 20, 19
	out.PlanDescription = "For an evening."
	out.StartsAt, out.EndsAt = timestamppb.New(createdAt), timestamppb.New(createdAt.AddDate(0, 1, 0))
	out.AccessUntil = timestamppb.New(createdAt.AddDate(0, 1, 14))
	return out
}

const (
	active = billingv1.SubscriptionStatus_SUBSCRIPTION_STATUS_ACTIVE
	grace  = billingv1.SubscriptionStatus_SUBSCRIPTION_STATUS_GRACE
)

func (b *browser) membersArea(t *testing.T) map[string]any {
	t.Helper()
	got := b.call(t, membershipOf+"GetMembership", "{}")
	require.Equal(t, http.StatusOK, got.StatusCode, got.body)
	return tree(t, got.body)
}

// itsMembership is the membership of an answer.
func itsMembership(t *testing.T, a answer) map[string]any {
	t.Helper()
	require.Equal(t, http.StatusOK, a.StatusCode, a.body)
	shown, _ := at(t, tree(t, a.body), "membership").(map[string]any)
	return shown
}

func TestTheMembersAreaSaysWhatTheyHaveWhatItCostsAndWhatTheyBought(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	s.services.subscribed(s.uid(), paysFor("serein-core", "month", active))
	s.services.charged = &billingv1.Card{Brand: "visa", Last4: "4242"}
	s.services.ordered(s.uid(), paid())
	s.services.bought = []*basketv1.PurchasedItem{{
		OrderId: anOrder, ProductId: "tee", Name: "Pine tee", Size: "M", Quantity: 2, UnitAmount: 2800, Currency: "gbp", PurchasedAt: timestamppb.New(createdAt), Cause: "checkout",
	}}
	b := s.member(t)
	require.Equal(t, map[string]any{
		"membership": map[string]any{
			"status": "MEMBERSHIP_STATUS_ACTIVE", "planId": "serein-core", "planName": "Core", "period": "month", "price": pounds("799"), "periodCredits": "20", "grantedCredits": "19",
			"startsAt": "2026-11-03T09:00:00Z", "endsAt": "2026-12-03T09:00:00Z", "accessUntil": "2026-12-17T09:00:00Z", "cardLast4": "4242",
		},
		"hasCard": true,
		"purchased": []any{map[string]any{
			"orderId": anOrder, "name": "Pine tee", "size": "M", "quantity": 2.0, "price": pounds("2800"), "purchasedAt": "2026-11-03T09:00:00Z", "cause": "checkout",
		}},
		"invitation": map[string]any{
			"code": "ADA-4F2K", "url": s.gateways[0].URL + "/signup?invite=ADA-4F2K", "trialDays": 14.0, "reward": "5", "invited": 2.0, "rewarded": 1.0, "credits": "5",
		},
		"letters": map[string]any{"reminders": true, "rewards": true},
	}, b.membersArea(t))
}

// Each part that does not answer is left out by itself, and none is waited for longer than the others.
func TestWhatDoesNotComeSoonIsLeftOutOfTheMembersArea(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		procedure string
		missing   string
	}{
		"the basket":     {basketv1connect.BasketServiceListPurchasedProcedure, "purchased"},
		"orders":         {billingv1connect.OrderServiceListOrdersProcedure, "hasCard"},
		"referrals":      {billingv1connect.ReferralServiceGetReferralsProcedure, "invitation"},
		"plans":          {billingv1connect.PlanServiceListPlansProcedure, "invitation"},
		"profiles":       {identityv1connect.UserServiceGetUserProcedure, "invitation"},
		"mail":           {mailv1connect.PreferenceServiceGetPreferencesProcedure, "letters"},
		"mail, silently": {mailv1connect.PreferenceServiceGetPreferencesProcedure, "letters"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := start(t, 1)
			s.services.subscribed(s.uid(), paysFor("serein-core", "month", active))
			s.services.ordered(s.uid(), paid())
			s.services.bought = []*basketv1.PurchasedItem{{OrderId: anOrder, Name: "Pine tee", Quantity: 1}}
			b := s.member(t)
			if name == "mail, silently" {
				s.services.hanging(c.procedure)
			} else {
				s.services.failing(c.procedure, errAway)
			}
			var got map[string]any
			require.Eventually(t, func() bool { // on a slow machine others may not come soon either
				s.clock.Move(longestPause)
				got = b.membersArea(t)
				for _, part := range []string{"purchased", "hasCard", "invitation", "letters"} {
					if part != c.missing && got[part] == nil {
						return false
					}
				}
				return true
			}, patience, time.Millisecond)
			require.Equal(t, "Core", at(t, got, "membership", "planName"))
			require.NotContains(t, got, c.missing)
		})
	}
}

func TestWithoutBillingNoMembershipIsClaimedToBeMissing(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	s.services.failing(billingv1connect.SubscriptionServiceGetSubscriptionProcedure, errAway)
	require.Equal(t, "UNAVAILABLE", s.member(t).call(t, membershipOf+"GetMembership", "{}").reason(t))
}

func TestTheTrialAndNothingAtAllAreToldApart(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	b := s.member(t)
	has := trial()
	has.Status = billingv1.SubscriptionStatus_SUBSCRIPTION_STATUS_TRIAL
	s.services.subscribed(s.uid(), has)
	var got map[string]any
	require.Eventually(t, func() bool { // what did not come within its second is left out
		s.clock.Move(longestPause)
		got, _ = b.membersArea(t)["membership"].(map[string]any)
		return got["periodCredits"] != nil
	}, patience, time.Millisecond)
	require.Equal(t, []any{"Free trial", true, "MEMBERSHIP_STATUS_TRIAL", "8"}, []any{got["planName"], got["trial"], got["status"], got["periodCredits"]})
	for _, name := range []string{"period", "price", "cardLast4"} {
		require.NotContains(t, got, name)
	}
	s.services.subscribed(s.uid(), nil)
	require.Empty(t, b.membersArea(t)["membership"])
}

func TestEveryStatusOfAMembershipHasItsOwn(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	b := s.member(t)
	for status, name := range billingv1.SubscriptionStatus_name {
		s.services.subscribed(s.uid(), paysFor("serein-core", "month", billingv1.SubscriptionStatus(status)))
		got, _ := b.membersArea(t)["membership"].(map[string]any)
		if status == 0 {
			require.NotContains(t, got, "status")
			continue
		}
		require.Equal(t, "MEMBERSHIP"+name[len("SUBSCRIPTION"):], got["status"])
	}
	due := paysFor("serein-core", "month", grace)
	due.PaymentFailedAt = timestamppb.New(createdAt)
	s.services.subscribed(s.uid(), due)
	got, _ := b.membersArea(t)["membership"].(map[string]any)
	require.Equal(t, []any{"2026-11-03T09:00:00Z", "2026-11-06T09:00:00Z"}, []any{got["failedAt"], got["nextAttempt"]})
}

func TestThePageWhereACardIsMendedIsForWhoHasOne(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	b := s.member(t)
	require.Equal(t, "CUSTOMER_NOT_FOUND", b.call(t, membershipOf+"OpenPortal", "{}").reason(t))
	s.services.ordered(s.uid(), paid())
	require.Equal(t, "https://pay.example/portal", tree(t, b.call(t, membershipOf+"OpenPortal", "{}").body)["url"])
	s.services.failing(billingv1connect.CheckoutServiceOpenPortalProcedure, errs.New(errs.Unavailable, errorsv1.Reason_REASON_PAYMENT_PROVIDER_UNAVAILABLE, "Resting."))
	require.Equal(t, "PAYMENT_PROVIDER_UNAVAILABLE", b.call(t, membershipOf+"OpenPortal", "{}").reason(t))
}

// Who comes back from the provider's page sees at once what has come of their card.
func TestTheCardThatWasGivenIsTakenOnTheWayBack(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	b := s.member(t)
	require.Equal(t, "SUBSCRIPTION_NOT_FOUND", b.call(t, membershipOf+"TakeCard", "{}").reason(t))
	s.services.subscribed(s.uid(), paysFor("serein-core", "month", grace))
	taken := itsMembership(t, b.call(t, membershipOf+"TakeCard", "{}"))
	require.Equal(t, []any{"MEMBERSHIP_STATUS_ACTIVE", "4444"}, []any{taken["status"], taken["cardLast4"]})
	require.Equal(t, "MEMBERSHIP_STATUS_ACTIVE", itsMembership(t, b.call(t, membershipOf+"GetMembership", "{}"))["status"])
	s.services.failing(billingv1connect.SubscriptionServiceTakeCardProcedure, errs.New(errs.Unavailable, errorsv1.Reason_REASON_PAYMENT_PROVIDER_UNAVAILABLE, "Resting."))
	require.Equal(t, "PAYMENT_PROVIDER_UNAVAILABLE", b.call(t, membershipOf+"TakeCard", "{}").reason(t))
}

func TestAChangeIsQuotedBeforeItIsMade(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	b := s.member(t)
	const wanted = `{"planId":"serein-premium","period":"`
	require.Equal(t, "SUBSCRIPTION_NOT_FOUND", b.call(t, membershipOf+"PreviewChange", wanted+`year"}`).reason(t), "the trial is nothing to change")
	s.services.subscribed(s.uid(), paysFor("serein-core", "month", active))
	want := map[string]any{
		"planId": "serein-premium", "planName": "Premium", "period": "year", "charged": pounds("500"), "next": pounds("1299"),
		"nextChargeAt": "2026-12-03T09:00:00Z", "planCredits": "41", "at": "2026-11-03T09:00:00Z", "lines": shownLines("1213"),
	}
	require.Equal(t, want, at(t, tree(t, b.call(t, membershipOf+"PreviewChange", wanted+`year"}`).body), "quote"))
	want["period"], want["charged"], want["credited"] = "month", map[string]any{"currency": "gbp"}, pounds("250")
	want["lines"] = shownLines("463")
	require.Equal(t, want, at(t, tree(t, b.call(t, membershipOf+"PreviewChange", wanted+`month"}`).body), "quote"), "what is credited is not charged")
	require.Equal(t, "INVALID_ARGUMENT", b.call(t, membershipOf+"PreviewChange", wanted+`week"}`).reason(t))
}

// shownLines are quoteLines as the page gets them.
func shownLines(plan string) []any {
	return []any{
		map[string]any{"kind": "CHANGE_LINE_KIND_PLAN", "planName": "Premium", "amount": pounds(plan), "days": 23.0, "periodDays": 30.0},
		map[string]any{"kind": "CHANGE_LINE_KIND_UNUSED", "planName": "Core", "amount": pounds("-613"), "days": 23.0, "periodDays": 30.0},
		map[string]any{"kind": "CHANGE_LINE_KIND_BALANCE", "amount": pounds("-80")},
		map[string]any{"kind": "CHANGE_LINE_KIND_WAITING", "amount": pounds("-20")},
	}
}

// toChange is a change as it was confirmed.
func toChange(amounts string) string {
	return `{"idempotencyKey":"` + mine + `","planId":"serein-premium","period":"month","at":"2026-11-03T09:00:00Z"` + amounts + `}`
}

func TestAChangeIsMadeAsItWasConfirmedAndShownAtOnce(t *testing.T) {
	t.Parallel()
	s := start(t, 2)
	s.services.subscribed(s.uid(), paysFor("serein-core", "month", active))
	here := s.member(t)
	there := &browser{Client: here.Client, base: s.gateways[1].URL}
	require.Equal(t, "Core", at(t, there.shown(t), "plan", "name"))
	got := itsMembership(t, here.call(t, membershipOf+"ChangePlan", toChange(`,"charged":{"amount":"500","currency":"gbp"}`)))
	require.Equal(t, []any{"serein-premium", "Premium", pounds("1299")}, []any{got["planId"], got["planName"], got["price"]})
	for _, b := range []*browser{there, here} {
		require.Equal(t, "Premium", at(t, b.shown(t), "plan", "name"))
	}
	for amounts, amount := range map[string]int64{
		`,"charged":{"amount":"500","currency":"gbp"}`: 500, `,"credited":{"amount":"250","currency":"gbp"}`: -250, "": 0,
		`,"charged":{"currency":"gbp"},"credited":{"amount":"250","currency":"gbp"}`: -250,
	} {
		require.Equal(t, http.StatusOK, here.call(t, membershipOf+"ChangePlan", toChange(amounts)).StatusCode, amounts)
		require.True(t, proto.Equal(&billingv1.ChangePlanRequest{
			IdempotencyKey: mine, PlanId: "serein-premium", Period: "month", At: timestamppb.New(createdAt), Amount: amount,
		}, s.services.lastly["ChangePlan"]), amounts)
	}
}

func TestAChangeThatNobodyConfirmedIsNone(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	s.services.subscribed(s.uid(), paysFor("serein-core", "month", active))
	b := s.member(t)
	for _, body := range []string{
		`{"idempotencyKey":"` + mine + `","planId":"serein-premium","period":"month"}`,
		`{"idempotencyKey":"1","planId":"serein-premium","period":"month","at":"2026-11-03T09:00:00Z"}`,
		toChange(`,"charged":{"amount":"-500","currency":"gbp"}`), toChange(`,"credited":{"amount":"-1","currency":"gbp"}`),
		toChange(`,"charged":{"amount":"1"},"credited":{"amount":"1"}`),
	} {
		require.Equal(t, "INVALID_ARGUMENT", b.call(t, membershipOf+"ChangePlan", body).reason(t), body)
	}
	require.Zero(t, s.services.asks(billingv1connect.SubscriptionServiceChangePlanProcedure))
	for _, reason := range []errorsv1.Reason{
		errorsv1.Reason_REASON_VERSION_MISMATCH, errorsv1.Reason_REASON_CHANGE_NOT_PAID, errorsv1.Reason_REASON_CHANGE_NOT_POSSIBLE, errorsv1.Reason_REASON_MEMBERSHIP_CURRENT,
	} {
		refused := errs.New(errs.FailedPrecondition, reason, "Not so.")
		s.services.failing(billingv1connect.SubscriptionServiceChangePlanProcedure, refused)
		require.Equal(t, refused.Word(), b.call(t, membershipOf+"ChangePlan", toChange("")).reason(t))
	}
	require.Equal(t, "Core", at(t, b.shown(t), "plan", "name"))
}

func TestAMembershipIsCancelledAndKept(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	b := s.member(t)
	for _, call := range []string{"CancelMembership", "KeepMembership"} {
		require.Equal(t, "SUBSCRIPTION_NOT_FOUND", b.call(t, membershipOf+call, "{}").reason(t))
	}
	s.services.subscribed(s.uid(), paysFor("serein-core", "month", active))
	require.Equal(t, change, b.cards(t)["serein-premium"][2])
	got := itsMembership(t, b.call(t, membershipOf+"CancelMembership", "{}"))
	require.Equal(t, []any{"MEMBERSHIP_STATUS_CANCELLING", "2026-12-03T09:00:00Z"}, []any{got["status"], got["accessUntil"]})
	require.Equal(t, none, b.cards(t)["serein-premium"][2], "shown at once")
	got = itsMembership(t, b.call(t, membershipOf+"KeepMembership", "{}"))
	require.Equal(t, "MEMBERSHIP_STATUS_ACTIVE", got["status"])
	require.Equal(t, change, b.cards(t)["serein-premium"][2])
}

// Each may have changed the credits, and until when what is open: no page shows them as they were.
func TestWhatAMemberDoesToTheirMembershipIsReadBackAtOnce(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	s.services.subscribed(s.uid(), paysFor("serein-core", "month", active))
	for n, act := range []struct{ path, body string }{
		{membershipOf + "CancelMembership", "{}"},
		{membershipOf + "KeepMembership", "{}"},
		{membershipOf + "TakeCard", "{}"},
		{membershipOf + "ChangePlan", toChange("")},
		{"/api/cancel-subscription", "{}"},
		{"/api/switch-subscription", `{"newPriceId":"serein-core:month"}`},
	} {
		b := s.member(t) // a browser that has done nothing yet
		b.shown(t)
		s.services.mu.Lock()
		s.services.balance[s.uid()] = &billingv1.Balance{PlanAvailable: int64(n + 1)}
		s.services.mu.Unlock()
		require.Equal(t, http.StatusOK, b.own(t, http.MethodPost, act.path, act.body).StatusCode, act.path)
		require.Equal(t, strconv.Itoa(n+1), at(t, b.shown(t), "credits", "plan"), act.path)
	}
}

func TestWhyAMemberCancelsIsOneOfAFewReasonsOrNone(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	b := s.member(t)
	for reason, name := range webv1.CancellationReason_name {
		s.services.subscribed(s.uid(), paysFor("serein-core", "month", active))
		itsMembership(t, b.call(t, membershipOf+"CancelMembership", `{"reason":"`+name+`"}`))
		require.True(t, proto.Equal(&billingv1.CancelSubscriptionRequest{Reason: billingv1.CancellationReason(reason)}, s.services.lastly["CancelSubscription"]))
		require.Equal(t, name, billingv1.CancellationReason(reason).String())
	}
	asked := s.services.asks(billingv1connect.SubscriptionServiceCancelSubscriptionProcedure)
	require.Equal(t, "INVALID_ARGUMENT", b.call(t, membershipOf+"CancelMembership", `{"reason":9}`).reason(t))
	require.Equal(t, asked, s.services.asks(billingv1connect.SubscriptionServiceCancelSubscriptionProcedure))
	itsMembership(t, b.call(t, membershipOf+"CancelMembership", `{"reason":"My neighbour says it is dear","comment":"So do I"}`))
	require.True(t, proto.Equal(&billingv1.CancelSubscriptionRequest{}, s.services.lastly["CancelSubscription"]), "no words of a member's go on")
}

func TestLettersAreWishedByTheMemberThemself(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	b := s.member(t)
	s.services.suppressed = true
	got := tree(t, b.call(t, membershipOf+"SetLetters", `{"letters":{"rewards":true,"suppressed":true}}`).body)
	require.Equal(t, map[string]any{"letters": map[string]any{"rewards": true, "suppressed": true}}, got)
	require.Equal(t, got["letters"], b.membersArea(t)["letters"])
	for _, wish := range []string{`"reminders":true`, `"rewards":true`, `"reminders":true,"rewards":true`} {
		b.call(t, membershipOf+"SetLetters", `{"letters":{`+wish+`,"suppressed":true}}`)
		require.Equal(t, tree(t, `{`+wish+`,"suppressed":true}`), b.membersArea(t)["letters"])
	}
	require.Equal(t, map[string]any{"reminders": true, "rewards": true, "suppressed": true}, s.other(t).membersArea(t)["letters"])
	require.Equal(t, "INVALID_ARGUMENT", b.call(t, membershipOf+"SetLetters", "{}").reason(t))
}

func TestGodControlsAreForAdminsOnTheirOwnPlan(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	b := s.member(t)
	s.services.gods = true
	const why = `{"idempotencyKey":"` + mine + `","reason":"To look at the trial"}`
	require.NotContains(t, b.membersArea(t), "godControls")
	for _, call := range []string{"ResetToTrial", "EndPlan"} {
		require.Equal(t, "ADMIN_REQUIRED", b.call(t, membershipOf+call, why).reason(t))
	}
	admin := start(t, 1)
	admin.services.is(admin.uid(), true)
	a := admin.member(t)
	require.NotContains(t, a.membersArea(t), "godControls", "they are off")
	admin.services.gods = true
	require.Equal(t, true, a.membersArea(t)["godControls"])
	admin.services.subscribed(admin.uid(), paysFor("serein-core", "month", active))
	got := itsMembership(t, a.call(t, membershipOf+"ResetToTrial", why))
	require.Equal(t, []any{"Free trial", true, "8"}, []any{got["planName"], got["trial"], got["periodCredits"]})
	require.Equal(t, "Free trial", at(t, a.shown(t), "plan", "name"))
	require.True(t, proto.Equal(&billingv1.ResetToTrialRequest{IdempotencyKey: mine, Uid: admin.uid(), Reason: "To look at the trial"}, admin.services.lastly["ResetToTrial"]))
	require.Equal(t, "MEMBERSHIP_STATUS_ENDED", itsMembership(t, a.call(t, membershipOf+"EndPlan", why))["status"])
	require.NotContains(t, at(t, a.shown(t), "plan"), "active")
	require.True(t, proto.Equal(&billingv1.EndSubscriptionRequest{IdempotencyKey: mine, Uid: admin.uid(), Reason: "To look at the trial"}, admin.services.lastly["EndSubscription"]))

	off := errs.New(errs.FailedPrecondition, errorsv1.Reason_REASON_GOD_CONTROLS_OFF, "They are off.")
	admin.services.failing(billingv1connect.OperatorServiceEndSubscriptionProcedure, off)
	require.Equal(t, "GOD_CONTROLS_OFF", a.call(t, membershipOf+"EndPlan", why).reason(t))
}
