package harness

import (
	"context"
	"errors"
	"fmt"

	"serein.app/deploy/e2e/wait"
)

var errNotYet = errors.New("not yet")

// Eventually asks until the answer is yes; it gives up at a wait.FinalError, with ctx, or after wait.Patience, within a
// question too.
func Eventually(ctx context.Context, what string, ask func(context.Context) (bool, error)) error {
	ctx, cancel := context.WithTimeout(ctx, wait.Patience)
	defer cancel()
	err := wait.Until(ctx, func(ctx context.Context) error {
		yes, err := ask(ctx)
		if err == nil && !yes {
			return errNotYet
		}
		return err
	})
	if err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	return nil
}
