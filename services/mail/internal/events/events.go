// Package events tells what became of mails, and welcomes members who confirmed their address.
package events

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"google.golang.org/protobuf/proto"

	eventsv1 "serein.app/proto/gen/serein/events/v1"
	"serein.app/services/mail/internal/letters"
	"serein.app/services/platform/bus"
	"serein.app/services/platform/outbox"
)

// Reason says why a mail was given up.
type Reason string

// The reasons.
const (
	// Expired: it was of no use any more.
	Expired Reason = "expired"
	// Rejected: a server refused it for good, or it cannot be written.
	Rejected Reason = "rejected"
	// Exhausted: every attempt failed.
	Exhausted Reason = "exhausted"
)

// MailSent tells that a server accepted the mail.
func MailSent(id uuid.UUID, uid, template string) outbox.Event {
	return about(id, uid, "sent", &eventsv1.MailSent{MailId: id.String(), Uid: uid, Template: template})
}

// MailFailed tells that the mail was given up.
func MailFailed(id uuid.UUID, uid, template string, reason Reason) outbox.Event {
	return about(id, uid, "failed", &eventsv1.MailFailed{MailId: id.String(), Uid: uid, Template: template, Reason: string(reason)})
}

func about(id uuid.UUID, uid, event string, m proto.Message) outbox.Event {
	return outbox.Event{Subject: "serein.mail.message." + event + ".v1", Aggregate: id.String(), UID: uid, Message: m}
}

const userConfirmed = "mail-user-confirmed"

// welcomeLife is how long after the confirmation a welcome is still welcome.
const welcomeLife = 3 * 24 * time.Hour

// Queue takes a mail because of an event, once per event.
type Queue interface {
	QueueOnce(ctx context.Context, l letters.Letter, consumer, eventID string) error
}

// UserConfirmed welcomes every member whose address is confirmed.
func UserConfirmed(queue Queue) bus.Consumer {
	return bus.Consumer{
		Name: userConfirmed, Service: "identity", Subject: "serein.identity.user.confirmed.v1",
		Handle: func(ctx context.Context, event *eventsv1.Envelope) error {
			confirmed, err := bus.Payload[eventsv1.UserConfirmed](event)
			if err != nil {
				return err
			}
			l := letters.Letter{
				Key: "welcome:" + confirmed.GetUid(), UID: confirmed.GetUid(), To: confirmed.GetEmail(),
				Template: letters.Welcome, Data: letters.Data{GivenName: confirmed.GetGivenName()},
				ExpiresAt: event.GetTime().AsTime().Add(welcomeLife),
			}
			if err := l.Check(); err != nil {
				return fmt.Errorf("event %s: %w", event.GetId(), err)
			}
			return queue.QueueOnce(ctx, l, userConfirmed, event.GetId())
		},
	}
}
