package rpc

import (
	"context"
	"encoding/hex"
	"errors"
	"strings"

	mailv1 "serein.app/proto/gen/serein/mail/v1"
	"serein.app/services/mail/internal/letters"
	store "serein.app/services/mail/internal/postgres"
	"serein.app/services/platform/errs"
	"serein.app/services/platform/guard"
	"serein.app/services/platform/typed"
)

// contactsAnHour are taken of everybody together: the gateway counts by address, and somebody may have very many. It is more than
// we could answer.
const contactsAnHour = 300

// SendContactMessage queues what somebody wrote, for our own mailbox and nobody else.
func (h *Handler) SendContactMessage(ctx context.Context, req *mailv1.SendContactMessageRequest) (*mailv1.SendContactMessageResponse, error) {
	// Other words under the same key are another letter: somebody went on writing after an answer that was lost.
	words := digest(req.GetName(), req.GetEmail(), req.GetPhone(), req.GetMessage())
	l := letters.Letter{
		Key: "contact:" + req.GetIdempotencyKey() + ":" + hex.EncodeToString(words[:8]), To: h.mailbox, Template: letters.Contact,
		Data: letters.Data{Writer: &letters.Writer{
			Name: typed.Name(req.GetName()), Email: letters.Delivered(req.GetEmail()), Phone: strings.TrimSpace(req.GetPhone()),
			Message: letters.Printable(strings.TrimSpace(req.GetMessage())),
		}},
		ExpiresAt: h.now().Add(defaultLife),
	}
	if err := l.Check(); err != nil {
		return nil, err
	}
	id, err := h.mails.EnqueueContact(ctx, l, contactsAnHour)
	if full, ok := errors.AsType[store.TooManyError](err); ok {
		refusal := guard.TooSoon(full.After)
		refusal.Public = "We’re getting more messages than we can answer at the moment. Please write to " + h.mailbox + ", or try again in " + errs.About(full.After) + "."
		return nil, refusal
	}
	if err != nil {
		return nil, err
	}
	return &mailv1.SendContactMessageResponse{MailId: id.String()}, nil
}
