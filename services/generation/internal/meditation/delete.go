package meditation

import (
	"context"
	"time"

	"github.com/google/uuid"
)

// KeptFor is how long what a member has marked deleted can be heard and recovered: 14 days, from the specification.
const KeptFor = 1_209_600 * time.Second

// MarkDeleted has the owner's meditation removed after KeptFor. Errors: ErrNotFound; ErrUnfinished for what has not ended as
// Ready or Refunded: stopping it may cost credits, so that is left to Cancel; ErrMarked; ErrDeleted.
func (s *Service) MarkDeleted(ctx context.Context, uid, id uuid.UUID) (Meditation, error) {
	return s.Store.MarkDeleted(ctx, uid, id, s.Now().Add(KeptFor), s.changeable)
}

// Recover takes the mark back. Errors: ErrNotFound; ErrNotMarked; ErrDeleted once KeptFor is over, whether or not its
// sound has been removed yet.
func (s *Service) Recover(ctx context.Context, uid, id uuid.UUID) (Meditation, error) {
	return s.Store.Recover(ctx, uid, id, func(m Meditation) error {
		switch {
		case m.leaves(s.Now()):
			return ErrDeleted
		case m.DeletesAt.IsZero():
			return ErrNotMarked
		}
		return nil
	})
}

// Rename gives the owner's meditation another title; what is spoken stays. Errors: those of CheckTitle, and of MarkDeleted.
func (s *Service) Rename(ctx context.Context, uid, id uuid.UUID, title string) (Meditation, error) {
	title, err := s.CheckTitle(title)
	if err != nil {
		return Meditation{}, err
	}
	return s.Store.Rename(ctx, uid, id, title, s.changeable)
}

// changeable refuses what can be neither marked nor renamed.
func (s *Service) changeable(m Meditation) error {
	switch {
	case m.leaves(s.Now()):
		return ErrDeleted
	case !m.DeletesAt.IsZero():
		return ErrMarked
	case m.State != Ready && m.State != Refunded:
		return ErrUnfinished
	}
	return nil
}

// leaves says that it is too late for a recovery.
func (m Meditation) leaves(now time.Time) bool {
	return m.State == Deleted || !m.DeletesAt.IsZero() && !now.Before(m.DeletesAt)
}

// purge ends what was marked KeptFor ago: from then on nothing of it is read or heard. Its files are removed by tidying.
func (s *Service) purge(ctx context.Context, now time.Time) error {
	n, err := s.Store.Purge(ctx, now)
	if n > 0 {
		s.Metrics.Purged(ctx, n)
	}
	return err
}
