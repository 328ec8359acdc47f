package sales

import (
	"fmt"
	"slices"

	"serein.app/services/billing/internal/plans"
	"serein.app/services/platform/itemkind"
)

// Catalogue is what content sells.
type Catalogue struct {
	Plans []plans.Plan
	Items []Item
}

// Item is one price of the catalogue.
type Item struct {
	ProductID string
	// Size is the period of a membership, "month" or "year"; empty for all else.
	Size string
	Kind itemkind.Kind
	Name string
	// Amount in minor units of Currency, an ISO 4217 code in lower case.
	Amount   int64
	Currency string
	Credits  int64
	// Sizes of a product; empty if the item is sold without sizes. SoldOut lists the sizes that are sold out; NoneLeft says that all are.
	Sizes, SoldOut []string
	NoneLeft       bool
	// Listed: the catalogue has it today.
	Listed bool
	// PriceID is the provider's; empty until billing knows it. PriceMatches says that the provider's price equals this one. If not, Offered
	// describes the provider's in words.
	PriceID      string
	PriceMatches bool
	Offered      string
}

// LookupKey is what the provider's price is found by.
func (i Item) LookupKey() string {
	if i.Size == "" {
		return i.ProductID
	}
	return i.ProductID + ":" + i.Size
}

// Purchasable says whether it is charged what the catalogue says.
func (i Item) Purchasable() bool { return i.Listed && i.PriceMatches && i.PriceID != "" }

// has says whether the thing comes in that size.
func (i Item) has(size string) bool {
	if i.Kind == itemkind.Product && len(i.Sizes) > 0 {
		return slices.Contains(i.Sizes, size)
	}
	return size == i.Size
}

// soldOut says whether none is left in that size.
func (i Item) soldOut(size string) bool { return i.NoneLeft || slices.Contains(i.SoldOut, size) }

// matchPrice compares the item with the provider's price and stores the result in the item.
func (i Item) matchPrice(p ProviderPrice) Item {
	i.PriceID, i.Offered = p.ID, ""
	i.PriceMatches = p.Active && p.Amount == i.Amount && p.Currency == i.Currency && p.Period == i.Size
	if !i.PriceMatches {
		i.Offered = fmt.Sprintf("%d %s %s", p.Amount, p.Currency, p.Period)
		if !p.Active {
			i.Offered += " (not active)"
		}
	}
	return i
}

// newPrice is the price to make at the provider.
func (i Item) newPrice() NewPrice {
	return NewPrice{
		LookupKey: i.LookupKey(), ProductID: i.ProductID, Name: i.Name, Amount: i.Amount, Currency: i.Currency, Period: i.Size,
	}
}

// VAT is the tax contained in an amount, in minor units, half a unit rounded up.
func VAT(amount int64, percent int32) int64 {
	whole := 100 + int64(percent)
	return (2*amount*int64(percent) + whole) / (2 * whole)
}
