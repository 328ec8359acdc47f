package basket

import (
	"slices"
	"time"

	"github.com/google/uuid"

	"serein.app/services/platform/itemkind"
)

// SetQuantity of a line; 0 removes it. Errors: ErrLine, ErrQuantityFixed.
func (b Basket) SetQuantity(id uuid.UUID, quantity int32, sold Catalogue) (Basket, error) {
	i, err := b.line(id)
	if err != nil {
		return b, err
	}
	lines := slices.Clone(b.Lines)
	switch {
	case quantity == 0:
		return b.changed(slices.Delete(lines, i, i+1)), nil
	case once(lines[i].Kind) && quantity != 1:
		return b, ErrQuantityFixed
	case lines[i].Quantity == quantity:
		return b, nil
	}
	lines[i].Quantity = quantity
	sold.show(&lines[i])
	return b.changed(lines), nil
}

// Save puts a line by for later. Errors: ErrLine.
func (b Basket) Save(id uuid.UUID, at time.Time, sold Catalogue) (Basket, error) {
	i, err := b.line(id)
	if err != nil || !b.Lines[i].now() {
		return b, err
	}
	lines := slices.Clone(b.Lines)
	lines[i].SavedAt = &at
	sold.show(&lines[i])
	return b.changed(lines), nil
}

// Restore moves a line back that was saved for later. Errors: ErrLine, ErrMembershipAlone, ErrMembershipInBasket, and those of
// Catalogue.Item.
func (b Basket) Restore(id uuid.UUID, at time.Time, sold Catalogue) (Basket, Outcome, error) {
	i, err := b.line(id)
	if err != nil || b.Lines[i].now() {
		return b, 0, err
	}
	item, err := sold.Item(b.Lines[i].ProductID, b.Lines[i].Size)
	switch {
	case err != nil:
		return b, 0, err
	case membership(b.Lines) >= 0 && item.Kind == itemkind.Membership:
		return b, 0, ErrMembershipInBasket
	case membership(b.Lines) >= 0:
		return b, 0, ErrMembershipAlone
	}
	lines := slices.Clone(b.Lines)
	l := &lines[i]
	l.SavedAt, l.Kind = nil, item.Kind
	if once(l.Kind) {
		l.Quantity = 1
	}
	sold.show(l)
	if l.Kind == itemkind.Membership && saveOthers(lines, l.ID, at) {
		return b.changed(lines), OthersSaved, nil
	}
	return b.changed(lines), 0, nil
}

// Clear removes what is bought now.
func (b Basket) Clear() Basket {
	lines := slices.DeleteFunc(slices.Clone(b.Lines), Line.now)
	if len(lines) == len(b.Lines) {
		return b
	}
	return b.changed(lines)
}

// Bought is a line of an order.
type Bought struct {
	ProductID, Size string
	Quantity        int32
}

// clockSlack is by how much the clocks of two services may differ; nobody orders something, adds it again and pays within it.
const clockSlack = 5 * time.Second

// Complete takes out what an order has bought, as many as it has, unless the line was added after the order was made (zero: not known). It
// cannot be undone.
func (b Basket) Complete(order []Bought, ordered time.Time) Basket {
	lines := slices.Clone(b.Lines)
	changed := false
	for _, bought := range order {
		i := find(lines, bought.ProductID, bought.Size)
		if i < 0 || !ordered.IsZero() && lines[i].AddedAt.After(ordered.Add(clockSlack)) {
			continue
		}
		changed = true
		if lines[i].Quantity -= bought.Quantity; lines[i].Quantity < MinQuantity {
			lines = slices.Delete(lines, i, i+1)
		}
	}
	if !changed {
		return b
	}
	return b.withLines(lines)
}
