package subscriptions

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"

	"serein.app/services/billing/internal/sales"
	"serein.app/services/platform/postgres"
)

const (
	// sweepSize is how many plans one round reads.
	sweepSize = 100
	// laterBy is how much later a membership that could not be settled is due again.
	laterBy = 5 * time.Minute
	// maxAway is after how many plans in a row for which the provider was unavailable a round ends.
	maxAway = 3
	// endingTime is how long the end of a membership may be on its way to the provider.
	endingTime = time.Hour
	// unknownTime is how long a checkout that was paid may go without being read back.
	unknownTime = time.Hour
)

// SweepDue settles the plans that are due: trials that end, memberships that should have renewed, notices, and ends. A plan that cannot be
// settled delays no other.
func (s *Service) SweepDue(ctx context.Context) error {
	now := s.Now().UTC().Truncate(time.Microsecond)
	var after Due
	var faults []error
	away := 0
	for {
		due, err := s.Store.Due(ctx, now, after, sweepSize)
		if err != nil {
			return errors.Join(append(faults, err)...)
		}
		for _, d := range due {
			err := s.look(ctx, d)
			if err != nil {
				faults = append(faults, fmt.Errorf("plan of %s: %w", d.UID, err), s.Store.Postpone(ctx, d.UID, now, now.Add(laterBy)))
			}
			if away++; !errors.Is(err, sales.ErrProviderUnavailable) {
				away = 0
			}
			if away == maxAway {
				return errors.Join(faults...) // each would wait for it in vain; the next round goes on behind these
			}
		}
		if len(due) < sweepSize || ctx.Err() != nil {
			return errors.Join(faults...)
		}
		after = due[len(due)-1]
	}
}

// look does what is due of one plan.
func (s *Service) look(ctx context.Context, d Due) error {
	if d.ID != "" {
		_, err := s.Settle(ctx, d.ID)
		return err
	}
	state, err := s.Store.SubscriptionOf(ctx, d.UID)
	if err != nil {
		return err
	}
	after, happened := Tick(state, s.Now().UTC().Truncate(time.Microsecond))
	if after == state {
		return nil
	}
	err = s.Store.Save(ctx, state, after, happened, nil)
	if errors.Is(err, ErrStale) {
		return nil // the member has bought a plan, or another replica was faster
	}
	return err
}

// Reconcile compares the provider's memberships with ours, both ways. It mends what differs and alerts the operator, since a webhook or the
// clock should have brought the change.
func (s *Service) Reconcile(ctx context.Context) error {
	seen := map[string]bool{}
	var faults []error
	for after, more := "", true; more; {
		page, next, err := s.Provider.Subscriptions(ctx, after)
		if err != nil {
			return errors.Join(append(faults, fmt.Errorf("list the provider's subscriptions: %w", err))...)
		}
		for _, sub := range page {
			after, seen[sub.ID] = sub.ID, true
			if err := s.compare(ctx, Told{Subscription: sub}); err != nil {
				faults = append(faults, err)
			}
		}
		more = next && len(page) > 0 && ctx.Err() == nil
	}
	return errors.Join(append(faults, s.missing(ctx, seen))...)
}

// compare settles a membership that the provider has otherwise.
func (s *Service) compare(ctx context.Context, told Told) error {
	sub := told.Subscription
	state, err := s.Store.Subscription(ctx, sub.ID)
	if errors.Is(err, postgres.ErrNotFound) {
		s.unknown(ctx, sub)
		return nil
	}
	if err != nil {
		return err
	}
	if state.Over() && s.Now().Sub(state.EndedAt) < endingTime {
		return nil // the call that ended it here is about to end it at the provider
	}
	if state.Over() {
		s.mended(ctx, state, "it is over here and is charged there")
		return s.Provider.EndSubscription(ctx, "end:"+sub.ID, sub.ID)
	}
	if sub.PriceID == state.PriceID && sub.CancelAtPeriodEnd != state.Renews && !sub.PeriodEnd.After(state.EndsAt) {
		return nil
	}
	return s.mend(ctx, state, "the provider has it otherwise")
}

// unknown tells the operator of a subscription that one of our checkouts began and that is no membership here: it is charged, and nothing is
// given for it. Within the hour its checkout is read back.
func (s *Service) unknown(ctx context.Context, sub sales.ProviderSubscription) {
	if sub.UID == "" || s.Now().Sub(sub.CreatedAt) < unknownTime {
		return
	}
	s.Metrics.SubscriptionUnknown(ctx)
	s.Log.ErrorContext(ctx, "the provider charges for a subscription that is no membership here: call its order off, or end it at the provider's pages and return what was paid",
		"subscription", sub.ID, "member", sub.UID, "status", sub.Status, "since", sub.CreatedAt)
}

// missing settles ours that the provider did not list.
func (s *Service) missing(ctx context.Context, seen map[string]bool) error {
	var after uuid.UUID
	var faults []error
	for {
		running, err := s.Store.Running(ctx, after, sweepSize)
		if err != nil {
			return errors.Join(append(faults, err)...)
		}
		for _, ours := range running {
			if !seen[ours.ID] {
				faults = append(faults, s.mend(ctx, State{UID: ours.UID, ID: ours.ID}, "the provider does not list it"))
			}
			after = ours.UID
		}
		if len(running) < sweepSize || ctx.Err() != nil {
			return errors.Join(faults...)
		}
	}
}

func (s *Service) mend(ctx context.Context, state State, why string) error {
	_, changed, err := s.settle(ctx, state.ID, true)
	if err == nil && changed {
		s.mended(ctx, state, why)
	}
	return err
}

func (s *Service) mended(ctx context.Context, state State, why string) {
	s.Metrics.SubscriptionMended(ctx)
	s.Log.ErrorContext(ctx, "a membership was not as the provider has it, and is mended", "member", state.UID, "subscription", state.ID, "why", why)
}
