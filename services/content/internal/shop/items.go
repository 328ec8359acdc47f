package shop

import "serein.app/services/platform/itemkind"

// The periods that a plan is sold for, which are its sizes.
const (
	month = "month"
	year  = "year"
)

// paid are the kinds of plans that can be bought. A trial begins by itself, and an enquiry is a letter.
var paid = map[string]bool{"member": true, "generate": true}

// Item is one thing that can be bought: a plan for one period, a pack of credits, or a product in one size.
type Item struct {
	// ProductID is the plan's, the pack's or the product's.
	ProductID string
	// Size is the period of a plan or a size of a product; empty for a pack and for a product without sizes.
	Size    string
	Kind    itemkind.Kind
	Name    string
	Price   Amount
	Credits int64
	SoldOut bool
}

// Items are all that can be bought, also what is sold out: the plans for each period, the packs, and the products in each size, in the
// order in which they are shown.
func (s Shop) Items() (items []Item) {
	for _, p := range s.Plans {
		items = append(items, p.items()...)
	}
	for _, p := range s.Packs {
		items = append(items, Item{ProductID: p.ID, Kind: itemkind.CreditPack, Name: p.Name, Price: p.Price, Credits: p.Credits})
	}
	for _, p := range s.Products {
		items = append(items, p.items()...)
	}
	return items
}

func (p Plan) items() (items []Item) {
	if !paid[p.Kind] {
		return nil
	}
	for _, period := range []struct {
		size string
		of   *Period
	}{{month, p.Monthly}, {year, p.Yearly}} {
		if period.of != nil {
			items = append(items, Item{
				ProductID: p.ID, Size: period.size, Kind: itemkind.Membership, Name: p.Name, Price: period.of.Price, Credits: period.of.Credits,
			})
		}
	}
	return items
}

func (p Product) items() (items []Item) {
	item := Item{ProductID: p.ID, Kind: itemkind.Product, Name: p.Name, Price: p.Price, SoldOut: p.SoldOut}
	if len(p.Sizes) == 0 {
		return []Item{item}
	}
	for _, size := range p.Sizes {
		item.Size, item.SoldOut = size.Name, size.SoldOut
		items = append(items, item)
	}
	return items
}
