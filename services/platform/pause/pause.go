// Package pause waits where there is no sign to wait for.
package pause

import (
	"context"
	"time"
)

// For waits for d, or until ctx ends, whose error it gives then.
func For(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
