package view

import (
	"sync"
	"time"

	eventsv1 "serein.app/proto/gen/serein/events/v1"
	"serein.app/services/platform/bus"
)

// Source follows the changes of one service.
type Source struct {
	service string
	now     func() time.Time
	// shared: an event that is about no member changes what all of them are shown.
	shared bool

	mu sync.RWMutex
	// since: from then on no change was missed. upto: every change before then has arrived.
	since, upto time.Time
	parts       []func(uid string)
}

// NewSource makes a source that has heard nothing yet.
func NewSource(service string, now func() time.Time) *Source {
	return &Source{service: service, now: now}
}

// add makes a part hear of the service's changes; before any are heard.
func (s *Source) add(heard func(uid string)) { s.parts = append(s.parts, heard) }

// heardAll says whether every change since asked that is older than Wrong has arrived.
func (s *Source) heardAll(asked, now time.Time) bool {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return asked.After(s.since) && !s.since.IsZero() && now.Sub(s.upto) < Wrong
}

// behind is the time since upto; heard is false before the first watermark.
func (s *Source) behind() (ago time.Duration, heard bool) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.now().Sub(s.upto), !s.upto.IsZero()
}

// follower tells the parts.
func (s *Source) follower() bus.Follower {
	return bus.Follower{Service: s.service, Handle: s.OnEvent, Upto: s.Upto}
}

// OnEvent drops what is known of the member that an event is about. It does not apply what the event says: an event may be late or come
// twice, and only its service knows the present state.
func (s *Source) OnEvent(e *eventsv1.Envelope) {
	if e.GetUid() == "" {
		if s.shared {
			s.mu.Lock()
			defer s.mu.Unlock()
			s.since = s.now()
		}
		return
	}
	for _, heard := range s.parts {
		heard(e.GetUid())
	}
}

// Upto notes how far the service's relay has come. After a missed event, or a silence of Wrong or longer, every answer from before is
// asked for again.
func (s *Source) Upto(then time.Time, whole bool) {
	now := s.now()
	s.mu.Lock()
	defer s.mu.Unlock()
	if !whole || now.Sub(s.upto) >= Wrong {
		s.since = now
	}
	if then.After(now) { // the service's clock is ahead
		then = now
	}
	s.upto = then
}
