package narration

import (
	"context"
	"time"

	"serein.app/services/platform/pause"
)

// slowDown waits until a recording that has begun then and has given so much sound may give more of it.
func (r *Recorder) slowDown(ctx context.Context, began time.Time, given time.Duration) error {
	if r.SpeedLimit == 0 {
		return nil
	}
	early := time.Duration(float64(given)/r.SpeedLimit) - time.Since(began)
	if early <= 0 {
		return nil
	}
	return pause.For(ctx, early)
}
