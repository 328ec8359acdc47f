// Package rpc answers MailService: it checks a request and queues the mail.
package rpc

import (
	"context"
	"time"

	"github.com/google/uuid"

	"serein.app/proto/gen/serein/mail/v1/mailv1connect"
	"serein.app/services/mail/internal/letters"
	"serein.app/services/platform/auth"
)

// Policy lets only identity ask for mails, and only the gateway pass on what visitors write to us; all others cause
// mails by events.
func Policy() auth.Policy {
	return auth.Policy{
		mailv1connect.MailServiceSendMailProcedure:           {Services: []string{"identity"}},
		mailv1connect.MailServiceSendContactMessageProcedure: {Services: []string{"gateway"}},
	}
}

// Mails takes mails for sending.
type Mails interface {
	Enqueue(ctx context.Context, l letters.Letter) (uuid.UUID, error)
	// EnqueueContact may refuse with postgres.TooManyError.
	EnqueueContact(ctx context.Context, l letters.Letter, most int) (uuid.UUID, error)
}

// Handler answers MailService.
type Handler struct {
	mails   Mails
	mailbox string
	now     func() time.Time
}

// New makes the handler; mailbox is where people write to us.
func New(mails Mails, mailbox string, now func() time.Time) *Handler {
	return &Handler{mails, mailbox, now}
}
