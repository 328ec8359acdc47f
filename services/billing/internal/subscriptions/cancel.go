package subscriptions

import (
	"context"
	"errors"
	"fmt"

	"github.com/google/uuid"

	"serein.app/services/billing/internal/plans"
	"serein.app/services/billing/internal/sales"
)

// Cancel ends a membership with its paid period; one whose payment has failed ends at once. why is empty where the member does not
// say; one that is cancelled already keeps the first reason.
func (s *Service) Cancel(ctx context.Context, uid uuid.UUID, why sales.CancelReason) error {
	state, err := s.running(ctx, uid)
	if err != nil || state.Status(s.Now()) == plans.Cancelling {
		return err
	}
	return s.wish(ctx, state, true, why)
}

// Leave cancels the membership of a member who has asked for the account to be deleted. Who has none, or stays after all by the time that
// it is tried, is left alone. What was cancelled before they stayed does not come back by itself: they have been told so, and keep it.
func (s *Service) Leave(ctx context.Context, uid uuid.UUID) error {
	if stays, err := s.Store.Stays(ctx, uid); err != nil || stays {
		return err
	}
	if err := s.Cancel(ctx, uid, ""); !errors.Is(err, ErrNotFound) {
		return err
	}
	return nil
}

// Keep takes a cancellation back, and its reason is forgotten.
func (s *Service) Keep(ctx context.Context, uid uuid.UUID) error {
	state, err := s.running(ctx, uid)
	if err != nil || state.Status(s.Now()) != plans.Cancelling {
		return err
	}
	return s.wish(ctx, state, false, "")
}

// wish tells the provider and takes over what it has then. An answer that was lost is found again by reading back.
func (s *Service) wish(ctx context.Context, state State, cancel bool, why sales.CancelReason) error {
	id, err := s.NewID()
	if err != nil {
		return err
	}
	// The same flag set twice is set: so each try has a key of its own, which no fault of before is repeated to.
	_, asked := s.Provider.CancelAtPeriodEnd(ctx, fmt.Sprintf("cancel:%t:%s", cancel, id), state.ID, cancel, why)
	if asked != nil && !errors.Is(asked, sales.ErrAway) && !errors.Is(asked, sales.ErrRefused) {
		return asked
	}
	if _, err := s.Settle(ctx, state.ID); err != nil {
		return sales.Away(errors.Join(asked, err))
	}
	if asked == nil {
		return nil
	}
	again, err := s.Get(ctx, state.UID)
	switch {
	case err != nil:
		return err
	case again.Over() && !cancel:
		return ErrNotFound.Because(asked)
	case again.Over() || again.Renews != cancel:
		return nil
	}
	return sales.Away(asked)
}
