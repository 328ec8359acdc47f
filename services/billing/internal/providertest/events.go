package providertest

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"serein.app/services/billing/internal/sales"
)

// Events lists what was told.
func (p *Provider) Events(_ context.Context, since time.Time) ([]sales.Event, error) {
	return call(p, "Events", "", func() ([]sales.Event, error) {
		var found []sales.Event
		for _, e := range p.events {
			if !e.CreatedAt.Before(since) {
				found = append(found, e)
			}
		}
		if p.listed > 0 {
			found = found[:min(len(found), p.listed)]
		}
		return found, nil
	})
}

// ListAtMost has Events give so many at once, the oldest ones.
func (p *Provider) ListAtMost(events int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.listed = events
}

// ReadEvent believes what carries Signature.
func (p *Provider) ReadEvent(payload []byte, signature string, _ time.Time) (e sales.Event, err error) {
	if signature != Signature {
		return e, fmt.Errorf("signature %q: %w", signature, sales.ErrRefused)
	}
	return e, json.Unmarshal(payload, &e)
}

// tell notes an event; the lock is held.
func (p *Provider) tell(kind, object, id, payment string) {
	p.events = append(p.events, sales.Event{ID: p.id("evt"), Type: kind, CreatedAt: p.now(), Object: object, ObjectID: id, Payment: payment})
}
