package meditation

import (
	"context"
	"time"

	"github.com/google/uuid"

	"serein.app/services/generation/internal/recording"
)

const (
	// heartbeatInterval resends the state so that no proxy takes the stream for dead.
	heartbeatInterval = 15 * time.Second
	// reconcileGrace is how long an end may wait for its hold to be released, so that a member who
	// sees "failed" sees the credits back too.
	reconcileGrace = 3 * time.Second
)

// Update is the state, and the segments that are new since the last one.
type Update struct {
	Meditation Meditation
	Segments   []recording.Segment
	// Terms of stopping it now; nil where it cannot be stopped any more.
	Terms *CancelTerms
}

// Watch sends the state at once and then every change, each segment from index from on exactly
// once and in order, and returns when the work has ended. It only looks: leaving stops nothing.
func (s *Service) Watch(ctx context.Context, uid, id uuid.UUID, from int, send func(Update) error) error {
	if _, err := s.Store.Get(ctx, uid, id); err != nil {
		return err
	}
	changed, unsubscribe := s.Notifier.Subscribe(TopicChanged(id))
	defer unsubscribe()
	w := watch{service: s, uid: uid, id: id, next: from, send: send}
	heartbeat := time.NewTicker(heartbeatInterval)
	defer heartbeat.Stop()
	for due := true; ; {
		ended, err := w.look(ctx, due)
		if err != nil || ended {
			return err
		}
		due = false
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-changed:
		case <-w.grace:
			w.over = true
		case <-heartbeat.C:
			due = true
		}
	}
}

// watch is one stream.
type watch struct {
	service *Service
	uid, id uuid.UUID
	next    int
	version int64
	send    func(Update) error
	// grace runs while an end waits for its hold; over says that it has run out.
	grace <-chan time.Time
	over  bool
}

// look sends what is new, or the state again when a heartbeat is due.
func (w *watch) look(ctx context.Context, due bool) (ended bool, err error) {
	m, err := w.service.Store.Get(ctx, w.uid, w.id)
	if err != nil {
		return false, err
	}
	ended = m.State.Ended()
	if ended && !m.Reconciled && !w.over {
		if w.grace == nil {
			w.grace = time.After(reconcileGrace)
		}
		return false, nil
	}
	if m.Version == w.version && !due && !ended {
		return false, nil
	}
	segments, err := w.fresh(ctx, m)
	if err != nil {
		return false, err
	}
	terms, err := w.service.CancelTerms(ctx, m)
	if err != nil {
		return false, err
	}
	w.version = m.Version
	return ended, w.send(Update{Meditation: m, Segments: segments, Terms: terms})
}

// fresh reads the segments that this stream has not sent. The row was read first, so there may be
// more than it counts by now: those come with the row that counts them.
func (w *watch) fresh(ctx context.Context, m Meditation) ([]recording.Segment, error) {
	if m.PassagesDone <= w.next || !m.State.Audible() {
		return nil, nil
	}
	segments, err := w.service.Store.Segments(ctx, w.id, w.next)
	if err != nil {
		return nil, err
	}
	segments = segments[:min(len(segments), m.PassagesDone-w.next)]
	w.next += len(segments)
	return segments, nil
}
