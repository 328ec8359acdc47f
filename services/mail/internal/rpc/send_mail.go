package rpc

import (
	"context"
	"time"

	mailv1 "serein.app/proto/gen/serein/mail/v1"
	"serein.app/services/mail/internal/letters"
	"serein.app/services/platform/rpc"
)

// defaultLife is how long a mail is worth sending if the request sets no end.
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
	if err := fill(&l, req); err != nil {
		return letters.Letter{}, err
	}
	return l, l.Check()
}

// fill adds which letter it is, and its words.
func fill(l *letters.Letter, req *mailv1.SendMailRequest) error {
	d := &l.Data
	switch t := req.GetTemplate().(type) {
	case *mailv1.SendMailRequest_ConfirmationCode:
		l.Template, d.Code, d.Username = letters.ConfirmationCode, t.ConfirmationCode.GetCode(), t.ConfirmationCode.GetUsername()
	case *mailv1.SendMailRequest_AccountExists:
		l.Template, d.Username = letters.AccountExists, t.AccountExists.GetUsername()
	case *mailv1.SendMailRequest_PasswordReset:
		l.Template, d.Code, d.Username = letters.PasswordReset, t.PasswordReset.GetCode(), t.PasswordReset.GetUsername()
	case *mailv1.SendMailRequest_PasswordChanged:
		l.Template, d.Username = letters.PasswordChanged, t.PasswordChanged.GetUsername()
	case *mailv1.SendMailRequest_AddressCode:
		l.Template, d.Code, d.Username = letters.AddressCode, t.AddressCode.GetCode(), t.AddressCode.GetUsername()
	case *mailv1.SendMailRequest_AddressNotice:
		n := t.AddressNotice
		l.Template, d.Code, d.Username = letters.AddressNotice, n.GetCode(), n.GetUsername()
		d.Address = &letters.Address{New: n.GetNewAddress(), Stop: n.GetStop()}
	case *mailv1.SendMailRequest_AddressChanged:
		l.Template, d.Username = letters.AddressChanged, t.AddressChanged.GetUsername()
		d.Address = &letters.Address{New: t.AddressChanged.GetNewAddress()}
	case *mailv1.SendMailRequest_NewDevice:
		n := t.NewDevice
		l.Template, d.Username = letters.NewDevice, n.GetUsername()
		d.Device = &letters.Device{Name: n.GetDevice(), Place: n.GetPlace(), At: n.GetSignedInAt().AsTime()}
	case *mailv1.SendMailRequest_PasskeyAdded:
		l.Template, d.Username = letters.PasskeyAdded, t.PasskeyAdded.GetUsername()
	case *mailv1.SendMailRequest_PasskeyRemoved:
		l.Template, d.Username = letters.PasskeyRemoved, t.PasskeyRemoved.GetUsername()
	case *mailv1.SendMailRequest_SecondStepOn:
		l.Template, d.Username = letters.SecondStepOn, t.SecondStepOn.GetUsername()
	case *mailv1.SendMailRequest_SecondStepOff:
		l.Template, d.Username = letters.SecondStepOff, t.SecondStepOff.GetUsername()
	case *mailv1.SendMailRequest_RecoveryCodeUsed:
		l.Template, d.Username = letters.RecoveryCodeUsed, t.RecoveryCodeUsed.GetUsername()
	case *mailv1.SendMailRequest_DeletionScheduled:
		l.Template, d.Deletion = letters.DeletionScheduled, &letters.Deletion{At: t.DeletionScheduled.GetDeletesAt().AsTime()}
	case *mailv1.SendMailRequest_AccountDeleted:
		l.Template = letters.AccountDeleted
	default:
		return rpc.ErrInvalid.On("template")
	}
	return nil
}
