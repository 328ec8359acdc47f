// Package rpc answers MailService: it checks a request and queues the mail.
package rpc

import (
	"context"
	"time"

	"github.com/google/uuid"

	mailv1 "serein.app/proto/gen/serein/mail/v1"
	"serein.app/proto/gen/serein/mail/v1/mailv1connect"
	"serein.app/services/mail/internal/letters"
	"serein.app/services/platform/auth"
	"serein.app/services/platform/rpc"
)

// Policy lets only identity ask for mails; all others cause them by events.
var Policy = auth.Policy{
	mailv1connect.MailServiceSendMailProcedure: {Services: []string{"identity"}},
}

// defaultLife is how long a mail without an end of its own is worth sending.
const defaultLife = 3 * 24 * time.Hour

// Queue takes mails for sending.
type Queue interface {
	Queue(ctx context.Context, l letters.Letter) (uuid.UUID, error)
}

// Mails answers MailService.
type Mails struct {
	queue Queue
	now   func() time.Time
}

// New makes the handler.
func New(queue Queue, now func() time.Time) *Mails { return &Mails{queue, now} }

// SendMail queues one mail. It answers when the mail is safe in the queue, not when it is sent.
func (m *Mails) SendMail(ctx context.Context, req *mailv1.SendMailRequest) (*mailv1.SendMailResponse, error) {
	l, err := m.fromProto(req)
	if err != nil {
		return nil, err
	}
	id, err := m.queue.Queue(ctx, l)
	if err != nil {
		return nil, err
	}
	return &mailv1.SendMailResponse{MailId: id.String()}, nil
}

func (m *Mails) fromProto(req *mailv1.SendMailRequest) (letters.Letter, error) {
	l := letters.Letter{
		Key: req.GetIdempotencyKey(), UID: req.GetUid(), To: req.GetTo(),
		Data: letters.Data{GivenName: req.GetGivenName()}, ExpiresAt: m.now().Add(defaultLife),
	}
	if t := req.GetExpiresAt(); t != nil {
		if err := t.CheckValid(); err != nil {
			return letters.Letter{}, rpc.ErrInvalid.On("expires_at").Because(err)
		}
		l.ExpiresAt = t.AsTime()
	}
	switch template := req.GetTemplate().(type) {
	case *mailv1.SendMailRequest_ConfirmationCode:
		l.Template, l.Data.Code = letters.ConfirmationCode, template.ConfirmationCode.GetCode()
	case *mailv1.SendMailRequest_AccountExists:
		l.Template, l.Data.Username = letters.AccountExists, template.AccountExists.GetUsername()
	default:
		return letters.Letter{}, rpc.ErrInvalid.On("template")
	}
	return l, l.Check()
}
