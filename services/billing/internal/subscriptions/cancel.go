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

// Leave cancels the membership of a member who has asked for the account to be deleted. It does nothing for a member without a membership
// or one who has taken the request back. If they take it back after the cancellation, the membership stays cancelled until they keep it
// themselves, as their letter says.
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

// wish asks the provider to cancel at the period's end, or to renew, and stores what the provider then has. If the provider's answer is lost,
// reading back finds it.
func (s *Service) wish(ctx context.Context, state State, cancel bool, why sales.CancelReason) error {
	id, err := s.NewID()
	if err != nil {
		return err
	}
	// Setting the same flag twice does no harm. So each try uses a new key, to which the provider repeats no earlier error.
	_, asked := s.Provider.CancelAtPeriodEnd(ctx, fmt.Sprintf("cancel:%t:%s", cancel, id), state.ID, cancel, why)
	if asked != nil && !errors.Is(asked, sales.ErrProviderUnavailable) && !errors.Is(asked, sales.ErrRefused) {
		return asked
	}
	if _, err := s.Settle(ctx, state.ID); err != nil {
		return sales.Unavailable(errors.Join(asked, err))
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
	return sales.Unavailable(asked)
}
