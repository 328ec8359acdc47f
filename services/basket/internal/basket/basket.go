// Package basket is what a basket is: lines of products, bought now or saved for later.
//
// It refuses prices and names: those are the catalogue's, and a basket that kept them could
// disagree with it.
package basket

import (
	"time"

	"github.com/google/uuid"
)

const (
	// MaxLines a basket may have, those saved for later included.
	MaxLines = 50
	// MinQuantity and MaxQuantity of one line.
	MinQuantity, MaxQuantity = 1, 99
)

// Basket is a member's. Its zero value is the basket of one who never put anything into it.
type Basket struct {
	ID uuid.UUID
	// Lines in the order in which they were added.
	Lines []Line
}

// Line is one product in one size.
type Line struct {
	ID        uuid.UUID
	ProductID string
	// Size is empty where the product has none.
	Size     string
	Quantity int32
	AddedAt  time.Time
	// SavedForLater: not part of what is bought now.
	SavedForLater bool
}
