package harness

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"serein.app/services/platform/pause"
)

// aloneWait is between two tries to be alone.
const aloneWait = 100 * time.Millisecond

// alone waits until no other process of this repository builds the services or starts a product, and lets none do so until unlock is
// called: all write the same binaries, and a port is free until the part that it was chosen for listens.
func alone(ctx context.Context, root string) (unlock func(), err error) {
	path := filepath.Join(root, ".cache", "product.lock")
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil { //nolint:gosec // nothing secret
		return nil, err
	}
	file, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	for {
		err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if err == nil {
			return func() { _ = file.Close() }, nil // which unlocks it, as the end of the process would
		}
		if !errors.Is(err, syscall.EWOULDBLOCK) && !errors.Is(err, syscall.EINTR) {
			return nil, errors.Join(fmt.Errorf("lock %s: %w", path, err), file.Close())
		}
		if waited := pause.For(ctx, aloneWait); waited != nil {
			return nil, errors.Join(fmt.Errorf("another process builds or starts a product: %w", waited), file.Close())
		}
	}
}
