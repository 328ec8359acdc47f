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
)

func order() sales.Order {
	return sales.Order{
		ID: uuid.UUID{15: 1}, Sequence: 10023, State: sales.Completed, Total: 5795, Delivery: 395, Ships: true, Currency: "gbp", VATPercent: 20,
		CompletedAt: time.Date(2027, 3, 1, 9, 0, 0, 0, time.UTC),
		Lines: []sales.Line{
			{Name: "Leaning Pine tee", Size: "M", Kind: sales.Product, Quantity: 2, UnitAmount: 2400},
			{Name: "20 credits", Kind: sales.CreditPack, Quantity: 1, UnitAmount: 600, Credits: 20},
		},
		Address: &sales.Address{Name: "Ada Łukasz Ωmega", Line1: "1 Mill Lane", City: "Bath", PostalCode: "BA1 1AA", Country: "GB"},
	}
}

func house() receipt.House {
	return receipt.House{Lines: []string{"Serein Ltd", " 2 Mill Lane"}, VATNumber: "GB 123 4567 89"}
}

// said says whether a receipt says the words, which stand in its packed streams in UTF-16.
func said(t *testing.T, o sales.Order, words string) bool {
	t.Helper()
	pdf, err := receipt.PDF(o, house())
	require.NoError(t, err)
	return holds(t, pdf, words)
}

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
		if bytes.Contains(plain, units) {
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
		o.Cause, o.Lines = cause, []sales.Line{{Name: "Core", Size: "month", Kind: sales.Membership, Quantity: 1, UnitAmount: 799, Credits: 20}}
		require.True(t, said(t, o, words), words)
		require.Equal(t, cause == sales.Renewal, said(t, o, "renewal"), cause)
	}
}

// The format has no letters beyond the first plane: an emoji, or a rare letter of a surname, leaves a sign and not no receipt.
func TestLettersThatTheFormatLacksDoNotKeepAReceiptBack(t *testing.T) {
	t.Parallel()
	for place, put := range map[string]func(o *sales.Order, from *receipt.House, text string){
		"address": func(o *sales.Order, _ *receipt.House, text string) { o.Address.Name = text },
		"line":    func(o *sales.Order, _ *receipt.House, text string) { o.Lines[0].Name = text },
		"house":   func(_ *sales.Order, from *receipt.House, text string) { from.Lines[0] = text },
	} {
		o, from := order(), house()
		put(&o, &from, "Aiko 𠮷no 🙂")
		pdf, err := receipt.PDF(o, from)
		require.NoError(t, err, place)
		require.True(t, holds(t, pdf, "Aiko \uFFFDno \uFFFD"), place)
	}
}

// A second membership that a code made free: nothing was charged that could go back.
func TestNothingIsBeingReturnedOfWhatCostNothing(t *testing.T) {
	t.Parallel()
	const words = "This payment is being returned to you."
	o := order()
	o.State = sales.Returning
	require.True(t, said(t, o, words))
	o.Delivery, o.Ships, o.Total, o.Discount = 0, false, 5400, 5400
	require.False(t, said(t, o, words))
	require.True(t, said(t, o, "This could not be given. Nothing was charged."))
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
	first, err := receipt.PDF(order(), house())
	require.NoError(t, err)
	again, err := receipt.PDF(order(), house())
	require.NoError(t, err)
	require.Equal(t, first, again)
	require.True(t, bytes.HasPrefix(first, []byte("%PDF-")))
	require.True(t, bytes.HasSuffix(bytes.TrimSpace(first), []byte("%%EOF")))
}

func TestWhatDiffersIsOnTheReceipt(t *testing.T) {
	t.Parallel()
	plain, err := receipt.PDF(order(), house())
	require.NoError(t, err)
	for name, change := range map[string]func(*sales.Order){
		"a refund":         func(o *sales.Order) { o.Refunded = 100 },
		"no tax":           func(o *sales.Order) { o.VATPercent = 0 },
		"being returned":   func(o *sales.Order) { o.State = sales.Returning },
		"another currency": func(o *sales.Order) { o.Currency = "eur" },
		"no address":       func(o *sales.Order) { o.Address = nil },
		"a membership":     func(o *sales.Order) { o.Lines[0].Kind, o.Lines[0].Size = sales.Membership, "year" },
		"a long name":      func(o *sales.Order) { o.Lines[0].Name = string(bytes.Repeat([]byte("Leaning Pine "), 30)) },
	} {
		o := order()
		change(&o)
		other, err := receipt.PDF(o, house())
		require.NoError(t, err, name)
		require.NotEqual(t, plain, other, name)
	}
}
