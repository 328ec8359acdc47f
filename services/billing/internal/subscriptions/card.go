package subscriptions

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"

	"serein.app/services/billing/internal/sales"
	"serein.app/services/platform/deadline"
)

// cardTime is how long a view waits for the provider if billing has never read the membership's card.
var cardTime = deadline.Of(3 * time.Second)

// Card is the stored card that a membership is charged to. If billing has never read the card, Card asks the provider and stores the answer.
// It answers false if the provider does not answer within cardTime, or if what is charged has no card digits.
func (s *Service) Card(ctx context.Context, state State) (sales.Card, bool) {
	if state.Paid() && !state.Over() && !state.CardRead {
		state.Card = s.readCard(ctx, state)
	}
	return state.Card, state.Card.Last4 != ""
}

// readCard settles a membership as a view does: it pays nothing.
func (s *Service) readCard(ctx context.Context, state State) sales.Card {
	ctx, stop := context.WithTimeout(ctx, cardTime)
	defer stop()
	_, _, err := s.settle(ctx, state.ID, false)
	if err == nil {
		state, err = s.Get(ctx, state.UID)
	}
	if err != nil {
		s.Log.WarnContext(ctx, "the card of a membership cannot be read", "subscription", state.ID, "error", err)
	}
	return state.Card
}

// wanted is the card that a membership is to be charged to: what its member gave last. The provider's page gives it to the customer,
// and the one of the subscription's own, which its checkout gave it, would stand before it for ever. What the customer had already
// when the membership was bought was not given for it.
func (s State) wanted(sub sales.ProviderSubscription) sales.Card {
	given := sub.CustomerCard
	if s.Card.ID == "" || given.ID == "" || given.ID == s.Given {
		return sub.Charged()
	}
	return given
}

// keep notes what a membership is charged to, and the customer's card once it is taken over, or nothing is to take over.
func (s *State) keep(sub sales.ProviderSubscription) {
	card, given := sub.Charged(), sub.CustomerCard.ID
	if s.wanted(sub).ID == card.ID && (given != "" || card.ID == "") {
		s.Given = given
	}
	s.CardRead = true
	s.Card = sales.Card{ID: card.ID, Brand: card.Brand, Last4: card.Last4}
}

// takeCard has the provider charge a membership to the card that its member gave last. The call moves no money.
func (s *Service) takeCard(ctx context.Context, state State, told *Told) error {
	card := state.wanted(told.Subscription)
	if !state.running() || !told.Subscription.EndedAt.IsZero() || card.ID == told.Subscription.Charged().ID {
		return nil
	}
	id, err := s.NewID()
	if err != nil {
		return err
	}
	// Setting the same card twice does no harm. So each try uses a new key, to which the provider repeats no earlier error.
	err = s.Provider.ChargeTo(ctx, fmt.Sprintf("card:%s", id), state.ID, card.ID)
	if errors.Is(err, sales.ErrRefused) || errors.Is(err, sales.ErrNotFound) {
		// The membership goes on with its earlier card.
		s.Log.ErrorContext(ctx, "a membership cannot be charged to the card that its member gave", "subscription", state.ID, "error", err)
		return nil
	}
	if err == nil {
		told.Subscription.Card = card
	}
	return err
}

// payOwed pays what a membership in its grace owes with the card that it is charged to, unless that is the one that was refused. What
// came of it is read again.
func (s *Service) payOwed(ctx context.Context, state State, told Told) (Told, error) {
	card, now := told.Subscription.Charged(), s.Now().UTC()
	after, _ := Next(state, told, now)
	owed, found := told.owed(after.EndsAt)
	if !after.running() || after.FailedAt.IsZero() || !found || owed.Status != Open || card.ID == "" {
		return told, nil
	}
	refused, err := s.refused(ctx, owed)
	if err != nil || refused == card.ID {
		return told, err
	}
	return s.pay(ctx, state, owed, card)
}

// refused is the card that an invoice was tried with last; empty where none was.
func (s *Service) refused(ctx context.Context, owed Invoice) (string, error) {
	if owed.Pending == "" {
		return "", nil
	}
	p, err := s.Provider.Payment(ctx, owed.Pending)
	if errors.Is(err, sales.ErrNotFound) {
		return "", nil
	}
	return p.Card.ID, err
}

// pay tries an owed invoice with a card, once, and reads the result. Nothing changes if the card is refused too, or if the invoice has been
// paid or given up by then.
func (s *Service) pay(ctx context.Context, state State, owed Invoice, card sales.Card) (Told, error) {
	key := "pay:" + owed.ID + ":" + card.ID
	asked := s.Provider.PayInvoice(ctx, key, owed.ID, card.ID)
	if errors.Is(asked, sales.ErrProviderFault) { // which it repeats to this key; whatever has come of it, an invoice is paid once
		asked = s.Provider.PayInvoice(ctx, key+":again", owed.ID, card.ID)
	}
	told, err := s.ask(ctx, state)
	if err != nil {
		return told, errors.Join(asked, err)
	}
	if _, still := told.owed(state.EndsAt); still && errors.Is(asked, sales.ErrProviderUnavailable) {
		return told, fmt.Errorf("pay invoice %s: %w", owed.ID, asked)
	}
	if errors.Is(asked, sales.ErrRefused) {
		s.Log.WarnContext(ctx, "an invoice that is owed is not taken from the card that was given", "subscription", state.ID, "invoice", owed.ID, "error", asked)
	}
	return told, nil
}

// TakeCard is a member's way back from the provider's page, where they may have given another card.
func (s *Service) TakeCard(ctx context.Context, uid uuid.UUID) error {
	state, err := s.Get(ctx, uid)
	if err == nil && !state.running() {
		err = ErrNotFound
	}
	if err != nil {
		return err
	}
	_, err = s.Settle(ctx, state.ID)
	return sales.Unavailable(err)
}
