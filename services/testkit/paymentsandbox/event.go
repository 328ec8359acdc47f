package paymentsandbox

import (
	"encoding/json"
	"slices"
	"time"
)

// eventLife is how long events can be listed, as Stripe has it.
const eventLife = 30 * 24 * time.Hour

// event says what happened, with what it is about as it was then.
type event struct {
	ID      string          `json:"id"`
	Type    string          `json:"type"`
	Created int64           `json:"created"`
	Object  json.RawMessage `json:"object"`
	// about shows the object where nobody has asked for it yet: most events are never looked at.
	about func() object
}

func (e *event) id() string  { return e.ID }
func (e *event) made() int64 { return e.Created }

func (e *event) show() object {
	return object{
		"id": e.ID, "object": "event", "api_version": APIVersion, "created": e.Created, "livemode": false, "pending_webhooks": 0,
		"type": e.Type, "data": object{"object": e.object()}, "request": object{"id": nil, "idempotency_key": nil},
	}
}

func (e *event) object() json.RawMessage {
	if e.about != nil {
		return encode(e.about())
	}
	return e.Object
}

// MarshalJSON keeps what it is about.
func (e *event) MarshalJSON() ([]byte, error) {
	return json.Marshal(object{"id": e.ID, "type": e.Type, "created": e.Created, "object": e.object()})
}

// tell makes an event and the webhooks that say it.
func (s *Sandbox) tell(kind string, about object) {
	s.happened(&event{Type: kind, Object: encode(about)})
}

// tellOf is tell of something of which a copy is shown when somebody asks, as it was.
func (s *Sandbox) tellOf(kind string, about func() object) {
	s.happened(&event{Type: kind, about: about})
}

func (s *Sandbox) happened(made *event) {
	made.ID, made.Created = newID("evt"), s.now().Unix()
	s.state.Events.add(made)
	s.store.changed()
	s.post(made)
}

func (s *Sandbox) event(c *call) (object, error) {
	if err := c.finish(); err != nil {
		return nil, err
	}
	found, ok := s.state.Events.get(c.path)
	if !ok {
		return nil, missing("event", c.path)
	}
	return found.show(), nil
}

// maxTypes that one list may ask for, as Stripe has it.
const maxTypes = 20

func (s *Sandbox) listEvents(c *call) (object, error) {
	l, types := c.listing(), c.texts("types")
	if kind := c.text("type"); kind != "" {
		types = append(types, kind)
	}
	if len(types) > maxTypes {
		c.refuse("types", "", "Too many types.")
	}
	if err := c.finish(); err != nil {
		return nil, err
	}
	return page(l, "/v1/events", s.state.Events.Items, func(e *event) bool {
		return len(types) == 0 || slices.Contains(types, e.Type)
	}, (*event).show)
}
