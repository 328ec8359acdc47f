package basket

import "serein.app/services/platform/itemkind"

// The periods that a plan is sold for, which are its sizes.
const (
	Month = "month"
	Year  = "year"
)

// Catalogue is what is sold, by its id. Its zero value sells nothing.
type Catalogue map[string]CatalogueItem

// CatalogueItem is a product, plan or pack that is sold.
type CatalogueItem struct {
	Kind itemkind.Kind
	// Sizes that it comes in; an item without sizes has one with an empty name.
	Sizes map[string]Size
}

// Size of a catalogue item.
type Size struct {
	SoldOut bool
	// Amount in minor units of Currency, an ISO 4217 code in lower case.
	Amount   int64
	Currency string
}

// Item is a catalogue item in one size, which can be bought.
type Item struct {
	ProductID, Size string
	Kind            itemkind.Kind
	Amount          int64
	Currency        string
}

// Item finds what can be bought. Errors: ErrNotSold, ErrSizeRequired, ErrSizeUnknown, ErrSoldOut.
func (c Catalogue) Item(productID, size string) (Item, error) {
	found, ok := c[productID]
	if !ok {
		return Item{}, ErrNotSold
	}
	of, ok := found.Sizes[size]
	switch {
	case !ok && size == "":
		return Item{}, ErrSizeRequired
	case !ok && found.Kind == itemkind.Membership && (size == Month || size == Year):
		return Item{}, ErrNotSold // for that period
	case !ok:
		return Item{}, ErrSizeUnknown
	case of.SoldOut:
		return Item{}, ErrSoldOut
	}
	return Item{ProductID: productID, Size: size, Kind: found.Kind, Amount: of.Amount, Currency: of.Currency}, nil
}

// show notes the price that the owner sees now. One that nobody can say stays as it was.
func (c Catalogue) show(l *Line) {
	if of, ok := c[l.ProductID].Sizes[l.Size]; ok {
		l.ShownAmount, l.ShownCurrency = of.Amount, of.Currency
	}
}
