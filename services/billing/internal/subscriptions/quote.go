package subscriptions

import (
	"context"
	"time"

	"github.com/google/uuid"

	"serein.app/services/billing/internal/plans"
	"serein.app/services/billing/internal/sales"
	"serein.app/services/platform/itemkind"
)

// QuoteTime is how long a quote holds.
const QuoteTime = 10 * time.Minute

// Quote is what a change of plan charges and gives at a moment.
type Quote struct {
	Item sales.Item
	// Amount is charged now, in minor units of Currency; below 0 what is credited to the next payments.
	Amount   int64
	Currency string
	// Lines are what Amount is made of; none where that cannot be said.
	Lines []QuoteLine
	// Next is charged at NextChargeAt: a period's amount, less what is credited by then.
	Next         int64
	NextChargeAt time.Time
	// PlanCredits are what the plan credits are afterwards.
	PlanCredits int64
	At          time.Time
}

// PreviewChange says what changing to a plan would charge and give, and changes nothing.
func (s *Service) PreviewChange(ctx context.Context, uid uuid.UUID, plan, period string) (Quote, error) {
	state, err := s.running(ctx, uid)
	if err != nil {
		return Quote{}, err
	}
	item, err := s.sold(ctx, plan, period)
	if err != nil {
		return Quote{}, err
	}
	return s.quote(ctx, state, item, s.Now().UTC().Truncate(time.Second))
}

// sold finds a membership in the catalogue.
func (s *Service) sold(ctx context.Context, plan, period string) (sales.Item, error) {
	items, err := s.Store.Items(ctx)
	if err != nil {
		return sales.Item{}, err
	}
	for _, item := range items {
		if item.Kind == itemkind.Membership && item.ProductID == plan && item.Size == period && item.Purchasable() {
			return item, nil
		}
	}
	return sales.Item{}, sales.ErrItemNotSold
}

func (s *Service) quote(ctx context.Context, state State, item sales.Item, at time.Time) (Quote, error) {
	if err := s.mayChange(state, item); err != nil {
		return Quote{}, err
	}
	a, err := s.Store.Account(ctx, state.UID)
	if err != nil {
		return Quote{}, err
	}
	returned, given := changeCredits(state, item, at)
	after := a.Balance.PlanAvailable + given - returned
	if after < 0 {
		return Quote{}, ErrSpent
	}
	p, err := s.Provider.PreviewChange(ctx, state.ID, item.PriceID, at)
	if err != nil {
		return Quote{}, sales.Unavailable(err)
	}
	return Quote{
		Item: item, Amount: p.Amount, Currency: p.Currency, Lines: state.lines(item, p), Next: max(item.Amount-p.Credit, 0),
		NextChargeAt: p.PeriodEnd, PlanCredits: after, At: at,
	}, nil
}

// mayChange says whether a membership can be changed to that now.
func (s *Service) mayChange(state State, item sales.Item) error {
	now := s.Now()
	switch status := state.Status(now); {
	case status == plans.Cancelling:
		return ErrCancelling
	case status == plans.InGrace:
		return ErrUnpaid
	case item.PriceID == state.PriceID || item.ProductID == state.PlanID && item.Size == state.Period:
		return sales.ErrMembershipHeld
	case !now.Before(state.EndsAt):
		return ErrRenewing
	}
	return nil
}
