package receipt_test

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"io"
	"regexp"
	"testing"
	"time"
	"unicode/utf16"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"serein.app/services/billing/internal/receipt"
	"serein.app/services/billing/internal/sales"
	"serein.app/services/platform/itemkind"
)

func order() sales.Order {
	return sales.Order{
		ID: uuid.UUID{15: 1}, Sequence: 10023, State: sales.Completed, Total: 5795, Delivery: 395, Ships: true, Currency: "gbp", VATPercent: 20,
		CompletedAt: time.Date(2027, 3, 1, 9, 0, 0, 0, time.UTC),
		Lines: []sales.Line{
			{Name: "Leaning Pine tee", Size: "M", Kind: itemkind.Product, Quantity: 2, UnitAmount: 2400},
			{Name: "20 credits", Kind: itemkind.CreditPack, Quantity: 1, UnitAmount: 600, Credits: 20},
		},
		PaidBy:  sales.Means{Kind: "card", Brand: "visa", Last4: "4242"},
		Address: &sales.Address{Name: "Ada Łukasz Ωmega", Line1: "1 Mill Lane", City: "Bath", PostalCode: "BA1 1AA", Country: "GB"},
	}
}

func house() receipt.House {
	return receipt.House{Lines: []string{"Serein Ltd", " 2 Mill Lane"}, VATNumber: "GB 123 4567 89"}
}

func buyer() receipt.Buyer { return receipt.Buyer{Name: "Ada Byron", Email: "ada@example.org"} }

// said says whether a receipt says the words, which stand in its packed streams in UTF-16.
func said(t *testing.T, o sales.Order, words string) bool {
	t.Helper()
	pdf, err := receipt.PDF(o, house(), buyer())
	require.NoError(t, err)
	return holds(t, pdf, words)
}

// unescaped finds what a string of the format has a backslash before.
var unescaped = regexp.MustCompile(`\\([\\()])`)

func holds(t *testing.T, pdf []byte, words string) bool {
	t.Helper()
	var units []byte
	for _, unit := range utf16.Encode([]rune(words)) {
		units = binary.BigEndian.AppendUint16(units, unit)
	}
	streams := regexp.MustCompile(`(?s)stream\n(.*?)\nendstream`).FindAllSubmatch(pdf, -1)
	require.NotEmpty(t, streams)
	for _, stream := range streams {
		packed, err := zlib.NewReader(bytes.NewReader(stream[1]))
		if err != nil {
			continue // not packed
		}
		plain, err := io.ReadAll(packed)
		require.NoError(t, err)
		if bytes.Contains(unescaped.ReplaceAll(plain, []byte("$1")), units) {
			return true
		}
	}
	return false
}

func TestAReceiptNamesHouseOrderLinesTaxAndWhatWasRefunded(t *testing.T) {
	t.Parallel()
	for _, words := range []string{
		"Serein Ltd", "2 Mill Lane", "VAT number GB 123 4567 89", "Receipt S-10023", "Paid on 1 March 2027", "Leaning Pine tee, size M", "£48.00",
		"20 credits", "Delivery", "£3.95", "Total", "£57.95", "VAT at 20%, included", "£9.66", "Ada Łukasz Ωmega", "BA1 1AA", "United Kingdom",
	} {
		require.True(t, said(t, order(), words), words)
	}
	untaxed := order()
	untaxed.VATPercent = 0
	require.False(t, said(t, untaxed, "VAT"))
	require.False(t, said(t, order(), "Refunded"))
	refunded := order()
	refunded.Refunded = 795
	for _, words := range []string{"Refunded", "−£7.95", "Paid after refunds", "£50.00"} {
		require.True(t, said(t, refunded, words), words)
	}
}

// Nobody was at a checkout: the receipt says why the card was charged.
func TestTheReceiptOfARenewalAndOfAChangeOfPlanSaysThatItIsOne(t *testing.T) {
	t.Parallel()
	for cause, words := range map[sales.Cause]string{
		sales.Checkout: "Core membership, one month, with", sales.Renewal: "Core membership, one month, renewal",
		sales.PlanChange: "Core membership, change of plan",
	} {
		o := order()
		o.Cause, o.Lines = cause, []sales.Line{{Name: "Core", Size: "month", Kind: itemkind.Membership, Quantity: 1, UnitAmount: 799, Credits: 20}}
		require.True(t, said(t, o, words), words)
		require.Equal(t, cause == sales.Renewal, said(t, o, "renewal"), cause)
	}
}

// Whatever people are called, wherever it stands.
func TestNamesAreWrittenInEveryScript(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][]string{
		"Aiko 𠮷no 🙂":   {"Aiko no"},
		"王小明":          {"王小明"},
		"张伟":           {"Zhang Wei"},
		"山田 太郎":        {"山田 太郎"},
		"김민준":          {"Gimminjun"},
		"محمد":         {"\ufeaa\ufee4\ufea4\ufee3"},
		"רחוב 12 תל":   {"לת 12 בוחר"},
		"राजेश":        {"Raajesh"},
		"สมชาย":        {"Smchaay"},
		"Ada שרה 山田 2": {"Ada ", "הרש", "山田 2"},
	} {
		for place, put := range map[string]func(o *sales.Order, from *receipt.House, to *receipt.Buyer){
			"buyer":   func(_ *sales.Order, _ *receipt.House, to *receipt.Buyer) { to.Name = text },
			"address": func(o *sales.Order, _ *receipt.House, _ *receipt.Buyer) { o.Address.Name = text },
			"line":    func(o *sales.Order, _ *receipt.House, _ *receipt.Buyer) { o.Lines[1].Name = text },
			"seller":  func(_ *sales.Order, from *receipt.House, _ *receipt.Buyer) { from.Lines[0] = text },
		} {
			o, from, to := order(), house(), buyer()
			put(&o, &from, &to)
			pdf, err := receipt.PDF(o, from, to)
			require.NoError(t, err, place)
			for _, words := range want {
				require.True(t, holds(t, pdf, words), "%s as %s", text, place)
			}
			again, err := receipt.PDF(o, from, to)
			require.NoError(t, err)
			require.Equal(t, pdf, again)
			require.Less(t, len(pdf), 200_000)
		}
	}
}

func TestAReceiptNamesSellerAndBuyerAsFarAsTheyAreKnown(t *testing.T) {
	t.Parallel()
	for _, words := range []string{"Sold by", "Serein Ltd", "Sold to", "Ada Byron", "ada@example.org", "Sent to"} {
		require.True(t, said(t, order(), words), words)
	}
	pdf, err := receipt.PDF(order(), receipt.House{}, receipt.Buyer{Name: "🙂"})
	require.NoError(t, err)
	for _, words := range []string{"Sold by", "Sold to"} {
		require.False(t, holds(t, pdf, words), words)
	}
}

func TestAReceiptSaysWhatItWasPaidBy(t *testing.T) {
	t.Parallel()
	for words, by := range map[string]sales.Means{
		"Paid by Visa ending 4242":              {Kind: "card", Brand: "visa", Last4: "4242"},
		"Paid by American Express ending 0005":  {Kind: "card", Brand: "amex", Last4: "0005"},
		"Paid by card ending 1111":              {Kind: "card", Brand: "unknown", Last4: "1111"},
		"Paid by card":                          {Kind: "card"},
		"Paid by Bacs Direct Debit ending 2345": {Kind: "bacs_debit", Last4: "2345"},
		"Paid by PayPal":                        {Kind: "paypal"},
	} {
		o := order()
		o.PaidBy = by
		require.True(t, said(t, o, words), words)
	}
	o := order()
	o.PaidBy = sales.Means{Kind: "shells"}
	require.False(t, said(t, o, "Paid by"), "what is unknown is left out")
	o.PaidBy = sales.Means{}
	require.False(t, said(t, o, "Paid by"))
	o.FromBalance = o.Total
	require.True(t, said(t, o, "Paid by credit balance"))
	o.FromBalance, o.Discount = 0, o.Total
	require.False(t, said(t, o, "Paid by"), "nothing was due")
}

func TestMuchGoesOnAnotherPage(t *testing.T) {
	t.Parallel()
	o := order()
	for range 60 {
		o.Lines = append(o.Lines, o.Lines[0])
	}
	pdf, err := receipt.PDF(o, house(), buyer())
	require.NoError(t, err)
	require.Equal(t, 3, bytes.Count(pdf, []byte("/Type /Page\n")))
	require.True(t, holds(t, pdf, "United Kingdom"))
}

// A second membership that a code made free: nothing was charged that could go back.
func TestNothingIsBeingReturnedOfWhatCostNothing(t *testing.T) {
	t.Parallel()
	const words = "We’re refunding this payment."
	o := order()
	o.State = sales.Refunding
	require.True(t, said(t, o, words))
	o.Delivery, o.Ships, o.Total, o.Discount = 0, false, 5400, 5400
	require.False(t, said(t, o, words))
	require.True(t, said(t, o, "Not delivered. You weren’t charged."))
}

func TestADiscountStandsBeforeTheTotalThatWasLeft(t *testing.T) {
	t.Parallel()
	require.False(t, said(t, order(), "Discount, by promotion code"))
	o := order()
	o.Discount = 1000
	for _, words := range []string{"Discount, by promotion code", "−£10.00", "£47.95", "£7.99"} {
		require.True(t, said(t, o, words), words)
	}
	require.False(t, said(t, o, "£57.95"))
	o.Refunded = 795
	require.True(t, said(t, o, "£40.00"))
}

func TestWhatWasCreditedOrCarriedBeforeStandsBeforeTheTotalThatWasLeft(t *testing.T) {
	t.Parallel()
	for from, words := range map[int64][]string{
		1000: {"Credited before", "−£10.00", "£47.95", "£7.99"},
		-20:  {"Left from an earlier payment", "£0.20", "£58.15", "£9.69"},
	} {
		o := order()
		o.FromBalance = from
		for _, word := range words {
			require.True(t, said(t, o, word), word)
		}
		require.False(t, said(t, o, "£57.95"))
	}
}

func TestTheSameOrderIsTheSameReceipt(t *testing.T) {
	t.Parallel()
	first, err := receipt.PDF(order(), house(), buyer())
	require.NoError(t, err)
	again, err := receipt.PDF(order(), house(), buyer())
	require.NoError(t, err)
	require.Equal(t, first, again)
	require.True(t, bytes.HasPrefix(first, []byte("%PDF-")))
	require.True(t, bytes.HasSuffix(bytes.TrimSpace(first), []byte("%%EOF")))
}

func TestWhatDiffersIsOnTheReceipt(t *testing.T) {
	t.Parallel()
	plain, err := receipt.PDF(order(), house(), buyer())
	require.NoError(t, err)
	for name, change := range map[string]func(*sales.Order){
		"a refund":         func(o *sales.Order) { o.Refunded = 100 },
		"no tax":           func(o *sales.Order) { o.VATPercent = 0 },
		"being returned":   func(o *sales.Order) { o.State = sales.Refunding },
		"another currency": func(o *sales.Order) { o.Currency = "eur" },
		"no address":       func(o *sales.Order) { o.Address = nil },
		"a membership":     func(o *sales.Order) { o.Lines[0].Kind, o.Lines[0].Size = itemkind.Membership, "year" },
		"another card":     func(o *sales.Order) { o.PaidBy.Last4 = "4444" },
		"a long name":      func(o *sales.Order) { o.Lines[0].Name = string(bytes.Repeat([]byte("Leaning Pine "), 30)) },
	} {
		o := order()
		change(&o)
		other, err := receipt.PDF(o, house(), buyer())
		require.NoError(t, err, name)
		require.NotEqual(t, plain, other, name)
	}
}
