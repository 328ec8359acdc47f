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
	// Exhausted: attempt after attempt ended without an answer, so that it may have arrived often enough.
	Exhausted Reason = "exhausted"
	// Superseded: something newer made it untrue.
	Superseded Reason = "superseded"
	// Declined: the recipient has declined letters of this kind.
	Declined Reason = "declined"
	// Suppressed: nobody is at the address, or they have complained.
	Suppressed Reason = "suppressed"
)

// MailSent tells that a server accepted the mail.
func MailSent(id uuid.UUID, uid, template string) outbox.Event {
	return ofMail(id, uid, &eventsv1.MailSent{MailId: id.String(), Uid: uid, Template: template})
}

// MailFailed tells that the mail was given up.
func MailFailed(id uuid.UUID, uid, template string, reason Reason) outbox.Event {
	return ofMail(id, uid, &eventsv1.MailFailed{MailId: id.String(), Uid: uid, Template: template, Reason: string(reason)})
}

// Erased tells that nothing is kept of the member whose account was deleted.
func Erased(deletion string) proto.Message { return &eventsv1.MailErased{DeletionId: deletion} }

func ofMail(id uuid.UUID, uid string, m proto.Message) outbox.Event {
	return outbox.Event{Aggregate: id.String(), UID: uid, Message: m}
}
