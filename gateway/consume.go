package gateway

import (
	"context"
	"fmt"

	"serein.app/gateway/internal/session"
	eventsv1 "serein.app/proto/gen/serein/events/v1"
	"serein.app/services/platform/bus"
)

// sessionEnded ends the sessions that came of one at the provider which has ended. All replicas share
// the consumer: one of them does it, and the others see it with their next check. While Redis is away
// the event comes again.
func sessionEnded(sessions *session.Sessions) (bus.Consumer, error) {
	name, subject, err := bus.ConsumerOf(Name, new(eventsv1.SessionEnded))
	if err != nil {
		return bus.Consumer{}, err
	}
	return bus.Consumer{Name: name, Subject: subject, Handle: func(ctx context.Context, e *eventsv1.Envelope) error {
		ended := new(eventsv1.SessionEnded)
		if err := e.GetPayload().UnmarshalTo(ended); err != nil {
			return fmt.Errorf("event %s: %w", e.GetId(), err)
		}
		return sessions.EndProvided(ctx, ended.GetUid(), ended.GetSid())
	}}, nil
}
