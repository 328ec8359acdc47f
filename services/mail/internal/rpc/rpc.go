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

// Policy lets only identity ask for mails; all others cause them by events.
func Policy() auth.Policy {
	return auth.Policy{
		mailv1connect.MailServiceSendMailProcedure: {Services: []string{"identity"}},
	}
}

// Mails takes mails for sending.
type Mails interface {
	Enqueue(ctx context.Context, l letters.Letter) (uuid.UUID, error)
}

// Handler answers MailService.
type Handler struct {
	mails Mails
	now   func() time.Time
}

// New makes the handler.
func New(mails Mails, now func() time.Time) *Handler { return &Handler{mails, now} }
