package meditation

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"golang.org/x/sync/errgroup"

	"serein.app/services/generation/internal/recovery"
	"serein.app/services/platform/deadline"
)

// reconcileTime bounds one try to end a hold; a member may wait for the answer.
var reconcileTime = deadline.Of(3 * time.Second)

// Sweep repairs what crashes and outages left behind. It runs every few seconds on one replica,
// and does no harm on several: every step is conditional, and billing's calls are idempotent.
func (s *Service) Sweep(ctx context.Context) error {
	now := s.Now()
	return errors.Join(
		s.Store.AbandonOld(ctx, now.Add(-HoldingTime), now),
		s.Store.FailOverdue(ctx, ReasonTimedOut, now),
		s.shed(ctx, now),
		s.reconcileAll(ctx),
		s.purge(ctx, now),
		s.tidyAll(ctx),
	)
}

// shed gives up what waits and cannot be finished any more, rather than begin it and throw it away.
func (s *Service) shed(ctx context.Context, now time.Time) error {
	effort := s.effort()
	if effort == 0 {
		return nil
	}
	n, err := s.Store.Shed(ctx, ReasonBusy, effort, now)
	if n > 0 {
		s.Metrics.Shed(ctx, n)
		s.Log.WarnContext(ctx, "work was given up before it began: it could not be finished in time", "meditations", n)
	}
	return err
}

// reconcilingTime is what a sweep has for billing; what is not asked about by then comes first in the next. While
// billing accepts calls and never answers, the rest of the sweep goes on.
var reconcilingTime = deadline.Of(10 * time.Second)

// reconcileAll ends what is due. What fails waits longer each time.
func (s *Service) reconcileAll(ctx context.Context) error {
	unreconciled, err := s.Store.Unreconciled(ctx)
	asking, cancel := context.WithTimeout(ctx, reconcilingTime)
	defer cancel()
	return errors.Join(err, each(unreconciled, func(m Meditation) error {
		if asking.Err() != nil {
			return nil //nolint:nilerr // it comes first in the next sweep
		}
		if rerr := s.reconcileWithin(asking, m); rerr != nil {
			return errors.Join(rerr, s.Store.PostponeReconciling(ctx, m.ID, backoff(m.Tries)))
		}
		return nil
	}))
}

// reconcileWithin tries once, for reconcileTime at most.
func (s *Service) reconcileWithin(ctx context.Context, m Meditation) (err error) {
	defer recovery.ToError(&err)
	ctx, cancel := context.WithTimeout(ctx, reconcileTime)
	defer cancel()
	return s.reconcile(ctx, m)
}

// reconcileNow tries once, also when the caller has left meanwhile; the sweep does what it cannot.
func (s *Service) reconcileNow(ctx context.Context, m Meditation) {
	if err := s.reconcileWithin(context.WithoutCancel(ctx), m); err != nil {
		s.Log.WarnContext(ctx, "credits will be given back by the sweep", "meditation", m.ID, "error", err)
	}
}

// reconcile ends the hold of work that was given up, or gives the credits of what was lost back, and marks it.
func (s *Service) reconcile(ctx context.Context, m Meditation) error {
	if m.State == Refunded {
		if err := s.Credits.Refund(ctx, m.UID, m.HoldID); err != nil {
			return fmt.Errorf("refund hold of %s: %w", m.ID, err)
		}
		return s.Store.Reconcile(ctx, m)
	}
	if err := s.release(ctx, m); err != nil {
		return fmt.Errorf("release hold of %s: %w", m.ID, err)
	}
	return s.Store.Reconcile(ctx, m)
}

// release ends the hold. A request that was cut off does not know its hold: holding once more with
// the same key names it, and makes sure that a late first call cannot bring another to life.
func (s *Service) release(ctx context.Context, m Meditation) error {
	if m.HoldID == uuid.Nil {
		held, err := s.Credits.Hold(ctx, m)
		if err != nil && refused(err) {
			return nil
		}
		if err != nil {
			return err
		}
		m.HoldID = held.ID
	}
	err := s.Credits.Release(ctx, m.UID, m.HoldID)
	if holdEnded(err) {
		return nil
	}
	return err
}

// sweepers work side by side: a part over the network answers slowly, but to many.
const sweepers = 8

// each does something with all of them and joins what failed.
func each(all []Meditation, do func(Meditation) error) error {
	faults := make([]error, len(all))
	doing := errgroup.Group{}
	doing.SetLimit(sweepers)
	for i, m := range all {
		doing.Go(func() error {
			faults[i] = do(m)
			return nil
		})
	}
	_ = doing.Wait() // the faults are kept one by one
	return errors.Join(faults...)
}

// tidyAll tidies what is due. What fails waits longer each time, so that it does not stand before the rest.
func (s *Service) tidyAll(ctx context.Context) error {
	untidy, err := s.Store.Untidy(ctx)
	return errors.Join(err, each(untidy, func(m Meditation) error {
		if terr := s.tidy(ctx, m); terr != nil {
			return errors.Join(terr, s.Store.PostponeTidying(ctx, m.ID, backoff(m.Tries)))
		}
		return nil
	}))
}

// tidy removes the audio that nobody needs any more: the single segments of a finished file, and
// everything of work that was given up.
func (s *Service) tidy(ctx context.Context, m Meditation) (err error) {
	defer recovery.ToError(&err)
	folder := m.folder()
	if m.State == Ready {
		folder = m.segmentsFolder()
	}
	if err := s.Blobs.DeleteFolder(ctx, folder); err != nil {
		return fmt.Errorf("tidy %s: %w", m.ID, err)
	}
	return s.Store.Tidied(ctx, m)
}
