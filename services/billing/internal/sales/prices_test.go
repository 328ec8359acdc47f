package sales_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/services/billing/internal/providertest"
	"serein.app/services/billing/internal/sales"
)

func (h *harness) item(t *testing.T, key string) sales.Item {
	t.Helper()
	items, err := h.store.Items(t.Context())
	require.NoError(t, err)
	at := slices.IndexFunc(items, func(i sales.Item) bool { return i.LookupKey() == key })
	require.GreaterOrEqual(t, at, 0, key)
	return items[at]
}

func TestEveryPriceOfTheCatalogueIsMadeAtTheProviderOnce(t *testing.T) {
	t.Parallel()
	h := setup(t)
	n := len(catalogue().Items)
	require.Equal(t, n, h.provider.Calls("CreatePrice"))
	require.NoError(t, h.Agree(t.Context()))
	require.Equal(t, n, h.provider.Calls("CreatePrice"))
	items, err := h.Prices(t.Context())
	require.NoError(t, err)
	require.Len(t, items, n)
	for _, item := range items {
		require.True(t, item.Purchasable(), item.LookupKey())
	}
	plans, err := h.store.Plans(t.Context())
	require.NoError(t, err)
	require.Len(t, plans, 4, "those of before are not shown any more")
	require.Equal(t, "Core", plans[1].Name)
	require.Equal(t, int64(799), plans[1].Monthly.Amount)
	require.Equal(t, int64(240), plans[1].Yearly.Credits)
	require.Nil(t, plans[2].Yearly)
}

func TestAPriceThatDiffersCannotBeBoughtUntilItIsAccepted(t *testing.T) {
	t.Parallel()
	h := setup(t)
	for name, change := range map[string]func(*sales.ProviderPrice){
		"amount":   func(p *sales.ProviderPrice) { p.Amount = 1 },
		"currency": func(p *sales.ProviderPrice) { p.Currency = "jpy" },
		"period":   func(p *sales.ProviderPrice) { p.Period = "year" },
		"inactive": func(p *sales.ProviderPrice) { p.Active = false },
	} {
		h.provider.SetPrice("core:month", change)
		require.NoError(t, h.Agree(t.Context()))
		require.False(t, h.item(t, "core:month").Purchasable(), name)
		require.NotEmpty(t, h.item(t, "core:month").Offered)
		_, err := h.Start(t.Context(), request(newMember(), "core", "month"))
		requireReason(t, err, "ITEM_NOT_SOLD")
		h.begins(t, request(newMember(), "core", "year"))

		old := h.item(t, "core:month").PriceID
		item, err := h.AcceptPrice(t.Context(), "core:month")
		require.NoError(t, err)
		require.True(t, item.Agreed)
		require.NotEqual(t, old, item.PriceID)
		require.NoError(t, h.Agree(t.Context()))
		o := h.begins(t, request(newMember(), "core", "month"))
		require.Equal(t, int64(799), o.Total, name)
	}
	_, err := h.AcceptPrice(t.Context(), "yacht")
	requireReason(t, err, "NOT_FOUND")
}

// An editor's new price is not charged before the provider has it.
func TestAPriceThatChangesInTheCatalogueIsNotSoldByTheOldOne(t *testing.T) {
	t.Parallel()
	h := setup(t)
	before := h.begins(t, request(newMember(), "tote", ""))
	for i, item := range h.shop.catalogue.Items {
		if item.ProductID == "tote" {
			h.shop.catalogue.Items[i].Amount = 1500
		}
	}
	h.provider.Fail("Prices", providertest.Away)
	require.ErrorIs(t, h.Agree(t.Context()), sales.ErrAway)
	_, err := h.Start(t.Context(), request(newMember(), "tote", ""))
	requireReason(t, err, "ITEM_NOT_SOLD")
	require.NoError(t, h.Agree(t.Context()))
	_, err = h.Start(t.Context(), request(newMember(), "tote", ""))
	requireReason(t, err, "ITEM_NOT_SOLD")
	_, err = h.AcceptPrice(t.Context(), "tote")
	require.NoError(t, err)
	after := h.begins(t, request(newMember(), "tote", ""))
	require.Equal(t, int64(1500+395), after.Total)

	// Who began before pays what was shown then.
	h.provider.Pay(before.SessionID)
	got, err := h.CompleteCheckout(t.Context(), before.UID, before.ID)
	require.NoError(t, err)
	require.Equal(t, sales.Completed, got.State)
	require.Equal(t, int64(1200+395), got.Total)
}

func TestWhatTheCatalogueNoLongerHasIsNotSoldAndStaysForWhoHasIt(t *testing.T) {
	t.Parallel()
	h := setup(t)
	uid := newMember()
	h.buys(t, uid, "premium", "month")
	h.shop.catalogue.Plans = slices.Delete(h.shop.catalogue.Plans, 2, 3)
	h.shop.catalogue.Items = slices.DeleteFunc(h.shop.catalogue.Items, func(i sales.Item) bool { return i.ProductID == "premium" })
	require.NoError(t, h.Agree(t.Context()))
	_, err := h.Start(t.Context(), request(newMember(), "premium", "month"))
	requireReason(t, err, "ITEM_NOT_SOLD")
	require.Equal(t, "Premium", h.account(t, uid).Subscription.PlanName)
	require.Contains(t, h.account(t, uid).Subscription.Entitlements(h.clock()), "library")
	plans, err := h.store.Plans(t.Context())
	require.NoError(t, err)
	require.Len(t, plans, 3)
}

func TestTheLastCatalogueStandsWhileContentIsAway(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.shop.err = errors.New("away")
	h.provider.SetPrice("tote", func(p *sales.ProviderPrice) { p.Amount = 1 })
	require.ErrorContains(t, h.Agree(t.Context()), "away")
	require.Equal(t, 1, h.counts.failures)
	h.begins(t, request(newMember(), "tee", "S"))
	require.False(t, h.item(t, "tote").Purchasable(), "and is compared all the same")
}
