package outbox

import (
	"context"
	"time"
)

// Rest is called instead of waiting after a failure.
func (o *Outbox) Rest(rest func(ctx context.Context, d time.Duration)) { o.rest = rest }
