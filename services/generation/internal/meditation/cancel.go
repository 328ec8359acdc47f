package meditation

import (
	"context"
	"errors"

	"github.com/google/uuid"
)

// Cancel stops the work and releases the hold. What has ended, or is being finished, stays as it
// is: from there on billing may have been asked for the money, and the recording is the member's.
func (s *Service) Cancel(ctx context.Context, uid, id uuid.UUID) (Meditation, error) {
	if _, err := s.Store.Get(ctx, uid, id); err != nil {
		return Meditation{}, err
	}
	m, err := s.Store.Cancel(ctx, uid, id, s.Now())
	if errors.Is(err, ErrLost) {
		return s.Store.Get(ctx, uid, id)
	}
	if err != nil {
		return Meditation{}, err
	}
	s.reconcileNow(ctx, m)
	return m, nil
}
