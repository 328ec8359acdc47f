package rpc

import (
	"context"
	"time"

	mailv1 "serein.app/proto/gen/serein/mail/v1"
	"serein.app/services/mail/internal/letters"
	"serein.app/services/platform/rpc"
)

// defaultLife is how long a mail without an end of its own is worth sending.
const defaultLife = 3 * 24 * time.Hour

// SendMail queues one mail. It answers when the mail is safe in the queue, not when it is sent.
func (h *Handler) SendMail(ctx context.Context, req *mailv1.SendMailRequest) (*mailv1.SendMailResponse, error) {
	l, err := h.fromProto(req)
	if err != nil {
		return nil, err
	}
	id, err := h.mails.Enqueue(ctx, l)
	if err != nil {
		return nil, err
	}
	return &mailv1.SendMailResponse{MailId: id.String()}, nil
}

func (h *Handler) fromProto(req *mailv1.SendMailRequest) (letters.Letter, error) {
	l := letters.Letter{
		Key: req.GetIdempotencyKey(), UID: req.GetUid(), To: req.GetTo(),
		Data: letters.Data{GivenName: req.GetGivenName()}, ExpiresAt: h.now().Add(defaultLife),
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
		l.Data.Username = template.ConfirmationCode.GetUsername()
	case *mailv1.SendMailRequest_AccountExists:
		l.Template, l.Data.Username = letters.AccountExists, template.AccountExists.GetUsername()
	default:
		return letters.Letter{}, rpc.ErrInvalid.On("template")
	}
	return l, l.Check()
}
