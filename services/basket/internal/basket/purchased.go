package basket

import (
	"math"
	"time"

	"github.com/google/uuid"
)

// Purchased is a line of a completed order, as it was bought.
type Purchased struct {
	OrderID uuid.UUID `json:"-"`
	// Position of the line in its order.
	Position  int32  `json:"position"`
	ProductID string `json:"product_id"`
	Name      string `json:"name"`
	Size      string `json:"size"`
	Quantity  int32  `json:"quantity"`
	// UnitAmount in minor units of the currency.
	UnitAmount int64     `json:"unit_amount"`
	Currency   string    `json:"currency"`
	At         time.Time `json:"-"`
}

// Place is where a page of what was bought ended.
type Place struct {
	At       time.Time
	OrderID  uuid.UUID
	Position int32
}

// Newest is before everything that was bought.
var Newest = Place{At: time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC), OrderID: uuid.Max, Position: math.MaxInt32}

// Place of the line.
func (p Purchased) Place() Place { return Place{p.At, p.OrderID, p.Position} }
