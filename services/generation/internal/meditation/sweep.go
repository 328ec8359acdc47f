package meditation

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"golang.org/x/sync/errgroup"

	"serein.app/services/generation/internal/recovery"
)

// reconcileTime bounds one try to end a hold while a member waits for the answer.
const reconcileTime = 3 * time.Second

// Sweep repairs what crashes and outages left behind. It runs every few seconds on one replica,
// and does no harm on several: every step is conditional, and billing's calls are idempotent.
func (s *Service) Sweep(ctx context.Context) error {
	now := s.Now()
	return errors.Join(
		s.Store.AbandonOld(ctx, now.Add(-HoldingTime), now),
		s.Store.FailOverdue(ctx, ReasonTimedOut, now),
		s.shed(ctx, now),
		s.reconcileAll(ctx),
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

func (s *Service) reconcileAll(ctx context.Context) error {
	unreconciled, err := s.Store.Unreconciled(ctx)
	for _, m := range unreconciled {
		if rerr := s.reconcile(ctx, m); rerr != nil {
			err = errors.Join(err, rerr, s.Store.PostponeReconciling(ctx, m.ID, backoff(m.Tries)))
		}
	}
	return err
}

// reconcileNow tries once, also when the caller has left meanwhile; the sweep does what it cannot.
func (s *Service) reconcileNow(ctx context.Context, m Meditation) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), reconcileTime)
	defer cancel()
	if err := s.reconcile(ctx, m); err != nil {
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
		holdID, err := s.Credits.Hold(ctx, m)
		if err != nil && refused(err) {
			return nil
		}
		if err != nil {
			return err
		}
		m.HoldID = holdID
	}
	err := s.Credits.Release(ctx, m.UID, m.HoldID)
	if holdEnded(err) {
		return nil
	}
	return err
}

// tidiers work side by side: a store over the network answers slowly, but to many.
const tidiers = 8

// tidyAll tidies what is due. What fails waits longer each time, so that it does not stand before the rest.
func (s *Service) tidyAll(ctx context.Context) error {
	untidy, err := s.Store.Untidy(ctx)
	faults := make([]error, len(untidy))
	tidying := errgroup.Group{}
	tidying.SetLimit(tidiers)
	for i, m := range untidy {
		tidying.Go(func() error {
			if terr := s.tidy(ctx, m); terr != nil {
				faults[i] = errors.Join(terr, s.Store.PostponeTidying(ctx, m.ID, backoff(m.Tries)))
			}
			return nil
		})
	}
	_ = tidying.Wait() // the faults are kept one by one
	return errors.Join(append(faults, err)...)
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
