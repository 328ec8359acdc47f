package letters_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/services/mail/internal/letters"
	"serein.app/services/platform/itemkind"
)

// things are an order of a pack and of two things that are sent.
func things() *letters.Order {
	return &letters.Order{
		Number: "S-10023", Currency: "gbp", Total: 5795, Delivery: 395, VAT: 966, VATPercent: 20,
		Lines: []letters.Line{
			{Name: "Leaning Pine tee", Size: "M", Kind: itemkind.Product, Quantity: 2, UnitAmount: 2400},
			{Name: "20 credits", Kind: itemkind.CreditPack, Quantity: 1, UnitAmount: 600, Credits: 20},
		},
	}
}

// membership is an order of a year, without tax.
func membership() *letters.Order {
	return &letters.Order{
		Number: "S-10024", Currency: "gbp", Total: 7990,
		Lines: []letters.Line{{Name: "Core", Size: "year", Kind: itemkind.Membership, Quantity: 1, UnitAmount: 7990, Credits: 240}},
	}
}

func compose(t *testing.T, l letters.Letter) letters.Content {
	t.Helper()
	require.NoError(t, l.Check())
	content, err := composer(t).Compose(l)
	require.NoError(t, err)
	return content
}

func TestAReceiptSaysWhatWasChargedAndWhatItOpened(t *testing.T) {
	t.Parallel()
	content := compose(t, letter(letters.Receipt))
	for _, said := range []string{
		"Order S-10023", "Leaning Pine tee, size M", "2 at £24.00", "£48.00", "20 credits", "£6.00", "£3.95", "£57.95", "VAT at 20%, included", "£9.66",
		"We’ve added 20 credits to yours. They never expire.", "We’ll pack your things", "https://serein.example/orders",
	} {
		require.Contains(t, content.Text, said)
		require.Contains(t, content.HTML, said)
	}
	require.NotContains(t, content.Text, "membership")
	require.Equal(t, "Your receipt from Serein, order S-10023", content.Subject)
}

func TestAReceiptOfAMembershipSaysNothingOfTaxOrPostThatThereIsNot(t *testing.T) {
	t.Parallel()
	l := letter(letters.Receipt)
	l.Data.Order = membership()
	content := compose(t, l)
	for _, body := range []string{content.Text, content.HTML} {
		require.Contains(t, body, "Core membership, one year")
		require.Contains(t, body, "Your membership has started, with 240 credits for meditations made just for you. It renews every year;")
		for _, unsaid := range []string{"VAT", "Delivery", "by post", "were added"} {
			require.NotContains(t, body, unsaid)
		}
	}
	l.Data.Order.Lines[0].Size = "month"
	l.Data.Order.Lines[0].Credits = 0
	content = compose(t, l)
	require.Contains(t, content.Text, "Core membership, one month: £79.90")
	require.Contains(t, content.Text, "Your membership has started. It renews every month;")
}

// What a change opened is said by the letter of the change, which knows what the credits are then.
func TestAReceiptOfAChangeOfThePlanSaysWhatWasChargedAndLeavesTheRestToItsLetter(t *testing.T) {
	t.Parallel()
	l := letter(letters.Receipt)
	l.Data.Order = membership()
	l.Data.Order.OfChange, l.Data.Order.VAT, l.Data.Order.VATPercent = true, 1332, 20
	content := compose(t, l)
	for _, body := range []string{content.Text, content.HTML} {
		for _, said := range []string{"Order S-10024", "£79.90", "VAT at 20%, included", "£13.32", "This was charged for your change of plan. We’ve sent another email about your new plan."} {
			require.Contains(t, body, said)
		}
		for _, unsaid := range []string{"240", "is open", "renews"} {
			require.NotContains(t, body, unsaid)
		}
	}
}

func TestADiscountStandsBeforeWhatWasLeftToPay(t *testing.T) {
	t.Parallel()
	l := letter(letters.Receipt)
	require.NotContains(t, compose(t, l).Text, "Discount")
	l.Data.Order.Discount, l.Data.Order.Total = 1000, 4795
	content := compose(t, l)
	require.Contains(t, content.Text, "- Discount, by promotion code: −£10.00\n\nTotal: £47.95")
	require.Contains(t, content.HTML, "−£10.00")
	require.Contains(t, content.Text, "We’ve received your payment")

	l.Data.Order = membership()
	l.Data.Order.Discount, l.Data.Order.Total = 7990, 0
	content = compose(t, l)
	require.Contains(t, content.Text, "Total: £0.00")
	for _, body := range []string{content.Text, content.HTML} {
		require.Contains(t, body, "You weren’t charged")
		require.NotContains(t, body, "received your payment")
	}
}

func TestWhatWasCreditedOrCarriedBeforeStandsBeforeWhatWasLeftToPay(t *testing.T) {
	t.Parallel()
	for _, template := range []letters.Template{letters.Receipt, letters.Renewed} {
		l := letter(template)
		require.NotContains(t, compose(t, l).Text, "Credited before")
		l.Data.Order.Credited, l.Data.Order.Carried = 500, 20
		content := compose(t, l)
		require.Contains(t, content.Text, "- Credited before: −£5.00\n- Left from an earlier payment: £0.20\n\nTotal:")
		require.Contains(t, content.HTML, "Credited before")
		require.Contains(t, content.HTML, "Left from an earlier payment")
	}
}

func TestDeliveryThatCostsNothingIsSaidToBeFree(t *testing.T) {
	t.Parallel()
	l := letter(letters.Receipt)
	l.Data.Order.Delivery = 0
	require.Contains(t, compose(t, l).Text, "- Delivery: free\n")
}

func TestOneCreditIsOneAndNotMany(t *testing.T) {
	t.Parallel()
	l := letter(letters.Receipt)
	l.Data.Order.Lines[1].Credits = 1
	require.Contains(t, compose(t, l).Text, "We’ve added 1 credit to yours. It never expires.")
	l = letter(letters.RefundSent)
	l.Data.Refund.CreditsTaken = 1
	require.Contains(t, compose(t, l).Text, "1 credit that came with the order has been removed.")
}

func TestARefundSaysHowMuchCameBackOfWhat(t *testing.T) {
	t.Parallel()
	l := letter(letters.RefundSent)
	content := compose(t, l)
	require.Contains(t, content.Text, "We’ve refunded £11.50 of your order S-10023. With earlier refunds, that’s £12.50 of £57.95.")
	require.Contains(t, content.Text, "11 credits that came with the order have been removed.")
	require.Contains(t, content.Text, "5–10 working days")

	l.Data.Refund.Amount, l.Data.Refund.Refunded, l.Data.Refund.CreditsTaken = 5795, 5795, 0
	content = compose(t, l)
	require.Contains(t, content.Text, "We’ve refunded your whole order S-10023: £57.95.")
	require.NotContains(t, content.Text, "credits that came with the order")
	require.NotContains(t, content.Text, "Together")

	l.Data.Refund.Amount, l.Data.Refund.Refunded = 100, 100
	require.NotContains(t, compose(t, l).Text, "Together", "nothing came back before")
}

func TestASecondMembershipsMoneySaysThatTheFirstOneStays(t *testing.T) {
	t.Parallel()
	content := compose(t, letter(letters.PaymentReturned))
	for _, said := range []string{"perhaps in a second tab", "Meadow membership, one year, order S-10024: £79.90", "We won’t charge it again", "stays as it is", "5–10 working days"} {
		require.Contains(t, content.Text, said)
		require.Contains(t, content.HTML, said)
	}
}

// Names of members stand in the greeting alone, names of things are an editor's.
func TestNamesInALetterOfASaleCannotBecomeMarkup(t *testing.T) {
	t.Parallel()
	for _, template := range []letters.Template{letters.Receipt, letters.RefundSent, letters.PaymentReturned} {
		l := letter(template)
		name := `<h1><a href="https://evil.example">x</a></h1><img src=x>`
		l.Data.GivenName = name
		if l.Data.Order != nil {
			l.Data.Order.Lines[0].Name, l.Data.Order.Lines[0].Size = name, name
		} else {
			l.Data.Refund.Lines[0].Name, l.Data.Refund.Lines[0].Size = name, name
		}
		content := compose(t, l)
		for _, markup := range []string{"<h1", "<img", `<a href="https://evil.example`} {
			require.NotContains(t, content.HTML, markup, template)
		}
		require.NotContains(t, content.Subject, "evil")
	}
}

func TestASaleOfWhichNoLetterCouldBeWrittenIsRefused(t *testing.T) {
	t.Parallel()
	for what, change := range map[string]func(*letters.Letter){
		"no order": func(l *letters.Letter) { l.Data.Order = nil },
		"a refund beside it": func(l *letters.Letter) {
			l.Data.Refund = &letters.Refund{Number: "S-1", Currency: "gbp", Lines: things().Lines}
		},
		"no number":               func(l *letters.Letter) { l.Data.Order.Number = "" },
		"a header in the number":  func(l *letters.Letter) { l.Data.Order.Number = "S-1\r\nBcc: eve@example.com" },
		"no currency":             func(l *letters.Letter) { l.Data.Order.Currency = "" },
		"a word for the currency": func(l *letters.Letter) { l.Data.Order.Currency = "pounds" },
		"no lines":                func(l *letters.Letter) { l.Data.Order.Lines = nil },
		"a thing without a name":  func(l *letters.Letter) { l.Data.Order.Lines[0].Name = "" },
		"none of a thing":         func(l *letters.Letter) { l.Data.Order.Lines[0].Quantity = 0 },
		"a line break in a name":  func(l *letters.Letter) { l.Data.Order.Lines[0].Name = "a\nb" },
	} {
		l := letter(letters.Receipt)
		change(&l)
		require.ErrorIs(t, l.Check(), letters.ErrText, what)
	}
	for _, template := range []letters.Template{letters.RefundSent, letters.PaymentReturned} {
		l := letter(template)
		l.Data.Refund.Number = ""
		require.ErrorIs(t, l.Check(), letters.ErrText)
		l.Data.Refund = nil
		require.ErrorIs(t, l.Check(), letters.ErrText)
	}
	l := letter(letters.Welcome)
	l.Data.Order = things()
	require.ErrorIs(t, l.Check(), letters.ErrText, "a welcome has no order")
}

func TestANameIsBroughtIntoOneLine(t *testing.T) {
	t.Parallel()
	require.Equal(t, "one two three", letters.OneLine(" one\r\n\ttwo\u2028th\x00r\u202eee "))
	long := letters.OneLine(strings.Repeat("李", 300))
	require.LessOrEqual(t, len(long), 400)
	require.True(t, strings.HasSuffix(long, "李…"))
}
