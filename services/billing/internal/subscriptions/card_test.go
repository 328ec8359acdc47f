package subscriptions_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	eventsv1 "serein.app/proto/gen/serein/events/v1"
	"serein.app/services/billing/internal/credits"
	"serein.app/services/billing/internal/plans"
	"serein.app/services/billing/internal/providertest"
	"serein.app/services/billing/internal/sales"
	"serein.app/services/billing/internal/subscriptions"
)

// requireRenewed: the period that was owed is paid once, by that card, and given once.
func (h *harness) requireRenewed(tb testing.TB, uid uuid.UUID, sub string, card sales.Card) {
	tb.Helper()
	a := h.account(tb, uid)
	require.Equal(tb, plans.Active, a.Subscription.Status(h.clock()))
	require.Equal(tb, begin.AddDate(0, 2, 0), a.Subscription.EndsAt)
	require.Equal(tb, credits.Balance{PlanAvailable: 20}, a.Balance)
	require.Len(tb, events[*eventsv1.SubscriptionRenewed](tb, h, "subscription.renewed"), 1)
	require.Len(tb, h.orders(tb, uid), 2)
	invoices := h.provider.InvoicesOf(sub)
	require.Len(tb, invoices, 2)
	paid, err := h.provider.Payment(tb.Context(), invoices[1].Payment)
	require.NoError(tb, err)
	require.Equal(tb, card, paid.Card)
	require.Zero(tb, paid.Refunded)
	told, err := h.provider.Subscription(tb.Context(), sub)
	require.NoError(tb, err)
	require.Equal(tb, card, told.Card, "and what comes is charged to it")
	require.Equal(tb, card.Last4, h.state(tb, uid).Card.Last4)
}

func (h *harness) state(tb testing.TB, uid uuid.UUID) subscriptions.State {
	tb.Helper()
	state, err := h.Get(tb.Context(), uid)
	require.NoError(tb, err)
	return state
}

// The provider charges nothing when a card is given, and goes on with the one that a checkout gave the subscription.
func TestAnotherCardPaysWhatIsOwedOnceHoweverItIsHeardOf(t *testing.T) {
	t.Parallel()
	for name, hears := range map[string]func(t *testing.T, h *harness, uid uuid.UUID){
		"by its webhook": func(t *testing.T, h *harness, _ uuid.UUID) { t.Helper(); h.hear(t) },
		"by its webhook twice": func(t *testing.T, h *harness, _ uuid.UUID) {
			t.Helper()
			news := h.news()
			require.Equal(t, "customer.updated", news[0].Type)
			again := news[0]
			again.ID = "evt_again"
			h.deliver(t, append(news, news[0], again)...)
		},
		"on the member's way back": func(t *testing.T, h *harness, uid uuid.UUID) {
			t.Helper()
			h.news()
			require.NoError(t, h.TakeCard(t.Context(), uid))
		},
		"by the sweep within the hour": func(t *testing.T, h *harness, _ uuid.UUID) {
			t.Helper()
			h.news()
			h.pass(time.Hour)
			h.sweep(t)
		},
		"by all of it at once": func(t *testing.T, h *harness, uid uuid.UUID) {
			t.Helper()
			news := h.news()
			h.pass(time.Hour)
			var all sync.WaitGroup
			for range 4 {
				all.Go(func() { _ = h.TakeCard(t.Context(), uid) })
				all.Go(func() { _ = h.SweepDue(t.Context()) })
				all.Go(func() { _ = h.seller.Receive(t.Context(), providertest.Payload(news[0]), providertest.Signature) })
			}
			all.Wait()
			h.work(t)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := setup(t)
			uid, sub := h.member(t)
			h.spend(t, uid, 4)
			h.fails(t, sub)
			h.pass(3 * plans.Day)
			h.provider.Try(sub)
			h.hear(t)
			require.Equal(t, plans.InGrace, h.status(t, uid))
			card := h.provider.Give(sub, false)
			require.Equal(t, plans.InGrace, h.status(t, uid), "billing has received no event of the card")
			hears(t, h, uid)
			h.requireRenewed(t, uid, sub, card)
			h.hear(t)
			require.NoError(t, h.TakeCard(t.Context(), uid))
			h.sweep(t)
			require.NoError(t, h.Reconcile(t.Context()))
			h.requireRenewed(t, uid, sub, card)
			h.requireSound(t, uid)
		})
	}
}

func TestACardThatIsRefusedTooIsTriedOnceAndTheNoticesGoOn(t *testing.T) {
	t.Parallel()
	h := setup(t)
	uid, sub := h.member(t)
	h.fails(t, sub)
	h.pass(plans.Day)
	refused := h.provider.Give(sub, true)
	h.hear(t)
	h.hear(t) // that it was refused, too
	require.NoError(t, h.TakeCard(t.Context(), uid), "it is said by where the membership stands")
	require.Equal(t, plans.InGrace, h.status(t, uid))
	require.Equal(t, refused.Last4, h.state(t, uid).Card.Last4, "and by the card that was refused")
	for range 12 * 24 {
		h.pass(time.Hour)
		h.sweep(t)
	}
	require.Equal(t, 1, h.provider.Calls("PayInvoice"))
	var notices []int32
	for _, e := range events[*eventsv1.SubscriptionPaymentFailed](t, h, "subscription.payment_failed") {
		notices = append(notices, e.GetNotice())
	}
	require.Equal(t, []int32{1, 2, 3}, notices)
	require.Equal(t, plans.InGrace, h.status(t, uid))
	card := h.provider.Give(sub, false)
	h.hear(t)
	h.requireRenewed(t, uid, sub, card)
	require.Equal(t, 2, h.provider.Calls("PayInvoice"))
}

// Whatever dies or is away in between, and whatever of it was done: the next look goes on, and the card is charged once.
func TestAProviderThatIsAwayWhileACardIsTakenChargesItOnce(t *testing.T) {
	t.Parallel()
	const well = providertest.Fault(0)
	writes := [][]providertest.Fault{{providertest.Away}, {providertest.Lost}, {providertest.Broken}, {providertest.BrokenAfter}}
	reads := [][]providertest.Fault{{providertest.Away}, {well, providertest.Away}}
	for call, all := range map[string][][]providertest.Fault{"ChargeTo": writes, "PayInvoice": writes, "Payment": reads, "Invoices": reads, "Subscription": reads} {
		for _, faults := range all {
			h := setup(t)
			uid, sub := h.member(t)
			h.fails(t, sub)
			card := h.provider.Give(sub, false)
			h.news()
			h.provider.Fail(call, faults...)
			_ = h.TakeCard(t.Context(), uid)
			h.provider.Heal()
			require.NoError(t, h.TakeCard(t.Context(), uid), "%s %v", call, faults)
			h.requireRenewed(t, uid, sub, card)
		}
	}
}

// dying is a store whose process dies before a change is kept, or after it.
type dying struct {
	subscriptions.Store
	kept bool
	left *int
}

func (d dying) Save(ctx context.Context, before, after subscriptions.State, happened []subscriptions.Happening, payments []subscriptions.Payment) error {
	if *d.left--; *d.left != 0 {
		return d.Store.Save(ctx, before, after, happened, payments)
	}
	if d.kept {
		_ = d.Store.Save(ctx, before, after, happened, payments)
	}
	return context.Canceled
}

func TestAProcessThatDiesBetweenThePaymentAndItsKeepingGivesItOnce(t *testing.T) {
	t.Parallel()
	for _, kept := range []bool{false, true} {
		h := setup(t)
		uid, sub := h.member(t)
		h.fails(t, sub)
		card := h.provider.Give(sub, false)
		h.news()
		left := 1
		require.ErrorIs(t, h.service(dying{h.store, kept, &left}).TakeCard(t.Context(), uid), context.Canceled)
		require.NoError(t, h.TakeCard(t.Context(), uid))
		h.hear(t)
		h.requireRenewed(t, uid, sub, card)
		require.Equal(t, 1, h.provider.Calls("PayInvoice"))
	}
}

// It was given for another membership. What this one is paid with was chosen at its checkout.
func TestACardThatWasGivenBeforeTheMembershipIsNotCharged(t *testing.T) {
	t.Parallel()
	h := setup(t)
	uid, first := h.member(t)
	old := h.provider.Give(first, false)
	h.hear(t)
	require.Equal(t, old.Last4, h.state(t, uid).Card.Last4)
	require.NoError(t, h.provider.EndSubscription(t.Context(), "", first))
	h.hear(t)
	require.Zero(t, h.state(t, uid).Card, "with what it was charged for a card is forgotten")

	h.pass(time.Hour)
	again := h.buys(t, uid, "core", "month").Subscription
	chosen := h.state(t, uid).Card
	require.NotEqual(t, old.ID, chosen.ID)
	h.fails(t, again)
	h.pass(time.Hour)
	h.sweep(t)
	require.NoError(t, h.TakeCard(t.Context(), uid))
	require.Zero(t, h.provider.Calls("PayInvoice"))
	require.Equal(t, plans.InGrace, h.status(t, uid))
	require.Equal(t, chosen, h.state(t, uid).Card)
}

func TestACardThatIsGivenInTimeIsWhatTheNextPeriodIsChargedTo(t *testing.T) {
	t.Parallel()
	h := setup(t)
	uid, sub := h.member(t)
	bought := h.state(t, uid).Card
	h.provider.Declines(sub, true)
	card := h.provider.Give(sub, false)
	h.hear(t)
	require.NotEqual(t, bought.ID, h.state(t, uid).Card.ID)
	h.turn(t, sub)
	h.hear(t)
	h.requireRenewed(t, uid, sub, card)
	require.Zero(t, h.provider.Calls("PayInvoice"))
}

// S7: who looks at what a change would cost pays nothing by it, and who ends what is not paid is charged no more.
func TestNothingIsPaidByWhoOnlyLooksOrEndsTheMembership(t *testing.T) {
	t.Parallel()
	h := setup(t)
	uid, sub := h.member(t)
	h.fails(t, sub)
	h.provider.Give(sub, false)
	h.news()
	_, known := h.Card(t.Context(), h.state(t, uid))
	require.True(t, known)
	_, err := h.PreviewChange(t.Context(), uid, "premium", "month")
	requireReason(t, err, "CHANGE_NOT_POSSIBLE")
	require.NoError(t, h.Cancel(t.Context(), uid, ""))
	h.work(t)
	require.Equal(t, plans.Ended, h.status(t, uid))
	requireReason(t, h.TakeCard(t.Context(), uid), "SUBSCRIPTION_NOT_FOUND")
	require.Zero(t, h.provider.Calls("PayInvoice"))
	require.True(t, h.provider.Ended(sub))
}

// givenUp has every invoice that is open written off, as an operator does at the provider's pages.
type givenUp struct{ payments }

func (p givenUp) Invoices(ctx context.Context, subscription string, since time.Time) ([]subscriptions.Invoice, error) {
	all, err := p.payments.Invoices(ctx, subscription, since)
	for i := range all {
		if all[i].Status == subscriptions.Open {
			all[i].Status = subscriptions.Uncollectible
		}
	}
	return all, err
}

func TestWhatTheHouseHasGivenUpIsNotChargedToAnotherCard(t *testing.T) {
	t.Parallel()
	h := setupWith(t, func(h *harness) payments { return givenUp{h.provider} })
	uid, sub := h.member(t)
	h.fails(t, sub)
	require.Equal(t, plans.InGrace, h.status(t, uid))
	card := h.provider.Give(sub, false)
	require.NoError(t, h.TakeCard(t.Context(), uid))
	require.Equal(t, card.Last4, h.state(t, uid).Card.Last4, "it is for what comes")
	require.Zero(t, h.provider.Calls("PayInvoice"))
	require.Len(t, h.orders(t, uid), 1)
}

func TestACardThatComesAfterTheEndPaysNothing(t *testing.T) {
	t.Parallel()
	h := setup(t)
	uid, sub := h.member(t)
	h.fails(t, sub)
	h.at(begin.AddDate(0, 1, 0).Add(14 * plans.Day))
	h.provider.Give(sub, false)
	h.hear(t)
	require.Equal(t, plans.Ended, h.status(t, uid))
	require.Zero(t, h.provider.Calls("PayInvoice"))
}

// A card that the provider does not take for the membership keeps nothing else of it waiting.
func TestAMembershipGoesOnWhereItsNewCardIsRefusedForGood(t *testing.T) {
	t.Parallel()
	h := setup(t)
	uid, sub := h.member(t)
	h.provider.Give(sub, false)
	h.provider.Fail("ChargeTo", providertest.Refused, providertest.Refused, providertest.Refused)
	h.turn(t, sub)
	_, err := h.Settle(t.Context(), sub)
	require.NoError(t, err)
	require.Equal(t, begin.AddDate(0, 2, 0), h.account(t, uid).Subscription.EndsAt)
	h.provider.Heal()
	_, err = h.Settle(t.Context(), sub)
	require.NoError(t, err)
	require.Equal(t, 2, h.provider.Calls("ChargeTo"), "it is asked for again")
}

// A membership that the previous release stored has no card. Billing does not treat the customer's present card as a newly given one.
func TestAMembershipWhoseCardIsNotKeptIsLookedAtOnce(t *testing.T) {
	t.Parallel()
	h := setup(t)
	uid, sub := h.member(t)
	h.provider.Give(sub, false)
	h.news()
	_, err := h.Pool.Exec(t.Context(), `UPDATE subscriptions SET card_id = '', card_brand = '', card_last4 = '', card_given = '', card_read = false`)
	require.NoError(t, err)
	asked := h.provider.Calls("Subscription")
	shown, known := h.Card(t.Context(), h.state(t, uid))
	require.True(t, known)
	require.Equal(t, asked+1, h.provider.Calls("Subscription"))
	_, err = h.Settle(t.Context(), sub)
	require.NoError(t, err)
	require.Zero(t, h.provider.Calls("ChargeTo"))
	asked = h.provider.Calls("Subscription")
	kept, known := h.Card(t.Context(), h.state(t, uid))
	require.True(t, known)
	require.Equal(t, shown.Last4, kept.Last4)
	require.Equal(t, asked, h.provider.Calls("Subscription"), "it is kept")
	h.provider.Give(sub, false)
	h.hear(t)
	require.Equal(t, 1, h.provider.Calls("ChargeTo"), "and billing takes over a newly given card")
}

// Billing receives the checkout's event after the member has given a card on the provider's page.
func TestACardThatIsGivenBeforeTheCheckoutsEventArrivesIsTaken(t *testing.T) {
	t.Parallel()
	h := setup(t)
	uid := uuid.Must(uuid.NewV7())
	o, err := h.seller.Start(t.Context(), sales.Request{
		UID: uid, Key: uuid.NewString(), Email: "ada@example.com", Items: []sales.RequestedLine{{ProductID: "core", Size: "month", Quantity: 1}},
	})
	require.NoError(t, err)
	sub := h.provider.Pay(o.SessionID).Subscription
	h.pass(time.Minute)
	card := h.provider.Give(sub, false)
	h.hear(t)
	require.Equal(t, card.Last4, h.state(t, uid).Card.Last4)
}

// A wallet has no digits, and what a code made free has no card at all: that is known once it was read.
func TestAMembershipWithoutDigitsToShowIsNotAskedForAtEachView(t *testing.T) {
	t.Parallel()
	for name, card := range map[string]sales.Card{"a wallet": {ID: "pm_wallet"}, "nothing is charged": {}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := setup(t)
			uid, sub := h.member(t)
			h.provider.ChangeSubscription(sub, func(s *sales.ProviderSubscription) { s.Card, s.CustomerCard = card, card })
			_, err := h.Settle(t.Context(), sub)
			require.NoError(t, err)
			_, err = h.Pool.Exec(t.Context(), `UPDATE subscriptions SET card_read = false WHERE card_id = ''`)
			require.NoError(t, err)
			_, known := h.Card(t.Context(), h.state(t, uid))
			require.False(t, known, "asked once more where nothing is kept by the release before")
			asked := h.provider.Calls("Subscription")
			for range 3 {
				_, known := h.Card(t.Context(), h.state(t, uid))
				require.False(t, known)
			}
			require.Equal(t, asked, h.provider.Calls("Subscription"))
			card := h.provider.Give(sub, false)
			h.hear(t)
			shown, known := h.Card(t.Context(), h.state(t, uid))
			require.True(t, known, "one that has some is shown")
			require.Equal(t, card.Last4, shown.Last4)
		})
	}
}
