package subscriptions

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"

	"serein.app/services/billing/internal/credits"
	"serein.app/services/billing/internal/sales"
	"serein.app/services/platform/failpoint"
	"serein.app/services/platform/postgres"
)

// ChangeRequest asks for a change of plan. At and Amount are those of the quote that the member saw; without At it is quoted and
// made at once.
type ChangeRequest struct {
	UID          uuid.UUID
	Key          string
	Plan, Period string
	At           time.Time
	Amount       int64
}

func (r ChangeRequest) fingerprint() []byte {
	sum := sha256.Sum256(fmt.Appendf(nil, "%q %q %d %d", r.Plan, r.Period, r.At.Unix(), r.Amount))
	return sum[:]
}

// PlanChange is a change that was asked for. Billing stores it before it asks the provider, so that it finds the change after a crash.
type PlanChange struct {
	ID      uuid.UUID
	UID     uuid.UUID
	Key     string
	Request []byte
	PriceID string
	At      time.Time
	// CreatedAt is when it was asked for; Done says that it was made.
	CreatedAt time.Time
	Done      bool
}

// changeTime is how long a change may take once it is stored, in any call that carries it out. It runs on when the caller has gone, since
// the provider may have charged the card. A change that is older and not made blocks no other.
const changeTime = 40 * time.Second

// overtaken bounds how often a request is made again that another call by the same key has overtaken.
const overtaken = 3

// ChangePlan changes a membership at once, for the amount of its quote. The same key changes once, and concurrent calls with one key get the
// same answer: a call that another has overtaken carries out the change that the first has stored.
func (s *Service) ChangePlan(ctx context.Context, r ChangeRequest) (refused error) {
	for range overtaken {
		if done, err := s.changed(ctx, r); done || err != nil {
			return err
		}
		refused = s.changePlan(ctx, r)
		if !errors.Is(refused, sales.ErrMembershipHeld) && !errors.Is(refused, ErrQuoteChanged) {
			return refused
		}
		if _, err := s.Store.ChangeByKey(ctx, r.UID, r.Key); err != nil {
			break // no call has stored a change under this key
		}
	}
	return refused
}

// changed says whether the key has changed the plan; an error where it was another request's.
func (s *Service) changed(ctx context.Context, r ChangeRequest) (bool, error) {
	known, err := s.Store.ChangeByKey(ctx, r.UID, r.Key)
	if errors.Is(err, postgres.ErrNotFound) {
		return false, nil
	}
	if err == nil && string(known.Request) != string(r.fingerprint()) {
		err = credits.ErrKeyReused
	}
	return err == nil && known.Done, err
}

func (s *Service) changePlan(ctx context.Context, r ChangeRequest) error {
	state, err := s.running(ctx, r.UID)
	if err != nil {
		return err
	}
	begun, done, err := s.begun(ctx, r, state)
	if err != nil || done {
		return err
	}
	if begun == nil {
		if begun, err = s.begin(ctx, r, state); err != nil {
			return err
		}
	}
	failpoint.Pass(failpoint.AfterChangeKept)
	ctx, stop := context.WithTimeout(context.WithoutCancel(ctx), changeTime-s.Now().Sub(begun.CreatedAt))
	defer stop()
	return s.carryOut(ctx, state, *begun)
}

// begun looks at the member's change that is under way. It finishes a change that the provider has made. It deletes one that the provider has
// not made and whose time is over, since no call carries it out any more. It gives the requested change back as again, and ErrQuoteChanged for
// another.
func (s *Service) begun(ctx context.Context, r ChangeRequest, state State) (again *PlanChange, done bool, err error) {
	c, err := s.Store.OpenChange(ctx, r.UID)
	if errors.Is(err, postgres.ErrNotFound) {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, err
	}
	same := c.Key == r.Key
	switch {
	case c.PriceID == state.PriceID:
		return nil, same, s.Store.FinishChange(ctx, c)
	case s.Now().Sub(c.CreatedAt) > changeTime:
		return nil, false, s.Store.DropChange(ctx, c)
	case same:
		// What could be paid back then may be spent by now.
		if err := s.quotable(ctx, state, c); err != nil {
			return nil, false, errors.Join(err, s.Store.DropChange(ctx, c))
		}
		return &c, false, nil
	}
	return nil, false, ErrQuoteChanged
}

// quotable says whether a change that was kept could still be quoted.
func (s *Service) quotable(ctx context.Context, state State, c PlanChange) error {
	items, err := s.Store.Items(ctx)
	if err != nil {
		return err
	}
	for _, item := range items {
		if item.PriceID == c.PriceID {
			_, err := s.quote(ctx, state, item, c.At)
			return err
		}
	}
	return sales.ErrItemNotSold
}

// begin quotes a change once more for the moment that the member saw, and keeps it.
func (s *Service) begin(ctx context.Context, r ChangeRequest, state State) (*PlanChange, error) {
	item, err := s.sold(ctx, r.Plan, r.Period)
	if err != nil {
		return nil, err
	}
	now := s.Now().UTC()
	at := r.At.UTC().Truncate(time.Second)
	if r.At.IsZero() {
		at = now.Truncate(time.Second)
	}
	if at.After(now) || now.Sub(at) > QuoteTime || at.Before(state.StartsAt) {
		return nil, ErrQuoteChanged
	}
	quote, err := s.quote(ctx, state, item, at)
	if err != nil {
		return nil, err
	}
	if !r.At.IsZero() && quote.Amount != r.Amount {
		return nil, ErrQuoteChanged
	}
	// The provider was asked since: its time begins now.
	c := PlanChange{UID: r.UID, Key: r.Key, Request: r.fingerprint(), PriceID: item.PriceID, At: at, CreatedAt: s.Now().UTC()}
	if c.ID, err = s.NewID(); err != nil {
		return nil, err
	}
	first, err := s.Store.StartChange(ctx, c)
	if err == nil && !first {
		err = ErrQuoteChanged // another tab is faster
	}
	return &c, err
}

// carryOut asks the provider and takes over what it has then. An answer that was lost is found again by reading back.
func (s *Service) carryOut(ctx context.Context, state State, c PlanChange) error {
	_, asked := s.Provider.ChangePrice(ctx, "change:"+c.ID.String(), state.ID, c.PriceID, c.At)
	failpoint.Pass(failpoint.AfterChangeMade)
	switch {
	case errors.Is(asked, ErrDeclined):
		if err := s.Store.DropChange(ctx, c); err != nil {
			return err
		}
		return ErrNotPaid.Because(asked)
	case asked != nil && !errors.Is(asked, sales.ErrProviderUnavailable):
		return errors.Join(asked, s.Store.DropChange(ctx, c))
	}
	if _, err := s.Settle(ctx, state.ID); err != nil {
		return sales.Unavailable(errors.Join(asked, err))
	}
	again, err := s.Get(ctx, c.UID)
	if err != nil {
		return err
	}
	if again.PriceID == c.PriceID {
		return s.Store.FinishChange(ctx, c)
	}
	if errors.Is(asked, sales.ErrProviderFault) { // which it repeats to this key: the next try has another
		err = s.Store.DropChange(ctx, c)
	}
	if asked == nil {
		asked = fmt.Errorf("subscription %s was changed and has its old price", state.ID)
	}
	return errors.Join(sales.Unavailable(asked), err)
}
