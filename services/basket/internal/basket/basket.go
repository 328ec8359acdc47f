// Package basket is what a basket is and how it changes: lines of what is sold, bought now or saved for later.
//
// Its functions are pure: they take a basket and what is sold, and give the basket that comes of it. A membership is bought
// alone, so beside one everything else is saved for later; nothing that somebody chose is lost by that.
package basket

import (
	"cmp"
	"slices"
	"time"

	"github.com/google/uuid"

	"serein.app/services/platform/itemkind"
)

const (
	// MaxLines that a basket grows to by additions, those saved for later included.
	MaxLines = 50
	// MaxMerged is how many it may have when a guest's basket has come into it.
	MaxMerged = 2 * MaxLines
	// MinQuantity and MaxQuantity of one line.
	MinQuantity, MaxQuantity = 1, 99
)

// Owner is whose a basket is.
type Owner struct {
	// ID is a member's uid or a guest's id, which are never compared with each other.
	ID    uuid.UUID
	Guest bool
}

// Basket is one owner's. Its zero value is the basket of one who never put anything into it.
type Basket struct {
	ID uuid.UUID
	// Version rises by one with every change.
	Version int64
	// Lines in the order in which they were added, one for each product and size.
	Lines []Line
	// Before are the lines before the last change; nil where that cannot be taken back.
	Before *[]Line
}

// Line is one product in one size.
type Line struct {
	ID        uuid.UUID `json:"id"`
	ProductID string    `json:"product_id"`
	// Size is the size of a product or the period of a plan; empty for a product of one size.
	Size     string    `json:"size"`
	Quantity int32     `json:"quantity"`
	AddedAt  time.Time `json:"added_at"`
	// SavedAt is since when it is not part of what is bought now; nil where it is.
	SavedAt *time.Time `json:"saved_at"`
	// Kind as it was when the line was added: the rules hold also for what is no longer sold.
	Kind itemkind.Kind `json:"kind"`
	// ShownAmount, in minor units of ShownCurrency, is the price that the owner last saw.
	ShownAmount   int64  `json:"shown_amount"`
	ShownCurrency string `json:"shown_currency"`
}

// once says that there is one piece at most of what is of that kind: a product alone is bought as often as one likes.
func once(k itemkind.Kind) bool { return k != itemkind.Product }

// now says that the line is part of what is bought now.
func (l Line) now() bool { return l.SavedAt == nil }

// Outcome says what came of a command beside the usual.
type Outcome int16

// The outcomes; nought is the usual.
const (
	// Added: one more of it is in the basket.
	Added Outcome = iota + 1
	// AlreadyThere: it is bought once only and was there already.
	AlreadyThere
	// OthersSaved: a membership came in, and what else was bought now is saved for later.
	OthersSaved
	// Saved: a membership is bought alone, so what was added is saved for later.
	Saved
	// MembershipInBasket: another membership is there, and nothing was changed.
	MembershipInBasket
	// Most: as many of it are there as can be.
	Most
)

// CheckVersion refuses an owner who saw another version. Errors: ErrVersion.
func (b Basket) CheckVersion(version int64) error {
	if b.Version != version {
		return ErrVersion
	}
	return nil
}

// changed is the basket with other lines, which Undo takes back.
func (b Basket) changed(lines []Line) Basket {
	before := b.Lines
	b = b.withLines(lines)
	b.Before = &before
	return b
}

// withLines is the basket with other lines and without Undo.
func (b Basket) withLines(lines []Line) Basket {
	slices.SortStableFunc(lines, func(x, y Line) int {
		return cmp.Or(x.AddedAt.Compare(y.AddedAt), slices.Compare(x.ID[:], y.ID[:]))
	})
	b.Lines, b.Before = lines, nil
	b.Version++
	return b
}

// Undo takes the last change back. Errors: ErrNothingToUndo.
func (b Basket) Undo() (Basket, error) {
	if b.Before == nil {
		return b, ErrNothingToUndo
	}
	return b.withLines(slices.Clone(*b.Before)), nil
}

// line is the place of a line by its id. Errors: ErrLine.
func (b Basket) line(id uuid.UUID) (int, error) {
	i := slices.IndexFunc(b.Lines, func(l Line) bool { return l.ID == id })
	if i < 0 {
		return i, ErrLine
	}
	return i, nil
}

// find is the place of a product in a size, -1 for none.
func find(lines []Line, productID, size string) int {
	return slices.IndexFunc(lines, func(l Line) bool { return l.ProductID == productID && l.Size == size })
}

// membership is the place of the one that is bought now, -1 for none.
func membership(lines []Line) int {
	return slices.IndexFunc(lines, func(l Line) bool { return l.now() && l.Kind == itemkind.Membership })
}

// saveOthers saves for later what is bought now beside a line, and says whether anything was.
func saveOthers(lines []Line, but uuid.UUID, at time.Time) (saved bool) {
	for i, l := range lines {
		if l.now() && l.ID != but {
			lines[i].SavedAt, saved = &at, true
		}
	}
	return saved
}
