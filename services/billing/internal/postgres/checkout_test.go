package postgres_test

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"serein.app/services/billing/internal/sales"
	"serein.app/services/platform/itemkind"
	"serein.app/services/platform/postgres"
)

func checkoutOf(uid uuid.UUID, now time.Time, change func(o *sales.Order)) sales.Order {
	o := sales.Order{
		ID: uuid.Must(uuid.NewV7()), UID: uid, Key: uuid.NewString(), Request: []byte{1}, Total: 2400, Currency: "gbp", VATPercent: 20,
		CreatedAt: now, ExpiresAt: now.Add(time.Hour), Lines: []sales.Line{
			{ProductID: "tote", Kind: itemkind.Product, Name: "Tote", Quantity: 1, UnitAmount: 1200, PriceID: "price_tote"},
			{ProductID: "tee", Size: "S", Kind: itemkind.Product, Name: "Tee", Quantity: 1, UnitAmount: 1200, PriceID: "price_tee"},
		},
	}
	change(&o)
	return o
}

func TestAnOrderIsKeptWithAllItsLinesOrNotAtAll(t *testing.T) {
	t.Parallel()
	b := setup(t)
	uid := uuid.Must(uuid.NewV7())
	for name, change := range map[string]func(o *sales.Order){
		"a line that the table refuses":         func(o *sales.Order) { o.Lines[1].Quantity = 0 },
		"a sum that the commit finds wrong":     func(o *sales.Order) { o.Total++ },
		"no line":                               func(o *sales.Order) { o.Lines = nil },
		"an amount that the order may not have": func(o *sales.Order) { o.Delivery = -1 },
	} {
		o := checkoutOf(uid, b.now, change)
		_, _, err := b.store.StartOrder(t.Context(), o)
		require.Error(t, err, name)
		o.ID = uuid.Nil // only looks
		_, _, err = b.store.StartOrder(t.Context(), o)
		require.ErrorIs(t, err, postgres.ErrNotFound, name)
	}
	o := checkoutOf(uid, b.now, func(*sales.Order) {})
	kept, older, err := b.store.StartOrder(t.Context(), o)
	require.NoError(t, err)
	require.Empty(t, older)
	require.Equal(t, o.Lines, kept.Lines)

	again := checkoutOf(uid, b.now, func(again *sales.Order) { again.Key = o.Key })
	repeated, _, err := b.store.StartOrder(t.Context(), again)
	require.NoError(t, err)
	require.Equal(t, kept, repeated, "one key is one order")

	next, older, err := b.store.StartOrder(t.Context(), checkoutOf(uid, b.now, func(*sales.Order) {}))
	require.NoError(t, err)
	require.Equal(t, []sales.Order{kept}, older)
	require.Greater(t, next.Sequence, kept.Sequence)
}

func TestAnOrderThatIsNotThereHasNoPage(t *testing.T) {
	t.Parallel()
	b := setup(t)
	_, err := b.store.SetSession(t.Context(), uuid.New(), sales.Session{ID: "cs", URL: "https://pay.example"})
	require.ErrorIs(t, err, postgres.ErrNotFound)
	_, err = b.store.Close(t.Context(), uuid.New())
	require.ErrorIs(t, err, postgres.ErrNotFound)
}
