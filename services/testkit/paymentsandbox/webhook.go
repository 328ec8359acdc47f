package paymentsandbox

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"
)

// Webhook is where events are told.
type Webhook struct {
	// URL that events are posted to; empty tells nobody.
	URL string `json:"url"`
	// Secrets that they are signed with: all of them, as Stripe does while a secret is being changed.
	Secrets []string `json:"secrets"`
}

// Delivery is what happens to webhooks on their way. Its zero value delivers each once, soon.
type Delivery struct {
	// Hold keeps back what happens from now on until Deliver names it.
	Hold bool `json:"hold"`
	// Drop is how many of the next events are never delivered.
	Drop int `json:"drop"`
	// Repeat is how many further times each event is delivered.
	Repeat int `json:"repeat"`
	// Delay is the wait before each delivery.
	Delay time.Duration `json:"delay"`
	// Shuffle delivers the events that are due in another order than that in which they happened.
	Shuffle bool `json:"shuffle"`
}

// message is a webhook on its way.
type message struct {
	ID       int64  `json:"id"`
	Event    string `json:"event"`
	Due      int64  `json:"due"` // in milliseconds since 1970; 0 is held
	Attempts int    `json:"attempts"`
}

// Notify says where events are told from now on. What is on its way goes there too.
func (s *Sandbox) Notify(to Webhook) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.webhook = to
	s.hurry()
}

// SetDelivery says what happens to webhooks from now on.
func (s *Sandbox) SetDelivery(d Delivery) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.delivery = d
}

// Sign gives the header that proves a webhook's body, as of a time.
func Sign(body []byte, at time.Time, secrets ...string) string {
	parts := []string{fmt.Sprintf("t=%d", at.Unix())}
	for _, secret := range secrets {
		proof := hmac.New(sha256.New, []byte(secret))
		_, _ = fmt.Fprintf(proof, "%d.", at.Unix())
		_, _ = proof.Write(body)
		parts = append(parts, "v1="+hex.EncodeToString(proof.Sum(nil)))
	}
	return strings.Join(parts, ",")
}

// EventType is an event's id with what it says.
type EventType struct {
	ID   string `json:"id"`
	Type string `json:"type"`
}

// Events are all that happened, the oldest first.
func (s *Sandbox) Events() []EventType {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := make([]EventType, len(s.state.Events.Items))
	for i, e := range s.state.Events.Items {
		all[i] = EventType{e.ID, e.Type}
	}
	return all
}

// Deliver tells events now, one after the other in the order given, and gives the status that each was answered with. An id may
// come more than once. A receiver that cannot be reached ends it.
func (s *Sandbox) Deliver(ctx context.Context, ids ...string) ([]int, error) {
	answers := make([]int, 0, len(ids))
	for _, id := range ids {
		status, err := s.tellNow(ctx, id)
		if err != nil {
			return answers, err
		}
		answers = append(answers, status)
		if status < http.StatusMultipleChoices {
			s.taken(id)
		}
	}
	return answers, nil
}

// taken removes what was held of an event.
func (s *Sandbox) taken(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.remove(func(m *message) bool { return m.Event == id && m.Due == 0 })
}

// webhookTime bounds one webhook.
const webhookTime = 10 * time.Second

func (s *Sandbox) tellNow(ctx context.Context, id string) (int, error) {
	s.mu.Lock()
	found, ok := s.state.Events.get(id)
	to, body := s.webhook, json.RawMessage(nil)
	if ok {
		body = encode(found.show())
	}
	s.mu.Unlock()
	if !ok {
		return 0, missing("event", id)
	}
	ctx, cancel := context.WithTimeout(ctx, webhookTime)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, to.URL, bytes.NewReader(body))
	if err != nil {
		return 0, err
	}
	req.Header.Set("Content-Type", "application/json; charset=utf-8")
	req.Header.Set("User-Agent", "Stripe/1.0 (sandbox)")
	req.Header.Set("Stripe-Signature", Sign(body, s.config.Now(), to.Secrets...))
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return 0, fmt.Errorf("webhook: %s", strings.ReplaceAll(err.Error(), to.URL, "the receiver"))
	}
	defer func() { _ = res.Body.Close() }()
	_, _ = io.Copy(io.Discard, io.LimitReader(res.Body, maxBody))
	return res.StatusCode, nil
}
