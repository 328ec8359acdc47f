package events

import (
	"context"
	"fmt"

	"github.com/google/uuid"

	eventsv1 "serein.app/proto/gen/serein/events/v1"
	"serein.app/services/platform/bus"
)

const userConfirmed = "billing-user-confirmed"

// Trials starts trials, once per event and once per member.
type Trials interface {
	StartTrial(ctx context.Context, uid uuid.UUID, consumer, eventID string) error
}

// UserConfirmed starts the trial of every member whose address is confirmed.
func UserConfirmed(trials Trials) bus.Consumer {
	return bus.Consumer{
		Name: userConfirmed, Service: "identity", Subject: "serein.identity.user.confirmed.v1",
		Handle: func(ctx context.Context, event *eventsv1.Envelope) error {
			confirmed, err := bus.Payload[eventsv1.UserConfirmed](event)
			if err != nil {
				return err
			}
			uid, err := uuid.Parse(confirmed.GetUid())
			if err != nil {
				return fmt.Errorf("uid of event %s: %w", event.GetId(), err)
			}
			return trials.StartTrial(ctx, uid, userConfirmed, event.GetId())
		},
	}
}
