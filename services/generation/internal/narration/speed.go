package narration

import (
	"context"
	"time"

	"serein.app/services/platform/pause"
)

// slowDown waits until a recording that gave so much sound then, its last segment, may give the next. A recording that fell
// behind does not catch up: it gives no more at once for it.
func (r *Recorder) slowDown(ctx context.Context, then time.Time, sound time.Duration) error {
	if r.SpeedLimit == 0 {
		return nil
	}
	early := time.Duration(float64(sound)/r.SpeedLimit) - time.Since(then)
	if early <= 0 {
		return nil
	}
	return pause.For(ctx, early)
}
