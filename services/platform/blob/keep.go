package blob

import (
	"context"
	"time"

	"serein.app/services/platform/pause"
)

// Keep runs provide, and runs it again whenever lost says that the store no longer holds what it gave, at most once in
// rest: a store that keeps nothing costs no more than one that is away. It ends with provide's error, or ctx's.
func Keep(ctx context.Context, lost <-chan struct{}, rest time.Duration, provide func(context.Context) error) error {
	for {
		if err := provide(ctx); err != nil {
			return err
		}
		if err := pause.For(ctx, rest); err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-lost:
		}
	}
}
