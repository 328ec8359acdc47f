package meditation

import (
	"context"
	"fmt"

	"serein.app/services/platform/erasure"
)

// eraseAtOnce is how many meditations Erase reads at once.
const eraseAtOnce = 100

// Erase removes all drafts and meditations of a deleted account: the audio first, then the words. It answers erasure.ErrPending while
// some work has not ended, or its hold has not ended in billing; that takes minutes at most.
func (s *Service) Erase(ctx context.Context, d erasure.Deletion) error {
	if err := s.Store.EraseDrafts(ctx, d.UID); err != nil {
		return err
	}
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
