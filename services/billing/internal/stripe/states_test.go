package stripe

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"serein.app/services/billing/internal/sales"
	"serein.app/services/testkit/paymentsandbox"
	"serein.app/services/testkit/stripespec"
)

// paid is a pack that was paid, and its payment.
func paid(t *testing.T, p *Provider, sandbox *paymentsandbox.Sandbox) string {
	t.Helper()
	made := begin(t, p, packPrice(), nil)
	require.NoError(t, sandbox.Pay(made.session.ID, paymentsandbox.Accepted))
	session, err := p.Session(t.Context(), made.session.ID)
	require.NoError(t, err)
	return session.Payment
}

// H2: an answer shows ten lines of a checkout, wherever it is read.
func TestAllLinesOfACheckoutAreRead(t *testing.T) {
	t.Parallel()
	p, sandbox := sandboxed(t, paymentsandbox.Config{})
	const lines = 12
	var want []sales.PaidLine
	made := begin(t, p, packPrice(), func(s *sales.NewSession) {
		s.Lines = nil
		for i := range int64(lines) {
			price, err := p.CreatePrice(t.Context(), fmt.Sprint("price:", i), sales.NewPrice{
				LookupKey: fmt.Sprint("tee-", i), ProductID: fmt.Sprint("tee-", i), Name: "Tee", Amount: 1000 + i, Currency: "gbp",
			})
			require.NoError(t, err)
			s.Lines = append(s.Lines, sales.SessionLine{PriceID: price.ID, Quantity: 1})
			want = append(want, sales.PaidLine{PriceID: price.ID, Quantity: 1, Amount: 1000 + i})
		}
	})
	require.NoError(t, sandbox.Pay(made.session.ID, paymentsandbox.Accepted))
	session, err := p.Session(t.Context(), made.session.ID)
	require.NoError(t, err)
	require.Equal(t, want, session.Lines)
	listed, err := p.SessionsOf(t.Context(), made.customer, time.Now().Add(-time.Hour))
	require.NoError(t, err)
	require.Equal(t, want, listed[0].Lines)
}

// elsewhere has each answer show no payment of an invoice, and the list of them all, as Stripe's do that have more than ten.
func elsewhere(next http.Handler) http.Handler {
	var all any
	var cut func(any)
	cut = func(shown any) {
		switch shown := shown.(type) {
		case []any:
			for _, one := range shown {
				cut(one)
			}
		case map[string]any:
			if payments, list := shown["payments"].(map[string]any); list {
				all, payments["data"], payments["has_more"] = payments["data"], []any{}, true
			}
			cut(shown["invoice"])
			cut(shown["data"])
		}
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		answer := map[string]any{"object": "list", "url": "/v1/invoice_payments", "has_more": false, "data": all}
		if r.URL.Path != "/v1/invoice_payments" {
			given := httptest.NewRecorder()
			next.ServeHTTP(given, r)
			clear(answer)
			_ = json.Unmarshal(given.Body.Bytes(), &answer)
			cut(answer)
			w.WriteHeader(given.Code)
		}
		_ = json.NewEncoder(w).Encode(answer)
	})
}

// An answer shows ten payments of an invoice, wherever it is read.
func TestAllPaymentsOfAnInvoiceAreRead(t *testing.T) {
	t.Parallel()
	_, sandbox := sandboxed(t, paymentsandbox.Config{})
	p := provider(t, stripespec.Check(t, elsewhere(sandbox)))
	made := begin(t, p, planPrice(), nil)
	require.NoError(t, sandbox.Pay(made.session.ID, paymentsandbox.Accepted))
	session, err := p.Session(t.Context(), made.session.ID)
	require.NoError(t, err)
	require.NotEmpty(t, session.Payment)
	listed, err := p.SessionsOf(t.Context(), made.customer, time.Now().Add(-time.Hour))
	require.NoError(t, err)
	require.Equal(t, session.Payment, listed[0].Payment)
	invoices, err := p.Invoices(t.Context(), session.Subscription, time.Time{})
	require.NoError(t, err)
	require.Equal(t, session.Payment, invoices[0].Payment)
}

// H1: the charge says that it is disputed, the dispute what that means.
func TestADisputeIsReadAndNotTheChargesWord(t *testing.T) {
	t.Parallel()
	p, sandbox := sandboxed(t, paymentsandbox.Config{})
	payment := paid(t, p, sandbox)
	gone := func() (sales.Gone, sales.DisputeStatus) {
		read, err := p.Payment(t.Context(), payment)
		require.NoError(t, err)
		require.Len(t, read.Disputes, 1)
		return read.Gone(), read.Disputes[0].Status
	}
	require.NoError(t, sandbox.Inquire(payment))
	took, status := gone()
	require.Equal(t, sales.InquiryNeedsResponse, status)
	require.Zero(t, took)
	for _, next := range []struct {
		status sales.DisputeStatus
		takes  int64
	}{{sales.DisputeNeedsResponse, 599}, {sales.DisputeUnderReview, 599}, {sales.DisputeWon, 0}} {
		require.NoError(t, sandbox.Decide(payment, string(next.status)))
		took, status = gone()
		require.Equal(t, next.status, status)
		require.Equal(t, sales.Gone{Disputed: next.takes}, took, status)
	}
}

func TestADisputeOfAPartIsReadAsThatPart(t *testing.T) {
	t.Parallel()
	p, sandbox := sandboxed(t, paymentsandbox.Config{})
	payment := paid(t, p, sandbox)
	require.NoError(t, sandbox.Refund(payment, 100))
	require.NoError(t, sandbox.DisputePart(payment, 200))
	read, err := p.Payment(t.Context(), payment)
	require.NoError(t, err)
	require.Equal(t, sales.Gone{Refunded: 100, Disputed: 200}, read.Gone())
}

// M9: a refund that comes back takes nothing, and its event names the payment.
func TestARefundThatFailedIsNotCounted(t *testing.T) {
	t.Parallel()
	p, sandbox := sandboxed(t, paymentsandbox.Config{})
	payment := paid(t, p, sandbox)
	require.NoError(t, sandbox.Refund(payment, 100))
	require.NoError(t, sandbox.Refund(payment, 200))
	require.NoError(t, sandbox.FailRefund(payment))
	read, err := p.Payment(t.Context(), payment)
	require.NoError(t, err)
	require.Equal(t, int64(100), read.Refunded)
	events, err := p.Events(t.Context(), time.Now().Add(-time.Minute))
	require.NoError(t, err)
	last := events[len(events)-1]
	require.Equal(t, "refund.failed", last.Type)
	require.Equal(t, payment, last.Payment)
}

// A refund counts from the moment that it is asked for, and no more once it was called off.
func TestARefundIsCountedWhileItIsOnItsWay(t *testing.T) {
	t.Parallel()
	p, sandbox := sandboxed(t, paymentsandbox.Config{})
	payment := paid(t, p, sandbox)
	require.NoError(t, sandbox.RefundLater(payment, 200))
	refunded := func() int64 {
		read, err := p.Payment(t.Context(), payment)
		require.NoError(t, err)
		require.Empty(t, read.Strange())
		return read.Refunded
	}
	require.Equal(t, int64(200), refunded(), "pending")
	require.NoError(t, sandbox.DecideRefund(payment, "requires_action"))
	require.Equal(t, int64(200), refunded(), "requires_action")
	require.NoError(t, sandbox.DecideRefund(payment, "canceled"))
	require.Zero(t, refunded())
}

func TestADisputeThatWasPreventedIsReadAsItsRefund(t *testing.T) {
	t.Parallel()
	p, sandbox := sandboxed(t, paymentsandbox.Config{})
	payment := paid(t, p, sandbox)
	require.NoError(t, sandbox.Prevent(payment))
	read, err := p.Payment(t.Context(), payment)
	require.NoError(t, err)
	require.Equal(t, sales.DisputePrevented, read.Disputes[0].Status)
	require.Equal(t, sales.Gone{Refunded: 599}, read.Gone())
}

// H3: a checkout that is complete waits for its payment as long as that may come, and no longer.
func TestACheckoutByADelayedMethodEndsOneWayOrTheOther(t *testing.T) {
	t.Parallel()
	for comes, outcome := range map[bool]sales.Outcome{true: sales.HasPaid, false: sales.NotPaid} {
		p, sandbox := sandboxed(t, paymentsandbox.Config{})
		made := begin(t, p, packPrice(), func(s *sales.NewSession) { s.Methods = []string{"card", "bacs_debit"} })
		require.NoError(t, sandbox.PayLater(made.session.ID))
		session, err := p.Session(t.Context(), made.session.ID)
		require.NoError(t, err)
		require.Equal(t, sales.OnItsWay, session.Outcome())
		require.NoError(t, sandbox.Arrive(made.session.ID, comes))
		session, err = p.Session(t.Context(), made.session.ID)
		require.NoError(t, err)
		require.Equal(t, outcome, session.Outcome())
		require.Equal(t, map[bool]sales.Means{true: {Kind: "bacs_debit", Last4: "2345"}}[comes], session.PaidBy)
	}
}

// The methods are those that the operator has named: none that nobody thought of is offered.
func TestACheckoutOffersTheMethodsThatWereNamed(t *testing.T) {
	t.Parallel()
	p, sandbox := sandboxed(t, paymentsandbox.Config{})
	made := begin(t, p, packPrice(), func(s *sales.NewSession) { s.Methods = []string{"card"} })
	require.ErrorIs(t, sandbox.PayLater(made.session.ID), paymentsandbox.ErrNotPayable)
}

// M15: what a card cannot be charged is refused before anybody pays it.
func TestAPaymentBelowTheSmallestChargeIsRefused(t *testing.T) {
	t.Parallel()
	p, _ := sandboxed(t, paymentsandbox.Config{})
	price, err := p.CreatePrice(t.Context(), "price:small", sales.NewPrice{LookupKey: "small", ProductID: "small", Name: "Small", Amount: 16, Currency: "gbp"})
	require.NoError(t, err)
	_, err = p.CreateSession(t.Context(), "order:small", sales.NewSession{
		OrderID: "S-1", UID: "uid-1", Currency: "gbp", Lines: []sales.SessionLine{{PriceID: price.ID, Quantity: 1}},
		SuccessURL: "https://serein.example/order-success", CancelURL: "https://serein.example/basket", ExpiresAt: time.Now().Add(time.Hour),
	})
	require.ErrorIs(t, err, sales.ErrRefused)
}
