// Package events tells what became of mails, and writes to members about what happened to them: that their address is confirmed,
// that an order was paid, that money came back.
package events

import (
	"github.com/google/uuid"
	"google.golang.org/protobuf/proto"

	eventsv1 "serein.app/proto/gen/serein/events/v1"
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
	return about(id, uid, &eventsv1.MailSent{MailId: id.String(), Uid: uid, Template: template})
}

// MailFailed tells that the mail was given up.
func MailFailed(id uuid.UUID, uid, template string, reason Reason) outbox.Event {
	return about(id, uid, &eventsv1.MailFailed{MailId: id.String(), Uid: uid, Template: template, Reason: string(reason)})
}

func about(id uuid.UUID, uid string, m proto.Message) outbox.Event {
	return outbox.Event{Aggregate: id.String(), UID: uid, Message: m}
}
