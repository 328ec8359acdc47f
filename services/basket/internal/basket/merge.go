package basket

import (
	"slices"
	"time"

	"serein.app/services/platform/itemkind"
)

// Merge brings a guest's lines into a member's basket, by product and size. What either wants now is wanted now; the member's
// membership comes before the guest's, and beside one everything else is saved for later. It cannot be undone: the guest's basket
// is gone. Errors: ErrFull, where both together have more than MaxMerged lines.
func (b Basket) Merge(guest []Line, at time.Time) (Basket, error) {
	if len(guest) == 0 {
		return b, nil
	}
	lines := slices.Clone(b.Lines)
	own := membership(lines)
	for _, g := range guest {
		if own >= 0 && g.now() && g.Kind == itemkind.Membership && find(lines[own:own+1], g.ProductID, g.Size) < 0 {
			g.SavedAt = &at
		}
		if i := find(lines, g.ProductID, g.Size); i >= 0 {
			lines[i] = joined(lines[i], g)
		} else {
			lines = append(lines, g)
		}
	}
	if len(lines) > MaxMerged {
		return b, ErrFull
	}
	if i := membership(lines); i >= 0 {
		saveOthers(lines, lines[i].ID, at)
	}
	return b.withLines(lines), nil
}

// joined is a member's line with a guest's of the same product and size, whose price the owner saw last.
func joined(l, g Line) Line {
	l.Quantity = min(l.Quantity+g.Quantity, MaxQuantity)
	if once(l.Kind) {
		l.Quantity = 1
	}
	if g.now() {
		l.SavedAt = nil
	}
	l.ShownAmount, l.ShownCurrency = g.ShownAmount, g.ShownCurrency
	return l
}
