package basket

import (
	"time"

	"github.com/google/uuid"
)

// Act is one change that an owner asks for.
type Act struct {
	// Version that the owner saw; nil for an addition, which applies to any version and creates a missing basket.
	Version *int64
	// Request is applied once: a repeat changes nothing. uuid.Nil for a change whose repeat the version refuses.
	Request uuid.UUID
	At      time.Time
	Apply   func(Basket) (Basket, Outcome, error)
}

// On applies the act to what there is. Errors: ErrVersion, and those of Apply.
func (a Act) On(b Basket) (Basket, Outcome, error) {
	if a.Version != nil {
		if err := b.Seen(*a.Version); err != nil {
			return b, 0, err
		}
	}
	return a.Apply(b)
}
