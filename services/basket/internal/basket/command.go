package basket

import (
	"time"

	"github.com/google/uuid"
)

// Command is one change that an owner asks for.
type Command struct {
	// Version that the owner saw; nil for an addition, which applies to any version and creates a missing basket.
	Version *int64
	// Request is applied once: a repeat changes nothing. uuid.Nil for a change whose repeat the version refuses.
	Request uuid.UUID
	At      time.Time
	// Change computes the next basket and what came of the command.
	Change func(Basket) (Basket, Outcome, error)
}

// Apply applies the command to a basket. Errors: ErrVersion, and those of Change.
func (c Command) Apply(b Basket) (Basket, Outcome, error) {
	if c.Version != nil {
		if err := b.CheckVersion(*c.Version); err != nil {
			return b, 0, err
		}
	}
	return c.Change(b)
}
