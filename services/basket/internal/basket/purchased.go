package basket

import (
	"math"
	"time"

	"github.com/google/uuid"

	"serein.app/services/platform/pagetoken"
)

// Order is a completed order of a member's.
type Order struct {
	ID uuid.UUID
	// At is when it was paid, OrderedAt when it was made; zero where that was not told.
	At, OrderedAt time.Time
	Lines         []Purchased
	Cause         Cause
}

// Cause says what an order was made by.
type Cause string

// The causes, as events name them.
const (
	// Checkout: the member chose and paid.
	Checkout Cause = "checkout"
	// Renewal: a further period of a membership was charged.
	Renewal Cause = "renewal"
	// PlanChange: the difference of a change of plan was charged.
	PlanChange Cause = "change"
)

// FromBasket says that what it bought may lie there. A further period of a membership and a change of plan are ordered without one.
func (o Order) FromBasket() bool { return o.Cause != Renewal && o.Cause != PlanChange }

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
	// Cause is the order's.
	Cause Cause `json:"-"`
}

// Place is where a page of what was bought ended.
type Place struct {
	At       pagetoken.Time
	OrderID  uuid.UUID
	Position int32
}

// Newest is before everything that was bought.
var Newest = Place{At: pagetoken.Time{Time: time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC)}, OrderID: uuid.Max, Position: math.MaxInt32}

// Place of the line.
func (p Purchased) Place() Place { return Place{pagetoken.Time{Time: p.At}, p.OrderID, p.Position} }
