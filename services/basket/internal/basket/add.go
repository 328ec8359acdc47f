package basket

import (
	"slices"
	"time"

	"github.com/google/uuid"

	"serein.app/services/platform/itemkind"
)

// Addition is one more of an item.
type Addition struct {
	Item Item
	// Replace: a membership takes the place of the one that is in the basket.
	Replace bool
	// ID of the line, where it becomes a new one.
	ID uuid.UUID
	At time.Time
}

// Add puts one more into the basket. Errors: ErrFull.
func (b Basket) Add(a Addition) (Basket, Outcome, error) {
	if a.Item.Kind == itemkind.Membership {
		return b.addMembership(a)
	}
	alone := membership(b.Lines) >= 0
	i := find(b.Lines, a.Item.ProductID, a.Item.Size)
	switch {
	case i >= 0 && once(a.Item.Kind) && (alone || b.Lines[i].now()):
		return b, AlreadyThere, nil
	case i >= 0 && !once(a.Item.Kind) && b.Lines[i].Quantity >= MaxQuantity && (alone || b.Lines[i].now()):
		return b, Most, nil
	}
	lines, i, err := b.with(a)
	if err != nil {
		return b, 0, err
	}
	if alone {
		if lines[i].SavedAt == nil {
			lines[i].SavedAt = &a.At
		}
		return b.changed(lines), Saved, nil
	}
	lines[i].SavedAt = nil
	return b.changed(lines), Added, nil
}

func (b Basket) addMembership(a Addition) (Basket, Outcome, error) {
	if i := membership(b.Lines); i >= 0 {
		if b.Lines[i].ProductID == a.Item.ProductID && b.Lines[i].Size == a.Item.Size {
			return b, AlreadyThere, nil
		}
		if !a.Replace {
			return b, MembershipInBasket, nil
		}
		before := b.Lines
		b.Lines = slices.Delete(slices.Clone(b.Lines), i, i+1)
		after, outcome, err := b.addMembership(a)
		if err == nil {
			after.Before = &before
		}
		return after, outcome, err
	}
	lines, i, err := b.with(a)
	if err != nil {
		return b, 0, err
	}
	lines[i].SavedAt = nil
	if saveOthers(lines, lines[i].ID, a.At) {
		return b.changed(lines), OthersSaved, nil
	}
	return b.changed(lines), Added, nil
}

// with are the lines with one more of it, and its place. What was saved for later stays so.
func (b Basket) with(a Addition) (lines []Line, i int, err error) {
	lines = slices.Clone(b.Lines)
	if i = find(lines, a.Item.ProductID, a.Item.Size); i < 0 {
		if len(lines) >= MaxLines {
			return nil, i, ErrFull
		}
		i = len(lines)
		lines = append(lines, Line{ID: a.ID, ProductID: a.Item.ProductID, Size: a.Item.Size, AddedAt: a.At})
	}
	l := &lines[i]
	l.Kind, l.ShownAmount, l.ShownCurrency = a.Item.Kind, a.Item.Amount, a.Item.Currency
	l.Quantity = min(l.Quantity+1, MaxQuantity)
	if once(l.Kind) {
		l.Quantity = 1
	}
	return lines, i, nil
}
