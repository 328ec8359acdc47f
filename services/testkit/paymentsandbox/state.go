package paymentsandbox

import (
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// state is everything that the sandbox knows.
type state struct {
	Products       shelf[*product]       `json:"products"`
	Prices         shelf[*price]         `json:"prices"`
	Customers      shelf[*customer]      `json:"customers"`
	Methods        shelf[*method]        `json:"methods"`
	Coupons        shelf[*coupon]        `json:"coupons"`
	PromotionCodes shelf[*promotionCode] `json:"promotionCodes"`
	Sessions       shelf[*session]       `json:"sessions"`
	Subscriptions  shelf[*subscription]  `json:"subscriptions"`
	Discounts      shelf[*discount]      `json:"discounts"`
	Invoices       shelf[*invoice]       `json:"invoices"`
	Payments       shelf[*payment]       `json:"payments"`
	Refunds        shelf[*refund]        `json:"refunds"`
	Adjustments    shelf[*adjustment]    `json:"adjustments"`
	Disputes       shelf[*dispute]       `json:"disputes"`
	Portals        shelf[*portal]        `json:"portals"`
	Events         shelf[*event]         `json:"events"`
	// Answers are those that idempotency keys repeat.
	Answers map[string]*answer `json:"answers"`
	// Outbox are webhooks that were not taken yet, in the order in which they were due first.
	Outbox      []*message `json:"outbox"`
	NextMessage int64      `json:"nextMessage"`
	NextInvoice int64      `json:"nextInvoice"`
}

// shelf keeps things of one kind in the order in which they came.
type shelf[T interface{ id() string }] struct {
	Items []T `json:"items"`
	at    map[string]int
}

func (s *shelf[T]) add(item T) {
	if s.at == nil {
		s.at = map[string]int{}
	}
	s.at[item.id()] = len(s.Items)
	s.Items = append(s.Items, item)
}

func (s *shelf[T]) get(id string) (T, bool) {
	i, ok := s.at[id]
	if !ok {
		var none T
		return none, false
	}
	return s.Items[i], true
}

// dropWhile forgets the oldest for as long as they are unwanted.
func (s *shelf[T]) dropWhile(unwanted func(T) bool) {
	n := 0
	for n < len(s.Items) && unwanted(s.Items[n]) {
		n++
	}
	if n == 0 {
		return
	}
	kept := s.Items[n:]
	s.Items, s.at = nil, nil
	for _, item := range kept {
		s.add(item)
	}
}

// UnmarshalJSON reads the things and finds them again by id.
func (s *shelf[T]) UnmarshalJSON(raw []byte) error {
	var read struct {
		Items []T `json:"items"`
	}
	if err := json.Unmarshal(raw, &read); err != nil {
		return err
	}
	for _, item := range read.Items {
		s.add(item)
	}
	return nil
}

func load(file string) (*state, error) {
	s := &state{Answers: map[string]*answer{}}
	if file == "" {
		return s, nil
	}
	raw, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return s, nil
	}
	if err != nil {
		return nil, err
	}
	if err := errors.Join(json.Unmarshal(raw, s), s.takeCards(raw)); err != nil {
		return nil, fmt.Errorf("paymentsandbox: %s: %w", file, err)
	}
	return s, nil
}

// takeCards reads a file that was written when a customer had one card, either for a subscription or for all that they paid for.
func (s *state) takeCards(raw []byte) error {
	var before struct {
		Customers struct {
			Items []struct {
				ID         string `json:"id"`
				Card       Card   `json:"card"`
				Everywhere bool   `json:"everywhere"`
			} `json:"items"`
		} `json:"customers"`
	}
	err := json.Unmarshal(raw, &before)
	for _, had := range before.Customers.Items {
		payer, ok := s.Customers.get(had.ID)
		if !ok || had.Card == "" {
			continue
		}
		kept := &method{ID: newID("pm"), Customer: had.ID, Card: had.Card, Created: payer.Created}
		s.Methods.add(kept)
		if had.Everywhere {
			payer.Default = kept.ID
			continue
		}
		for _, found := range s.Subscriptions.Items {
			if found.Customer == had.ID {
				found.Default = kept.ID
			}
		}
	}
	return err
}

func (s *Sandbox) snapshot() ([]byte, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return json.Marshal(s.state)
}

// newID is random, with the prefix that Stripe gives its kind.
func newID(prefix string) string { return prefix + "_" + rand.Text() }
