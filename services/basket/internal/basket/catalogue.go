package basket

// The periods that a plan is sold for, which are its sizes.
const (
	Month = "month"
	Year  = "year"
)

// Catalogue is what is sold, by the id of the thing. Its zero value sells nothing.
type Catalogue map[string]Thing

// Thing is one that is sold.
type Thing struct {
	Kind Kind
	// SoldOut: none is left, in no size.
	SoldOut bool
	// Sizes that it comes in; the one of a thing without sizes has no name.
	Sizes map[string]Size
}

// Size of a thing.
type Size struct {
	SoldOut bool
	// Amount in minor units of Currency, an ISO 4217 code in lower case.
	Amount   int64
	Currency string
}

// Item is one thing in one size, which can be bought.
type Item struct {
	ProductID, Size string
	Kind            Kind
	Amount          int64
	Currency        string
}

// Item finds what can be bought. Errors: ErrNotSold, ErrSizeRequired, ErrSizeUnknown, ErrSoldOut.
func (c Catalogue) Item(productID, size string) (Item, error) {
	thing, ok := c[productID]
	if !ok {
		return Item{}, ErrNotSold
	}
	of, ok := thing.Sizes[size]
	switch {
	case !ok && size == "":
		return Item{}, ErrSizeRequired
	case !ok && thing.Kind == Membership && (size == Month || size == Year):
		return Item{}, ErrNotSold // for that period
	case !ok:
		return Item{}, ErrSizeUnknown
	case thing.SoldOut || of.SoldOut:
		return Item{}, ErrSoldOut
	}
	return Item{ProductID: productID, Size: size, Kind: thing.Kind, Amount: of.Amount, Currency: of.Currency}, nil
}

// show notes the price that the owner sees now. One that nobody can say stays as it was.
func (c Catalogue) show(l *Line) {
	if of, ok := c[l.ProductID].Sizes[l.Size]; ok {
		l.ShownAmount, l.ShownCurrency = of.Amount, of.Currency
	}
}
