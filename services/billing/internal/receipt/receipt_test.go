package receipt_test

import (
	"bytes"
	"testing"
	"time"

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

func TestTheSameOrderIsTheSameReceipt(t *testing.T) {
	t.Parallel()
	first, err := receipt.PDF(order())
	require.NoError(t, err)
	again, err := receipt.PDF(order())
	require.NoError(t, err)
	require.Equal(t, first, again)
	require.True(t, bytes.HasPrefix(first, []byte("%PDF-")))
	require.True(t, bytes.HasSuffix(bytes.TrimSpace(first), []byte("%%EOF")))
}

func TestWhatDiffersIsOnTheReceipt(t *testing.T) {
	t.Parallel()
	plain, err := receipt.PDF(order())
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
		other, err := receipt.PDF(o)
		require.NoError(t, err, name)
		require.NotEqual(t, plain, other, name)
	}
}
