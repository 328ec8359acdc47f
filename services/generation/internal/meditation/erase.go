package meditation

import (
	"context"
	"fmt"

	"serein.app/services/platform/erasure"
)

// eraseAtOnce is how many meditations are looked at together.
const eraseAtOnce = 100

// Erase removes all meditations of a deleted account: what can be heard first, then the words. Work that has not ended, or whose
// credits billing has not been told of, ends first (erasure.ErrPending); it takes minutes at most.
func (s *Service) Erase(ctx context.Context, d erasure.Deletion) error {
	for {
		some, err := s.Store.Ended(ctx, d.UID, eraseAtOnce)
		if err != nil {
			return err
		}
		for _, m := range some {
			if err := s.Blobs.DeleteFolder(ctx, m.folder()); err != nil {
				return fmt.Errorf("erase %s: %w", m.ID, err)
			}
			if err := s.Store.Erase(ctx, m.ID); err != nil {
				return err
			}
		}
		if len(some) < eraseAtOnce {
			break
		}
	}
	left, err := s.Store.HasAny(ctx, d.UID)
	if err == nil && left {
		return erasure.ErrPending
	}
	return err
}
