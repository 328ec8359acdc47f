package stripe

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"serein.app/services/billing/internal/sales"
	"serein.app/services/billing/internal/subscriptions"
	"serein.app/services/testkit/clock"
	"serein.app/services/testkit/paymentsandbox"
)

// membership is one that was bought, at a clock that the provider goes by.
type membership struct {
	*Provider
	sandbox *paymentsandbox.Sandbox
	clock   *clock.Clock
	purchase
	id string
}

func join(t *testing.T, card paymentsandbox.Card) membership {
	t.Helper()
	moving := clock.New()
	moving.Move(time.Date(2027, 4, 10, 8, 0, 0, 0, time.UTC).Sub(moving.Now()))
	p, sandbox := sandboxed(t, paymentsandbox.Config{Now: moving.Now})
	made := begin(t, p, planPrice(), func(s *sales.NewSession) { s.ExpiresAt = moving.Now().Add(time.Hour) })
	require.NoError(t, sandbox.Pay(made.session.ID, card))
	session, err := p.Session(t.Context(), made.session.ID)
	require.NoError(t, err)
	return membership{p, sandbox, moving, made, session.Subscription}
}

func (m membership) priced(t *testing.T, price sales.NewPrice) string {
	t.Helper()
	made, err := m.CreatePrice(t.Context(), "price:"+price.LookupKey, price)
	require.NoError(t, err)
	return made.ID
}

func (m membership) reads(t *testing.T) sales.ProviderSubscription {
	t.Helper()
	read, err := m.Subscription(t.Context(), m.id)
	require.NoError(t, err)
	return read
}

func (m membership) bills(t *testing.T, since time.Time) []subscriptions.Invoice {
	t.Helper()
	found, err := m.Invoices(t.Context(), m.id, since)
	require.NoError(t, err)
	return found
}

// days lets so many pass.
func (m membership) days(n int) { m.clock.Move(time.Duration(n) * 24 * time.Hour) }

func TestEachPeriodsInvoiceIsReadWithWhatPaidIt(t *testing.T) {
	t.Parallel()
	m := join(t, paymentsandbox.Accepted)
	first := m.reads(t)
	m.days(30)
	second := m.reads(t)
	require.Equal(t, first.PeriodEnd, second.PeriodStart)
	bills := m.bills(t, time.Time{})
	require.Len(t, bills, 2)
	require.Equal(t, subscriptions.First, bills[0].Reason)
	renewal := bills[1]
	require.NotEmpty(t, renewal.Payment)
	require.Equal(t, subscriptions.Invoice{
		ID: renewal.ID, Status: subscriptions.Paid, Reason: subscriptions.Cycle,
		Total: 1999, Due: 1999, Charged: 1999, Currency: "gbp", Payment: renewal.Payment, Attempts: 1, CreatedAt: second.PeriodStart,
		Lines: []subscriptions.InvoiceLine{{PriceID: m.price.ID, Amount: 1999, PeriodStart: second.PeriodStart, PeriodEnd: second.PeriodEnd}},
	}, renewal)
	require.Equal(t, []subscriptions.Invoice{renewal}, m.bills(t, second.PeriodStart))
	require.Empty(t, m.bills(t, second.PeriodStart.Add(time.Second)))

	require.NoError(t, m.Refund(t.Context(), "refund:renewal", renewal.Payment))
	payment, err := m.Payment(t.Context(), renewal.Payment)
	require.NoError(t, err)
	require.Equal(t, int64(1999), payment.Refunded)
}

func TestAFailedRenewalSaysWhenItIsTriedAgainAndIsPaidByAnotherCard(t *testing.T) {
	t.Parallel()
	m := join(t, paymentsandbox.FailsAtRenewal)
	m.days(30)
	failed := m.bills(t, time.Time{})[1]
	require.Equal(t, "past_due", m.reads(t).Status)
	require.Equal(t, subscriptions.Open, failed.Status)
	require.Equal(t, 1, failed.Attempts)
	require.Equal(t, m.clock.Now().AddDate(0, 0, 3), failed.NextAttempt)
	require.Equal(t, []int64{1999, 0}, []int64{failed.Due, failed.Charged})
	require.Empty(t, failed.Payment)
	tried, err := m.Payment(t.Context(), failed.Pending)
	require.NoError(t, err)
	require.Equal(t, m.reads(t).Card.ID, tried.Card.ID, "which card was refused")
	m.days(15)
	failed = m.bills(t, time.Time{})[1]
	require.Equal(t, 4, failed.Attempts)
	require.Zero(t, failed.NextAttempt, "tried no more, and left to us")
	require.Equal(t, "past_due", m.reads(t).Status)

	give := func(card paymentsandbox.Card) string {
		require.NoError(t, m.sandbox.ChangeCard(m.customer, card))
		return m.reads(t).CustomerCard.ID
	}
	refused := give(paymentsandbox.FailsAtRenewal)
	for range 2 {
		require.ErrorIs(t, m.PayInvoice(t.Context(), "pay:1", failed.ID, refused), subscriptions.ErrDeclined)
	}
	tried, err = m.Payment(t.Context(), failed.Pending)
	require.NoError(t, err)
	require.Equal(t, refused, tried.Card.ID)
	require.Equal(t, "past_due", m.reads(t).Status)
	require.NoError(t, m.PayInvoice(t.Context(), "pay:2", failed.ID, give(paymentsandbox.Accepted)))
	mended := m.bills(t, time.Time{})[1]
	require.Equal(t, subscriptions.Paid, mended.Status)
	require.NotEmpty(t, mended.Payment)
	require.Empty(t, mended.Pending)
	require.Equal(t, "active", m.reads(t).Status)
	paid, err := m.Payment(t.Context(), mended.Payment)
	require.NoError(t, err)
	require.Equal(t, m.reads(t).CustomerCard.ID, paid.Card.ID)
	require.ErrorIs(t, m.PayInvoice(t.Context(), "pay:3", failed.ID, paid.Card.ID), sales.ErrRefused, "it is paid once")
	require.ErrorIs(t, m.PayInvoice(t.Context(), "pay:4", "in_nothing", paid.Card.ID), sales.ErrNotFound)
}

func TestAPreviewIsWhatTheChangeOfThatMomentCharges(t *testing.T) {
	t.Parallel()
	m := join(t, paymentsandbox.Accepted)
	dearer, began := m.priced(t, dearerPrice()), m.reads(t)
	m.days(10)
	at := m.clock.Now()
	preview, err := m.PreviewChange(t.Context(), m.id, dearer, at)
	require.NoError(t, err)
	lines := []subscriptions.InvoiceLine{
		{PriceID: m.price.ID, Amount: -1333, Proration: true, PeriodStart: at, PeriodEnd: began.PeriodEnd},
		{PriceID: dearer, Amount: 2333, Proration: true, PeriodStart: at, PeriodEnd: began.PeriodEnd},
	}
	require.Equal(t, subscriptions.Preview{
		Amount: 1000, Currency: "gbp", Lines: lines, Total: 1000, PeriodStart: began.PeriodStart, PeriodEnd: began.PeriodEnd,
	}, preview)
	require.Equal(t, began, m.reads(t), "and changes nothing")

	m.clock.Move(7 * time.Minute) // somebody thinks about it
	changed, err := m.ChangePrice(t.Context(), "change:1", m.id, dearer, at)
	require.NoError(t, err)
	require.Equal(t, dearer, changed.PriceID)
	require.Equal(t, changed, m.reads(t))
	require.Equal(t, began.PeriodEnd, changed.PeriodEnd)
	bill := m.bills(t, at)[0]
	require.Equal(t, subscriptions.Change, bill.Reason)
	require.Equal(t, []int64{1000, 1000, 1000}, []int64{bill.Total, bill.Due, bill.Charged})
	require.Equal(t, lines, bill.Lines)
	again, err := m.ChangePrice(t.Context(), "change:1", m.id, dearer, at)
	require.NoError(t, err)
	require.Equal(t, changed, again)
	require.Len(t, m.bills(t, at), 1, "the same key changes once")
}

func TestWhatAChangeCreditsIsBelowNothingAndPaysTheNextPeriods(t *testing.T) {
	t.Parallel()
	m := join(t, paymentsandbox.Accepted)
	dearer := m.priced(t, dearerPrice())
	_, err := m.ChangePrice(t.Context(), "change:1", m.id, dearer, m.clock.Now())
	require.NoError(t, err)
	preview, err := m.PreviewChange(t.Context(), m.id, m.price.ID, m.clock.Now())
	require.NoError(t, err)
	require.Equal(t, int64(-1500), preview.Amount)
	require.Equal(t, []int64{-1500, 0, 1500}, []int64{preview.Total, preview.Balance, preview.Credit})
	_, err = m.ChangePrice(t.Context(), "change:2", m.id, m.price.ID, m.clock.Now())
	require.NoError(t, err)
	credited := m.bills(t, time.Time{})[2]
	require.Equal(t, subscriptions.Paid, credited.Status)
	require.Equal(t, []int64{-1500, 0, 0, 1500}, []int64{credited.Total, credited.Due, credited.Charged, credited.Credit})
	require.Empty(t, credited.Payment)
	partly, err := m.PreviewChange(t.Context(), m.id, dearer, m.clock.Now())
	require.NoError(t, err)
	require.Zero(t, partly.Amount, "the credit would pay it")
	require.Equal(t, []int64{1500, -1500, 0}, []int64{partly.Total, partly.Balance, partly.Credit})
	m.days(30)
	renewal := m.bills(t, time.Time{})[3]
	require.Equal(t, []int64{1999, 499, 499}, []int64{renewal.Total, renewal.Due, renewal.Charged})
}

// The session says what its goods cost: what is charged is the invoice's, after the balance.
func TestWhatTheBalancePaysOfACheckoutIsReadBesideWhatIsCharged(t *testing.T) {
	t.Parallel()
	for credit, charged := range map[int64]int64{0: 1999, 500: 1499, 1999: 0, 3000: 0, 1985: 0, -29: 2028} {
		p, sandbox := sandboxed(t, paymentsandbox.Config{})
		made := begin(t, p, planPrice(), nil)
		if credit != 0 {
			require.NoError(t, p.ChangeBalance(t.Context(), "balance:1", made.customer, credit, "gbp", "S-9"))
		}
		require.NoError(t, sandbox.Pay(made.session.ID, paymentsandbox.Accepted))
		session, err := p.Session(t.Context(), made.session.ID)
		require.NoError(t, err)
		require.True(t, session.Paid)
		require.Equal(t, []int64{charged, 1999 - charged}, []int64{session.Amount, session.FromBalance}, credit)
		require.Equal(t, charged > 0, session.Payment != "")
		left, err := p.Balance(t.Context(), made.customer)
		require.NoError(t, err)
		require.Equal(t, credit-(1999-charged), left)
	}
}

func TestABalanceIsChangedOnceForAnOrder(t *testing.T) {
	t.Parallel()
	m := join(t, paymentsandbox.Accepted)
	change := func(key, order string, by int64) int64 {
		require.NoError(t, m.ChangeBalance(t.Context(), key, m.customer, by, "gbp", order))
		left, err := m.Balance(t.Context(), m.customer)
		require.NoError(t, err)
		return left
	}
	require.Equal(t, int64(700), change("k1", "one", 700))
	require.Equal(t, int64(700), change("k1", "one", 700))
	m.days(2) // by when the key is forgotten
	require.Equal(t, int64(700), change("k1", "one", 700))
	require.Equal(t, int64(200), change("k2", "two", -500))
	require.NoError(t, m.DeleteCustomer(t.Context(), "delete:1", m.customer))
	_, err := m.Balance(t.Context(), m.customer)
	require.ErrorIs(t, err, sales.ErrNotFound)
	require.ErrorIs(t, m.ChangeBalance(t.Context(), "k3", m.customer, 1, "gbp", "three"), sales.ErrNotFound)
}

func TestAnotherLengthOfThePeriodBeginsANewOne(t *testing.T) {
	t.Parallel()
	m := join(t, paymentsandbox.Accepted)
	year := m.priced(t, yearPrice())
	m.days(15)
	month := m.reads(t).PeriodEnd
	preview, err := m.PreviewChange(t.Context(), m.id, year, m.clock.Now())
	require.NoError(t, err)
	require.Equal(t, subscriptions.Preview{
		Lines: []subscriptions.InvoiceLine{
			{PriceID: m.price.ID, Amount: -1000, Proration: true, PeriodStart: m.clock.Now(), PeriodEnd: month},
			{PriceID: year, Amount: 19999, PeriodStart: m.clock.Now(), PeriodEnd: m.clock.Now().AddDate(1, 0, 0)},
		},
		Total: 19999 - 1000, Amount: 19999 - 1000, Currency: "gbp", PeriodStart: m.clock.Now(), PeriodEnd: m.clock.Now().AddDate(1, 0, 0),
	}, preview)
	changed, err := m.ChangePrice(t.Context(), "change:1", m.id, year, m.clock.Now())
	require.NoError(t, err)
	require.Equal(t, preview.PeriodStart, changed.PeriodStart)
	require.Equal(t, preview.PeriodEnd, changed.PeriodEnd)
	require.Equal(t, preview.Amount, m.bills(t, m.clock.Now())[0].Charged)
}

// A code that holds is taken off a whole period's line, beside its amount: the line is read without it, so that lines come to the total.
func TestWhatACodeTakesOffIsTakenOffItsLine(t *testing.T) {
	t.Parallel()
	p, sandbox := sandboxed(t, paymentsandbox.Config{})
	require.NoError(t, p.CreateCode(t.Context(), "code:1", Code{Text: "SPRING", Percent: 25, Months: 24}))
	made := begin(t, p, planPrice(), func(s *sales.NewSession) { s.PromotionCodes = true })
	require.NoError(t, sandbox.Apply(made.session.ID, "SPRING"))
	require.NoError(t, sandbox.Pay(made.session.ID, paymentsandbox.Accepted))
	session, err := p.Session(t.Context(), made.session.ID)
	require.NoError(t, err)
	bought, err := p.Subscription(t.Context(), session.Subscription)
	require.NoError(t, err)
	year, err := p.CreatePrice(t.Context(), "price:year", yearPrice())
	require.NoError(t, err)
	preview, err := p.PreviewChange(t.Context(), session.Subscription, year.ID, bought.PeriodStart)
	require.NoError(t, err)
	require.Equal(t, []int64{-1499, 14999}, []int64{preview.Lines[0].Amount, preview.Lines[1].Amount}, "three quarters of 19.99 and of 199.99")
	require.Equal(t, int64(14999-1499), preview.Total)
	require.Equal(t, preview.Total, preview.Amount)
}

func TestADeclinedChangeIsToldApartAndChangesNothing(t *testing.T) {
	t.Parallel()
	m := join(t, paymentsandbox.FailsAtRenewal)
	dearer, before := m.priced(t, dearerPrice()), m.reads(t)
	_, err := m.ChangePrice(t.Context(), "change:1", m.id, dearer, m.clock.Now())
	require.ErrorIs(t, err, subscriptions.ErrDeclined)
	for _, other := range []error{sales.ErrRefused, sales.ErrProviderUnavailable, sales.ErrNotFound} {
		require.NotErrorIs(t, err, other)
	}
	require.Equal(t, before, m.reads(t))
	require.Len(t, m.bills(t, time.Time{}), 1)
	_, err = m.ChangePrice(t.Context(), "change:2", m.id, "price_nothing", m.clock.Now())
	require.ErrorIs(t, err, sales.ErrRefused)
	require.NotErrorIs(t, err, subscriptions.ErrDeclined)
	_, err = m.ChangePrice(t.Context(), "change:3", "sub_nothing", dearer, m.clock.Now())
	require.ErrorIs(t, err, sales.ErrNotFound)
	_, err = m.PreviewChange(t.Context(), m.id, dearer, m.clock.Now().AddDate(0, -2, 0))
	require.ErrorIs(t, err, sales.ErrRefused)
}

func TestACancelledMembershipCanBeKeptUntilItsPeriodEnds(t *testing.T) {
	t.Parallel()
	m := join(t, paymentsandbox.Accepted)
	for i, why := range []sales.CancelReason{sales.TooExpensive, "", sales.Unused, "keep", sales.OtherReason, "keep", ""} {
		cancel := why != "keep"
		if !cancel {
			why = ""
		}
		read, err := m.CancelAtPeriodEnd(t.Context(), time.Duration(i).String(), m.id, cancel, why)
		require.NoError(t, err)
		require.Equal(t, cancel, read.CancelAtPeriodEnd)
		require.Equal(t, why, read.CancelReason)
		require.Equal(t, read, m.reads(t))
		require.Zero(t, read.EndedAt)
	}
	end := m.reads(t).PeriodEnd
	m.days(31)
	require.Equal(t, end, m.reads(t).EndedAt)
	_, err := m.CancelAtPeriodEnd(t.Context(), "keep", m.id, false, "")
	require.ErrorIs(t, err, sales.ErrRefused)
	_, err = m.CancelAtPeriodEnd(t.Context(), "keep:2", "sub_nothing", false, "")
	require.ErrorIs(t, err, sales.ErrNotFound)
}

func TestTheCardIsTheSubscriptionsOwnBeforeTheOneThatItsCustomerHasGiven(t *testing.T) {
	t.Parallel()
	m := join(t, paymentsandbox.Accepted)
	bought := m.reads(t)
	require.Equal(t, []string{"visa", "4242"}, []string{bought.Card.Brand, bought.Card.Last4})
	require.Zero(t, bought.CustomerCard)
	require.NoError(t, m.sandbox.ChangeCard(m.customer, paymentsandbox.AcceptedElsewhere))
	given := m.reads(t)
	require.Equal(t, []string{"mastercard", "4444"}, []string{given.CustomerCard.Brand, given.CustomerCard.Last4})
	require.NotEqual(t, bought.Card.Fingerprint, given.CustomerCard.Fingerprint)
	require.Equal(t, bought.CreatedAt, bought.Card.GivenAt)
	require.Equal(t, bought.Card, given.Charged())
	for _, key := range []string{"card:1", "card:2"} {
		require.NoError(t, m.ChargeTo(t.Context(), key, m.id, given.CustomerCard.ID))
		require.Equal(t, given.CustomerCard, m.reads(t).Charged())
	}
	require.ErrorIs(t, m.ChargeTo(t.Context(), "card:3", m.id, "pm_nothing"), sales.ErrRefused)
	require.ErrorIs(t, m.ChargeTo(t.Context(), "card:4", "sub_nothing", given.CustomerCard.ID), sales.ErrNotFound)
	require.NoError(t, m.DeleteCustomer(t.Context(), "delete:1", m.customer))
	require.Zero(t, m.reads(t).Charged())
}

func TestSubscriptionsAreListedByPagesAndWithoutThoseThatEnded(t *testing.T) {
	t.Parallel()
	m := join(t, paymentsandbox.Accepted)
	m.Provider = provider(t, m.sandbox) // so many answers are not held against the description again
	want := map[string]bool{}
	for range pageSize + 5 {
		made, err := m.CreateSession(t.Context(), time.Duration(len(want)).String(), sales.NewSession{
			OrderID: "S-1", UID: "uid-1", Customer: m.customer, Subscription: true, Currency: "gbp",
			Lines: []sales.SessionLine{{PriceID: m.price.ID, Quantity: 1}}, SuccessURL: "https://serein.example/", ExpiresAt: m.clock.Now().Add(time.Hour),
		})
		require.NoError(t, err)
		require.NoError(t, m.sandbox.Pay(made.ID, paymentsandbox.Accepted))
		session, err := m.Session(t.Context(), made.ID)
		require.NoError(t, err)
		want[session.Subscription] = true
	}
	require.NoError(t, m.EndSubscription(t.Context(), "end", m.id))
	after := ""
	for more := true; more; {
		var page []sales.ProviderSubscription
		var err error
		page, more, err = m.Subscriptions(t.Context(), after)
		require.NoError(t, err)
		require.LessOrEqual(t, len(page), pageSize)
		for _, one := range page {
			require.True(t, want[one.ID], "each once")
			delete(want, one.ID)
			after = one.ID
		}
	}
	require.Empty(t, want)
}

func TestAnEventOfAnInvoiceLeadsToItsSubscriptionAndThatOfACardToItsCustomer(t *testing.T) {
	t.Parallel()
	m := join(t, paymentsandbox.FailsAtRenewal)
	m.days(30)
	require.NoError(t, m.sandbox.ChangeCard(m.customer, paymentsandbox.Accepted))
	require.NoError(t, m.PayInvoice(t.Context(), "pay:1", m.bills(t, time.Time{})[1].ID, m.reads(t).CustomerCard.ID))
	events, err := m.Events(t.Context(), m.clock.Now())
	require.NoError(t, err)
	told := map[string]bool{}
	for _, event := range events {
		told[event.Type] = true
		if event.Type == "customer.updated" {
			require.Equal(t, []string{"customer", m.customer}, []string{event.Object, event.ObjectID})
			continue
		}
		require.Equal(t, m.id, event.Subscription, event.Type)
	}
	for _, kind := range []string{"invoice.payment_failed", "customer.updated", "invoice.paid", "customer.subscription.updated"} {
		require.True(t, told[kind], kind)
	}
}
