package stripe

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"serein.app/services/billing/internal/sales"
	"serein.app/services/billing/internal/subscriptions"
)

// kinds are those of README.md's tables, by the types that the library has for their states, and the files with these.
var kinds = map[string]struct{ file, words string }{
	"Dispute":          {"dispute.go", "DisputeStatus"},
	"Refund":           {"refund.go", "RefundStatus"},
	"Payment":          {"paymentintent.go", "PaymentIntentStatus"},
	"Checkout session": {"checkout_session.go", "CheckoutSessionStatus"},
	"Invoice":          {"invoice.go", "InvoiceStatus"},
	"Subscription":     {"subscription.go", "SubscriptionStatus"},
}

// wordsOf are the words that the library knows for a kind's states, read from its source: one that a release of it adds is among them.
func wordsOf(t *testing.T, kind string) (found []string) {
	t.Helper()
	at, err := exec.CommandContext(t.Context(), "go", "list", "-f", "{{.Dir}}", "github.com/stripe/stripe-go/v85").Output()
	require.NoError(t, err)
	from := kinds[kind]
	source, err := parser.ParseFile(token.NewFileSet(), filepath.Join(strings.TrimSpace(string(at)), from.file), nil, 0)
	require.NoError(t, err)
	ast.Inspect(source, func(n ast.Node) bool {
		of, constant := n.(*ast.ValueSpec)
		if !constant || len(of.Values) != 1 {
			return true
		}
		if words, named := of.Type.(*ast.Ident); named && words.Name == from.words {
			word, err := strconv.Unquote(of.Values[0].(*ast.BasicLit).Value) //nolint:forcetypeassert // another form fails the test as it should
			require.NoError(t, err)
			found = append(found, word)
		}
		return true
	})
	require.GreaterOrEqual(t, len(found), 3, kind)
	return found
}

// Each word of the provider's for a state has a row in its table; one that a release of the library adds is seen here first.
func TestEveryStateOfTheProvidersHasARow(t *testing.T) {
	t.Parallel()
	said, err := os.ReadFile("README.md")
	require.NoError(t, err)
	_, tables, found := strings.Cut(string(said), "## The provider's states")
	require.True(t, found)
	tables, _, _ = strings.Cut(tables, "\n## ")
	for kind := range kinds {
		_, table, found := strings.Cut(tables, "\n**"+kind+"**")
		require.True(t, found, kind)
		table, _, _ = strings.Cut(table, "\n\n**")
		for _, word := range wordsOf(t, kind) {
			require.Contains(t, table, "\n| `"+word+"`", "%s: %s", kind, word)
		}
	}
}

func TestEveryWordForADisputeOrARefundIsKnown(t *testing.T) {
	t.Parallel()
	for _, word := range wordsOf(t, "Dispute") {
		require.True(t, sales.Dispute{Status: sales.DisputeStatus(word)}.Known(), word)
	}
	for _, word := range wordsOf(t, "Refund") {
		require.True(t, sales.Repayment{Status: sales.RepaymentStatus(word)}.Known(), word)
	}
}

// What README.md's table of payments says, and the one of checkouts.
func TestEveryWordForAPaymentAndACheckoutLeadsWhereItsRowSays(t *testing.T) {
	t.Parallel()
	payments := map[string]sales.Outcome{
		"succeeded":  sales.OnItsWay, // its session is paid in a moment, and says so itself
		"processing": sales.OnItsWay, "requires_action": sales.OnItsWay, "requires_confirmation": sales.OnItsWay, "requires_capture": sales.OnItsWay,
		"requires_payment_method": sales.NotPaid, "canceled": sales.NotPaid,
	}
	for _, word := range wordsOf(t, "Payment") {
		leads, there := payments[word]
		require.True(t, there, word)
		session := sales.Session{State: sales.SessionComplete, PaymentState: sales.PaymentState(word)}
		require.Equal(t, leads, session.Outcome(), word)
		session.Paid = true
		require.Equal(t, sales.HasPaid, session.Outcome(), word)
	}
	sessions := map[string]sales.Outcome{"open": sales.StillOpen, "complete": sales.OnItsWay, "expired": sales.NotPaid}
	for _, word := range wordsOf(t, "Checkout session") {
		leads, there := sessions[word]
		require.True(t, there, word)
		require.Equal(t, leads, sales.Session{State: sales.SessionState(word)}.Outcome(), word)
	}
}

// What README.md's table of subscriptions says, of one whose next period has begun and is not paid yet: nobody has tried to.
func TestEveryWordForASubscriptionLeadsWhereItsRowSays(t *testing.T) {
	t.Parallel()
	type leads struct {
		happens []subscriptions.Kind
		ended   bool // at the provider, which says so by the time as well
	}
	failed, over := []subscriptions.Kind{subscriptions.Failed}, []subscriptions.Kind{subscriptions.HasEnded}
	rows := map[string]leads{
		"active": {}, "trialing": {}, "paused": {}, "incomplete": {}, "past_due": {happens: failed}, "unpaid": {happens: failed}, //nolint:misspell // the provider's word
		"incomplete_expired": {over, true}, "canceled": {over, true},
	}
	for _, word := range wordsOf(t, "Subscription") {
		row, there := rows[word]
		require.True(t, there, word)
		told := turned
		if told.Status = word; row.ended {
			told.EndedAt = told.PeriodStart
		}
		require.Equal(t, row.happens, becomes(told), word)
	}
}

// turned is a membership at the provider whose next period has begun an hour ago.
var turned = sales.ProviderSubscription{
	ID: "sub", Status: "active", PriceID: "price",
	PeriodStart: time.Date(2027, 4, 1, 9, 0, 0, 0, time.UTC), PeriodEnd: time.Date(2027, 5, 1, 9, 0, 0, 0, time.UTC),
}

// becomes is what happens to that membership here.
func becomes(told sales.ProviderSubscription, invoices ...subscriptions.Invoice) (all []subscriptions.Kind) {
	_, happened := subscriptions.Next(subscriptions.State{
		ID: told.ID, Period: "month", PriceID: told.PriceID, Amount: 799, Currency: "gbp", Renews: true,
		StartsAt: told.PeriodStart.AddDate(0, -1, 0), EndsAt: told.PeriodStart, DueAt: told.PeriodStart,
	}, subscriptions.Told{Subscription: told, Invoices: invoices}, told.PeriodStart.Add(time.Hour))
	for _, h := range happened {
		all = append(all, h.Kind)
	}
	return all
}

// What README.md's table of invoices says, of a membership's next period: nobody has tried to charge it, unless the row says so.
func TestEveryWordForAnInvoiceLeadsWhereItsRowSays(t *testing.T) {
	t.Parallel()
	failed, renewed := []subscriptions.Kind{subscriptions.Failed}, []subscriptions.Kind{subscriptions.Renewed}
	rows := map[string][]subscriptions.Kind{"draft": nil, "open": nil, "void": nil, "paid": renewed, "uncollectible": failed}
	for _, word := range wordsOf(t, "Invoice") {
		leads, there := rows[word]
		require.True(t, there, word)
		require.Equal(t, leads, becomes(turned, subscriptions.Invoice{
			ID: "in", Status: subscriptions.InvoiceStatus(word), Reason: subscriptions.Cycle, Total: 799, Currency: "gbp", CreatedAt: turned.PeriodStart,
			Lines: []subscriptions.InvoiceLine{{PriceID: "price", Amount: 799, PeriodStart: turned.PeriodStart, PeriodEnd: turned.PeriodEnd}},
		}), word)
	}
}
