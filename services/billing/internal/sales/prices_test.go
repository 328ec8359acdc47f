package sales_test

import (
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"serein.app/services/billing/internal/providertest"
	"serein.app/services/billing/internal/sales"
	"serein.app/services/platform/itemkind"
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
	require.NoError(t, h.SyncPrices(t.Context()))
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
		require.NoError(t, h.SyncPrices(t.Context()))
		require.False(t, h.item(t, "core:month").Purchasable(), name)
		require.NotEmpty(t, h.item(t, "core:month").Offered)
		_, err := h.Start(t.Context(), request(newMember(), "core", "month"))
		requireReason(t, err, "ITEM_NOT_SOLD")
		h.begins(t, request(newMember(), "core", "year"))

		old := h.item(t, "core:month").PriceID
		item, err := h.AcceptPrice(t.Context(), "core:month")
		require.NoError(t, err)
		require.True(t, item.PriceMatches)
		require.NotEqual(t, old, item.PriceID)
		require.NoError(t, h.SyncPrices(t.Context()))
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
	require.ErrorIs(t, h.SyncPrices(t.Context()), sales.ErrProviderUnavailable)
	_, err := h.Start(t.Context(), request(newMember(), "tote", ""))
	requireReason(t, err, "ITEM_NOT_SOLD")
	require.NoError(t, h.SyncPrices(t.Context()))
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
	require.NoError(t, h.SyncPrices(t.Context()))
	_, err := h.Start(t.Context(), request(newMember(), "premium", "month"))
	requireReason(t, err, "ITEM_NOT_SOLD")
	require.Equal(t, "Premium", h.account(t, uid).Subscription.PlanName)
	require.Contains(t, h.account(t, uid).Subscription.Entitlements(h.clock()), "library")
	plans, err := h.store.Plans(t.Context())
	require.NoError(t, err)
	require.Len(t, plans, 3)
}

// What the provider refuses of one thing does not hide what differs in another.
func TestAPriceThatCannotBeMadeHidesNoOtherThatDiffers(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.shop.catalogue.Items = append(h.shop.catalogue.Items,
		sales.Item{ProductID: "a-new-tee", Kind: itemkind.Product, Name: "A new tee", Amount: 2600, Currency: "gbp"},
		sales.Item{ProductID: "a-new-tote", Kind: itemkind.Product, Name: "A new tote", Amount: 1300, Currency: "gbp"},
	)
	h.provider.SetPrice("tote", func(p *sales.ProviderPrice) { p.Amount = 1 })
	for i, item := range h.shop.catalogue.Items {
		if item.ProductID == "core" {
			h.shop.catalogue.Items[i].Name = "Core, renamed"
		}
	}
	h.provider.Fail("CreatePrice", providertest.Refused, providertest.Away, providertest.Refused)
	failures := h.counts.failures
	err := h.SyncPrices(t.Context())
	require.ErrorIs(t, err, sales.ErrRefused)
	require.ErrorIs(t, err, sales.ErrProviderUnavailable, "the error joins every fault")
	require.Equal(t, failures+1, h.counts.failures)
	require.False(t, h.item(t, "tote").Purchasable(), "it is charged another amount")
	require.False(t, h.item(t, "a-new-tee").Purchasable())
	require.True(t, h.item(t, "a-new-tote").Purchasable())
	require.True(t, h.item(t, "core:month").Purchasable(), "what is called otherwise costs the same")
	require.True(t, h.item(t, "tee").Purchasable())
	require.NoError(t, h.SyncPrices(t.Context()), "what could not be made is tried again")
	require.True(t, h.item(t, "a-new-tee").Purchasable())
}

// The provider repeats its internal error to the same key for a day; an item of the catalogue does not wait for that day to end.
func TestAPriceThatTheProviderFailedToCreateIsCreatedAMinuteLater(t *testing.T) {
	t.Parallel()
	h := setup(t)
	for _, fault := range []providertest.Fault{providertest.Broken, providertest.BrokenAfter} {
		for i := range h.shop.catalogue.Items {
			h.shop.catalogue.Items[i].Name += " (new)"
		}
		h.shop.catalogue.Items = append(h.shop.catalogue.Items,
			sales.Item{ProductID: "new-" + h.clock().Format("1504"), Kind: itemkind.Product, Name: "New", Amount: 2600, Currency: "gbp"})
		h.provider.Fail("CreatePrice", fault, fault, fault)
		require.ErrorIs(t, h.SyncPrices(t.Context()), sales.ErrProviderFault)
		h.pass(time.Minute)
		require.NoError(t, h.SyncPrices(t.Context()))
		made := h.provider.Calls("CreatePrice")
		require.NoError(t, h.SyncPrices(t.Context()))
		require.Equal(t, made, h.provider.Calls("CreatePrice"), "once")

		h.provider.SetPrice("tote", func(p *sales.ProviderPrice) { p.Amount = 1 })
		require.NoError(t, h.SyncPrices(t.Context()))
		h.provider.Fail("CreatePrice", fault)
		_, err := h.AcceptPrice(t.Context(), "tote")
		require.ErrorIs(t, err, sales.ErrProviderFault)
		h.pass(time.Minute)
		_, err = h.AcceptPrice(t.Context(), "tote")
		require.NoError(t, err)
		require.True(t, h.item(t, "tote").Purchasable())
	}
}

func TestTheLastCatalogueStandsWhileContentIsAway(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.shop.err = errors.New("away")
	h.provider.SetPrice("tote", func(p *sales.ProviderPrice) { p.Amount = 1 })
	require.ErrorContains(t, h.SyncPrices(t.Context()), "away")
	require.Equal(t, 1, h.counts.failures)
	h.begins(t, request(newMember(), "tee", "S"))
	require.False(t, h.item(t, "tote").Purchasable(), "and is compared all the same")
}
