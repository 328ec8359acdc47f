package paymentsandbox

import (
	"context"
	"math/rand/v2"
	"net/http"
	"slices"
	"time"
)

// Webhooks are sent a few at a time, and again until they are taken: after Retry, then twice that, up to an hour, for three days.
const (
	sendAtOnce   = 8
	longestRetry = time.Hour
	giveUpAfter  = 3 * 24 * time.Hour
)

// post puts an event on its way. Who has no webhook hears nothing, later neither.
func (s *Sandbox) post(e *event) {
	if s.webhook.URL == "" {
		return
	}
	if s.delivery.Drop > 0 {
		s.delivery.Drop--
		return
	}
	for range 1 + s.delivery.Repeat {
		s.state.NextMessage++
		m := &message{ID: s.state.NextMessage, Event: e.ID, Due: s.moment().Add(s.delivery.Delay).UnixMilli()}
		if s.delivery.Hold {
			m.Due = 0
		}
		s.state.Outbox = append(s.state.Outbox, m)
	}
	s.hurry()
}

// moment is the machine's time: webhooks are sent by it even where the clock stands still.
func (s *Sandbox) moment() time.Time { return time.Now() }

func (s *Sandbox) hurry() {
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// send sends what is due until its context ends.
func (s *Sandbox) send(ctx context.Context) {
	free := make(chan struct{}, sendAtOnce)
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-s.wake:
		case <-timer.C:
		}
		due, next := s.takeDue()
		for _, m := range due {
			free <- struct{}{}
			s.ended.Go(func() {
				defer func() { <-free }()
				s.try(ctx, m)
			})
		}
		timer.Reset(next)
	}
}

// takeDue gives what is due and marks it as being sent, and how long it is until more is.
func (s *Sandbox) takeDue() (due []*message, next time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	next = longestRetry
	if s.webhook.URL == "" {
		return nil, next
	}
	now := s.moment()
	for _, m := range s.state.Outbox {
		if m.Due == 0 || s.sending[m.ID] {
			continue
		}
		if wait := time.UnixMilli(m.Due).Sub(now); wait > 0 {
			next = min(next, wait)
			continue
		}
		s.sending[m.ID] = true
		due = append(due, m)
	}
	if s.delivery.Shuffle {
		rand.Shuffle(len(due), func(i, j int) { due[i], due[j] = due[j], due[i] })
	}
	return due, next
}

// try sends one, and puts it off where it was not taken.
func (s *Sandbox) try(ctx context.Context, m *message) {
	status, err := s.tellNow(ctx, m.Event)
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.sending, m.ID)
	if ctx.Err() != nil {
		return
	}
	s.store.changed()
	m.Attempts++
	wait := min(s.config.Retry<<min(m.Attempts-1, 20), longestRetry)
	taken := err == nil && status >= http.StatusOK && status < http.StatusMultipleChoices
	if taken || m.Attempts > int(giveUpAfter/longestRetry) {
		// It is among the first: they are sent in about the order in which they stand there.
		if i := slices.IndexFunc(s.state.Outbox, func(other *message) bool { return other.ID == m.ID }); i >= 0 {
			s.state.Outbox = slices.Delete(s.state.Outbox, i, i+1)
		}
		return
	}
	s.config.Log.InfoContext(ctx, "webhook was not taken", "event", m.Event, "status", status, "error", err, "again_in", wait)
	m.Due = s.moment().Add(wait).UnixMilli()
	s.hurry()
}

func (s *Sandbox) remove(which func(*message) bool) {
	s.state.Outbox = slices.DeleteFunc(s.state.Outbox, which)
}

// Settled waits until no webhook is on its way but those that are held.
func (s *Sandbox) Settled(ctx context.Context) error {
	ticker := time.NewTicker(5 * time.Millisecond)
	defer ticker.Stop()
	for s.busy() {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-ticker.C:
		}
	}
	return nil
}

func (s *Sandbox) busy() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.ContainsFunc(s.state.Outbox, func(m *message) bool { return m.Due != 0 })
}
